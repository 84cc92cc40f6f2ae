import type { Migration } from './migration.ts';

/** Receivers of webhooks that have failed lately; those without a row are well. */
export const webhookReceivers: Migration = {
  name: '0009-webhook-receivers',
  async up(schema, dialect) {
    await schema.schema
      .createTable('webhook_receivers')
      .addColumn('webhook_id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('failures', 'integer', (column) => column.notNull())
      .addColumn('resume_ms', dialect.integerType, (column) => column.notNull())
      .execute();
  },
};
