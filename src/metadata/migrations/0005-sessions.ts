import type { Executor } from '../metadata-database.ts';
import type { StoreDialect } from '../store-dialect.ts';
import type { Migration } from './migration.ts';
import { orderedTable } from './table-shapes.ts';

/** People of the web UI: their sessions, invitations to teams, and accounts of organizations. */
export const sessions: Migration = {
  name: '0005-sessions',
  async up(schema, dialect) {
    await createSessions(schema, dialect);
    await createInvitations(schema, dialect);
    await createOrganizationUsers(schema, dialect);
    await schema.schema.alterTable('api_keys').addColumn('prefix', 'text').execute();
  },
};

async function createSessions(schema: Executor, dialect: StoreDialect): Promise<void> {
  await orderedTable(schema, dialect, 'sessions')
    .addColumn('token_hash', 'text', (column) => column.notNull().unique())
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('password_mark', 'text', (column) => column.notNull())
    .addColumn('created_at', dialect.integerType, (column) => column.notNull())
    .addColumn('expires_at', dialect.integerType, (column) => column.notNull())
    .execute();
  await schema.schema.createIndex('sessions_account').on('sessions').columns(['account_id', 'sequence']).execute();
  await schema.schema.createIndex('sessions_expiry').on('sessions').column('expires_at').execute();
}

async function createInvitations(schema: Executor, dialect: StoreDialect): Promise<void> {
  await orderedTable(schema, dialect, 'invitations')
    .addColumn('tenant_id', 'text', (column) => column.notNull().references('tenants.id'))
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('name', 'text')
    .addColumn('token_hash', 'text', (column) => column.notNull().unique())
    .addColumn('sealed_token', 'text', (column) => column.notNull())
    .addColumn('created_at', dialect.integerType, (column) => column.notNull())
    .addColumn('expires_at', dialect.integerType, (column) => column.notNull())
    .addUniqueConstraint('invitations_email', ['tenant_id', 'email'])
    .execute();
}

async function createOrganizationUsers(schema: Executor, dialect: StoreDialect): Promise<void> {
  await orderedTable(schema, dialect, 'organization_users')
    .addColumn('organization_id', 'text', (column) => column.notNull().references('organizations.id'))
    .addColumn('email', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text')
    .addColumn('password_hash', 'text', (column) => column.notNull())
    .addColumn('created_at', dialect.integerType, (column) => column.notNull())
    .execute();
}
