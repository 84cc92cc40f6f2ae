import { sql } from 'kysely';
import type { Executor } from '../metadata-database.ts';
import type { StoreDialect } from '../store-dialect.ts';
import type { Migration } from './migration.ts';
import { orderedTable, tenantDocumentTable } from './table-shapes.ts';

export const foundation: Migration = {
  name: '0001-foundation',
  async up(schema, dialect) {
    await createOwners(schema, dialect);
    await createUsers(schema, dialect);
    await createApiKeys(schema, dialect);
    await createResources(schema, dialect);
    await createAlerts(schema, dialect);
  },
};

async function createOwners(schema: Executor, dialect: StoreDialect): Promise<void> {
  await orderedTable(schema, dialect, 'organizations')
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('created_at', dialect.integerType, (column) => column.notNull())
    .execute();
  await orderedTable(schema, dialect, 'tenants')
    .addColumn('kind', 'text', (column) => column.notNull().check(sql`kind in ('team', 'service')`))
    .addColumn('organization_id', 'text', (column) => column.references('organizations.id'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('telemetry_database', 'text', (column) => column.notNull().unique())
    .addColumn('created_at', dialect.integerType, (column) => column.notNull())
    .execute();
  // Provisioning matches teams by name; services have separate ids and may share a name.
  await schema.schema
    .createIndex('tenants_team_name')
    .unique()
    .on('tenants')
    .column('name')
    .where(sql.ref('kind'), '=', sql.lit('team'))
    .execute();
}

async function createUsers(schema: Executor, dialect: StoreDialect): Promise<void> {
  await orderedTable(schema, dialect, 'users')
    .addColumn('tenant_id', 'text', (column) => column.notNull().references('tenants.id'))
    .addColumn('email', 'text', (column) => column.unique())
    .addColumn('name', 'text')
    .addColumn('role', 'text', (column) => column.notNull().check(sql`role in ('owner', 'member')`))
    .addColumn('password_hash', 'text')
    .addColumn('created_at', dialect.integerType, (column) => column.notNull())
    .execute();
  await schema.schema.createIndex('users_tenant').on('users').columns(['tenant_id', 'sequence']).execute();
}

async function createApiKeys(schema: Executor, dialect: StoreDialect): Promise<void> {
  await orderedTable(schema, dialect, 'api_keys')
    .addColumn('kind', 'text', (column) => column.notNull().check(sql`kind in ('personal', 'cloud', 'ingestion')`))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('key_hash', 'text', (column) => column.notNull().unique())
    .addColumn('tenant_id', 'text', (column) => column.references('tenants.id'))
    .addColumn('user_id', 'text', (column) => column.references('users.id').onDelete('cascade'))
    .addColumn('organization_id', 'text', (column) => column.references('organizations.id'))
    .addColumn('cloud_key_id', 'text', (column) => column.unique())
    .addColumn('service_ids', 'text')
    .addColumn('role', 'text', (column) => column.notNull().check(sql`role in ('admin', 'read')`))
    .addColumn('created_at', dialect.integerType, (column) => column.notNull())
    .addColumn('expires_at', dialect.integerType)
    .addColumn('revoked_at', dialect.integerType)
    .addColumn('last_used_at', dialect.integerType)
    .execute();
  for (const owner of ['tenant_id', 'user_id', 'organization_id'] as const) {
    await schema.schema.createIndex(`api_keys_${owner}`).on('api_keys').columns([owner, 'sequence']).execute();
  }
}

async function createResources(schema: Executor, dialect: StoreDialect): Promise<void> {
  await tenantDocumentTable(schema, dialect, 'dashboards')
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .execute();
  await schema.schema.createIndex('dashboards_name').on('dashboards').columns(['tenant_id', 'name']).execute();

  await tenantDocumentTable(schema, dialect, 'connections')
    .addUniqueConstraint('connections_of_tenant', ['tenant_id', 'id'])
    .execute();

  await tenantDocumentTable(schema, dialect, 'sources')
    .addColumn('connection_id', 'text', (column) => column.notNull())
    .addForeignKeyConstraint('sources_own_connection', ['tenant_id', 'connection_id'], 'connections', [
      'tenant_id',
      'id',
    ])
    .execute();
  await schema.schema.createIndex('sources_connection').on('sources').columns(['tenant_id', 'connection_id']).execute();

  await tenantDocumentTable(schema, dialect, 'webhooks')
    .addColumn('service', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addUniqueConstraint('webhooks_name', ['tenant_id', 'service', 'name'])
    .execute();
}

async function createAlerts(schema: Executor, dialect: StoreDialect): Promise<void> {
  await tenantDocumentTable(schema, dialect, 'alerts')
    .addColumn('dashboard_id', 'text')
    .addColumn('tile_id', 'text')
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('created_at', dialect.integerType, (column) => column.notNull())
    .addColumn('updated_at', dialect.integerType, (column) => column.notNull())
    .execute();
  await schema.schema
    .createIndex('alerts_tile')
    .on('alerts')
    .columns(['tenant_id', 'dashboard_id', 'tile_id'])
    .execute();

  await schema.schema
    .createTable('alert_channels')
    .addColumn('tenant_id', 'text', (column) => column.notNull())
    .addColumn('alert_id', 'text', (column) => column.notNull().references('alerts.id').onDelete('cascade'))
    .addColumn('webhook_id', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('alert_channels_key', ['alert_id', 'webhook_id'])
    .execute();
  await schema.schema
    .createIndex('alert_channels_webhook')
    .on('alert_channels')
    .columns(['tenant_id', 'webhook_id'])
    .execute();
}
