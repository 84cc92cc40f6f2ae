import type { Migration } from './migration.ts';

/**
 * A text that only the right secret key opens; and names of teams may repeat, so that a new name is never refused with
 * what another team is called.
 */
export const sealAndTeamNames: Migration = {
  name: '0011-seal-and-team-names',
  async up(schema) {
    await schema.schema
      .createTable('secret_key_seal')
      .addColumn('id', 'integer', (column) => column.primaryKey().notNull())
      .addColumn('sealed', 'text', (column) => column.notNull())
      .execute();
    await schema.schema.dropIndex('tenants_team_name').execute();
    await schema.schema.createIndex('tenants_name').on('tenants').column('name').execute();
  },
};
