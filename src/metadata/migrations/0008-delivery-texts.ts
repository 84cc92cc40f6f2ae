import type { Migration } from './migration.ts';

/** Keeps what an attempt was about readable after its message is removed. */
export const deliveryTexts: Migration = {
  name: '0008-delivery-texts',
  async up(schema) {
    for (const column of ['reason', 'group_parts', 'notice']) {
      await schema.schema.alterTable('delivery_attempts').addColumn(column, 'text').execute();
    }
  },
};
