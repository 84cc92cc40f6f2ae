import type { Migration } from './migration.ts';

/** Dashboards that people want at hand. One that is deleted stays one until it can no longer come back. */
export const favourites: Migration = {
  name: '0015-favourites',
  async up(schema) {
    await schema.schema
      .createTable('favourites')
      .addColumn('tenant_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('dashboard_id', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('favourites_key', ['tenant_id', 'user_id', 'dashboard_id'])
      .execute();
    await schema.schema
      .createIndex('favourites_dashboard')
      .on('favourites')
      .columns(['tenant_id', 'dashboard_id'])
      .execute();
  },
};
