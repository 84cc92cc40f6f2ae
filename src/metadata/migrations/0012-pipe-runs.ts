import type { Migration } from './migration.ts';

/** How pipes are doing, how far they have read, and the changes of their state. */
export const pipeRuns: Migration = {
  name: '0012-pipe-runs',
  async up(schema, dialect) {
    await schema.schema
      .createTable('pipe_runs')
      .addColumn('pipe_id', 'text', (column) =>
        column.primaryKey().notNull().references('pipes.id').onDelete('cascade'),
      )
      .addColumn('tenant_id', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('reason', 'text')
      .addColumn('changed_ms', dialect.integerType, (column) => column.notNull())
      .addColumn('due_ms', dialect.integerType, (column) => column.notNull())
      .addColumn('failures', 'integer', (column) => column.notNull())
      .addColumn('generation', 'integer', (column) => column.notNull())
      .addColumn('lease_owner', 'text')
      .addColumn('lease_until_ms', dialect.integerType, (column) => column.notNull())
      .addColumn('progress', 'text', (column) => column.notNull())
      .execute();
    await schema.schema
      .createIndex('pipe_runs_due')
      .on('pipe_runs')
      .columns(['state', 'due_ms', 'lease_until_ms'])
      .execute();
    await schema.schema
      .createTable('pipe_positions')
      .addColumn('pipe_id', 'text', (column) => column.notNull().references('pipes.id').onDelete('cascade'))
      .addColumn('key', 'text', (column) => column.notNull())
      .addColumn('position', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('pipe_positions_key', ['pipe_id', 'key'])
      .execute();
    await schema.schema
      .createTable('pipe_changes')
      .addColumn('pipe_id', 'text', (column) => column.notNull().references('pipes.id').onDelete('cascade'))
      .addColumn('number', 'integer', (column) => column.notNull())
      .addColumn('at_ms', dialect.integerType, (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('reason', 'text')
      .addColumn('source', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('pipe_changes_key', ['pipe_id', 'number'])
      .execute();
  },
};
