import type { Migration } from './migration.ts';

/** Receivers of webhooks that failed last (those without a row are well), and what became of the last try of a message. */
export const webhookReceivers: Migration = {
  name: '0009-webhook-receivers',
  async up(schema, dialect) {
    await schema.schema
      .createTable('webhook_receivers')
      .addColumn('webhook_id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('failures', 'integer', (column) => column.notNull())
      .addColumn('resume_ms', dialect.integerType, (column) => column.notNull())
      .execute();
    await schema.schema.alterTable('outbox').addColumn('last_at_ms', dialect.integerType).execute();
    await schema.schema.alterTable('outbox').addColumn('last_status', 'integer').execute();
    await schema.schema.alterTable('outbox').addColumn('last_error', 'text').execute();
  },
};
