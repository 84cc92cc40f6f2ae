/** A table as dumps carry it. */
export interface DumpedTable {
  readonly name: string;
  /** Orders its rows; unique. */
  readonly key: readonly string[];
  /** Rows read at a time: dashboards may have megabytes each. */
  readonly pageRows: number;
}

const sequence = ['sequence'];

/** All tables but `migrations`, those that others refer to first (`dumped-tables.test.ts` compares them with the schema). */
export const dumpedTables: readonly DumpedTable[] = [
  table('organizations', sequence),
  table('tenants', sequence),
  table('users', sequence),
  table('api_keys', sequence),
  table('sessions', sequence),
  table('invitations', sequence),
  table('organization_users', sequence),
  table('connections', sequence),
  table('sources', sequence, 50),
  table('webhooks', sequence, 50),
  table('pipes', sequence, 50),
  table('pipe_runs', ['pipe_id']),
  table('pipe_positions', ['pipe_id', 'key']),
  table('pipe_changes', ['pipe_id', 'number']),
  table('dashboards', sequence, 10),
  table('dashboard_versions', ['tenant_id', 'dashboard_id', 'version'], 10),
  table('deleted_dashboards', ['id'], 10),
  table('favourites', ['tenant_id', 'user_id', 'dashboard_id']),
  table('saved_searches', sequence, 50),
  table('silences', sequence),
  table('alerts', sequence, 50),
  table('alert_channels', ['alert_id', 'webhook_id']),
  table('alert_states', ['alert_id'], 50),
  table('alert_history', ['alert_id', 'window_end_ms']),
  table('alert_delivery_errors', ['alert_id', 'webhook_id']),
  table('outbox', sequence, 50),
  table('delivery_attempts', sequence),
  table('webhook_receivers', ['webhook_id']),
  table('secret_key_seal', ['id']),
];

function table(name: string, key: readonly string[], pageRows = 500): DumpedTable {
  return { name, key, pageRows };
}
