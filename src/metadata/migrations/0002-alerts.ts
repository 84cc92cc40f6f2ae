import { sql } from 'kysely';
import type { Executor } from '../metadata-database.ts';
import type { StoreDialect } from '../store-dialect.ts';
import type { Migration } from './migration.ts';
import { orderedTable } from './table-shapes.ts';

export const alerts: Migration = {
  name: '0002-alerts',
  async up(schema, dialect) {
    await createStates(schema, dialect);
    await createHistory(schema, dialect);
    await createOutbox(schema, dialect);
    await createDeliveryAttempts(schema, dialect);
  },
};

async function createStates(schema: Executor, dialect: StoreDialect): Promise<void> {
  await schema.schema
    .createTable('alert_states')
    .addColumn('alert_id', 'text', (column) =>
      column.primaryKey().notNull().references('alerts.id').onDelete('cascade'),
    )
    .addColumn('tenant_id', 'text', (column) => column.notNull())
    .addColumn('epoch', 'integer', (column) => column.notNull())
    .addColumn('next_window_ms', dialect.integerType, (column) => column.notNull())
    .addColumn('due_ms', dialect.integerType, (column) => column.notNull())
    .addColumn('lease_owner', 'text')
    .addColumn('lease_until_ms', dialect.integerType, (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('errors', 'text')
    .execute();
  await schema.schema
    .createIndex('alert_states_due')
    .on('alert_states')
    .columns(['due_ms', 'lease_until_ms'])
    .execute();
}

/**
 * These point to the state and not to the alert: an evaluation holds the state's row already, and waiting for the
 * alert's row as well could meet a removal that comes from the other side.
 */
async function createHistory(schema: Executor, dialect: StoreDialect): Promise<void> {
  await schema.schema
    .createTable('alert_history')
    .addColumn('alert_id', 'text', (column) => column.notNull().references('alert_states.alert_id').onDelete('cascade'))
    .addColumn('tenant_id', 'text', (column) => column.notNull())
    .addColumn('window_end_ms', dialect.integerType, (column) => column.notNull())
    .addColumn('document', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('alert_history_key', ['alert_id', 'window_end_ms'])
    .execute();
  await schema.schema.createIndex('alert_history_age').on('alert_history').column('window_end_ms').execute();

  await schema.schema
    .createTable('alert_delivery_errors')
    .addColumn('alert_id', 'text', (column) => column.notNull().references('alert_states.alert_id').onDelete('cascade'))
    .addColumn('webhook_id', 'text', (column) => column.notNull())
    .addColumn('document', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('alert_delivery_errors_key', ['alert_id', 'webhook_id'])
    .execute();
}

/** Nothing here points to the alert: a message is sent even if the alert is removed right after. */
async function createOutbox(schema: Executor, dialect: StoreDialect): Promise<void> {
  await orderedTable(schema, dialect, 'outbox')
    .addColumn('tenant_id', 'text', (column) => column.notNull())
    .addColumn('alert_id', 'text', (column) => column.notNull())
    .addColumn('webhook_id', 'text', (column) => column.notNull())
    .addColumn('event_id', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull().check(sql`status in ('open', 'delivered', 'failed')`))
    .addColumn('created_ms', dialect.integerType, (column) => column.notNull())
    .addColumn('next_attempt_ms', dialect.integerType, (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('claim', 'text')
    .addColumn('claim_until_ms', dialect.integerType, (column) => column.notNull())
    .addColumn('document', 'text', (column) => column.notNull())
    .execute();
  await schema.schema
    .createIndex('outbox_due')
    .on('outbox')
    .column('next_attempt_ms')
    .where(sql.ref('status'), '=', sql.lit('open'))
    .execute();
  await schema.schema
    .createIndex('outbox_event')
    .on('outbox')
    .columns(['webhook_id', 'event_id', 'sequence'])
    .where(sql.ref('status'), '=', sql.lit('open'))
    .execute();
  await schema.schema.createIndex('outbox_age').on('outbox').column('created_ms').execute();
}

async function createDeliveryAttempts(schema: Executor, dialect: StoreDialect): Promise<void> {
  await schema.schema
    .createTable('delivery_attempts')
    .addColumn('sequence', dialect.integerType, (column) => dialect.counting(column))
    .addColumn('message_id', 'text', (column) => column.notNull())
    .addColumn('tenant_id', 'text', (column) => column.notNull())
    .addColumn('alert_id', 'text', (column) => column.notNull())
    .addColumn('webhook_id', 'text', (column) => column.notNull())
    .addColumn('attempt', 'integer', (column) => column.notNull())
    .addColumn('at_ms', dialect.integerType, (column) => column.notNull())
    .addColumn('duration_ms', dialect.integerType, (column) => column.notNull())
    .addColumn('status', 'integer')
    .addColumn('error', 'text')
    .execute();
  await schema.schema
    .createIndex('delivery_attempts_alert')
    .on('delivery_attempts')
    .columns(['tenant_id', 'alert_id', 'sequence'])
    .execute();
  await schema.schema.createIndex('delivery_attempts_age').on('delivery_attempts').column('at_ms').execute();
}
