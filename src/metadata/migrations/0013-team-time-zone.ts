import type { Migration } from './migration.ts';

/** The time zone in which a team's notifications write times; NULL = UTC. */
export const teamTimeZone: Migration = {
  name: '0013-team-time-zone',
  async up(schema) {
    await schema.schema.alterTable('tenants').addColumn('timezone', 'text').execute();
  },
};
