import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/**
 * Favourites pointed to `users`, the members of teams; people of organizations have them, too. The embedded store cannot
 * drop a reference, so the table is made again.
 */
export const favouritesOfAnyone: Migration = {
  name: '0016-favourites-of-anyone',
  async up(schema) {
    await sql`create table kept_favourites as select tenant_id, user_id, dashboard_id from favourites`.execute(schema);
    await schema.schema.dropTable('favourites').execute();
    await schema.schema
      .createTable('favourites')
      .addColumn('tenant_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('dashboard_id', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('favourites_key', ['tenant_id', 'user_id', 'dashboard_id'])
      .execute();
    await schema.schema
      .createIndex('favourites_dashboard')
      .on('favourites')
      .columns(['tenant_id', 'dashboard_id'])
      .execute();
    await sql`insert into favourites (tenant_id, user_id, dashboard_id)
      select tenant_id, user_id, dashboard_id from kept_favourites`.execute(schema);
    await schema.schema.dropTable('kept_favourites').execute();
  },
};
