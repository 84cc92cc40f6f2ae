import type { Migration } from './migration.ts';

/** Finds the messages of one alert, for its history. */
export const alertLog: Migration = {
  name: '0004-alert-log',
  async up(schema) {
    await schema.schema
      .createIndex('outbox_alert')
      .on('outbox')
      .columns(['tenant_id', 'alert_id', 'created_ms'])
      .execute();
  },
};
