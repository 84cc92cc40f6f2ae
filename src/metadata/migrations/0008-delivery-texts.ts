import type { Migration } from './migration.ts';

/** What an attempt told stays readable when its message is gone. */
export const deliveryTexts: Migration = {
  name: '0008-delivery-texts',
  async up(schema) {
    for (const column of ['reason', 'group_parts', 'notice']) {
      await schema.schema.alterTable('delivery_attempts').addColumn(column, 'text').execute();
    }
  },
};
