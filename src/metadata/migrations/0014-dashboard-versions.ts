import type { Executor } from '../metadata-database.ts';
import type { StoreDialect } from '../store-dialect.ts';
import type { Migration } from './migration.ts';

/**
 * What dashboards were before their last saves, and deleted dashboards with their alerts. Nothing here points to the
 * dashboard: versions outlive its deletion.
 */
export const dashboardVersions: Migration = {
  name: '0014-dashboard-versions',
  async up(schema, dialect) {
    await schema.schema.alterTable('dashboards').addColumn('saved_ms', dialect.integerType).execute();
    for (const column of ['saved_by', 'summary']) {
      await schema.schema.alterTable('dashboards').addColumn(column, 'text').execute();
    }
    await createVersions(schema, dialect);
    await createDeleted(schema, dialect);
  },
};

async function createVersions(schema: Executor, dialect: StoreDialect): Promise<void> {
  await schema.schema
    .createTable('dashboard_versions')
    .addColumn('tenant_id', 'text', (column) => column.notNull())
    .addColumn('dashboard_id', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('document', 'text', (column) => column.notNull())
    .addColumn('saved_ms', dialect.integerType)
    .addColumn('saved_by', 'text')
    .addColumn('summary', 'text')
    .addColumn('replaced_ms', dialect.integerType, (column) => column.notNull())
    .addPrimaryKeyConstraint('dashboard_versions_key', ['tenant_id', 'dashboard_id', 'version'])
    .execute();
  await schema.schema.createIndex('dashboard_versions_age').on('dashboard_versions').column('replaced_ms').execute();
}

async function createDeleted(schema: Executor, dialect: StoreDialect): Promise<void> {
  await schema.schema
    .createTable('deleted_dashboards')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('tenant_id', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('document', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('saved_ms', dialect.integerType)
    .addColumn('saved_by', 'text')
    .addColumn('summary', 'text')
    .addColumn('alerts', 'text', (column) => column.notNull())
    .addColumn('alert_count', 'integer', (column) => column.notNull())
    .addColumn('deleted_ms', dialect.integerType, (column) => column.notNull())
    .addColumn('deleted_by', 'text', (column) => column.notNull())
    .execute();
  await schema.schema
    .createIndex('deleted_dashboards_tenant')
    .on('deleted_dashboards')
    .columns(['tenant_id', 'deleted_ms'])
    .execute();
  await schema.schema.createIndex('deleted_dashboards_age').on('deleted_dashboards').column('deleted_ms').execute();
}
