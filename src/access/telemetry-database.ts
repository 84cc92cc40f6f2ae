import type { Tenant } from './tenants.ts';

/**
 * The database of a tenant's telemetry (decisions S2): the configured one for the first tenant of the store,
 * `otel_<tenant id>` for the others, with the dashes of a UUID as underscores so that the name needs no quoting.
 */
export function telemetryDatabaseOf(tenantId: string, store: { tenants: number; firstDatabase: string }): string {
  return store.tenants === 0 ? store.firstDatabase : `otel_${tenantId.replaceAll('-', '_')}`;
}

/**
 * The database of the program's own telemetry, which the first team of a store may read (decisions S1); `undefined` for
 * every other tenant.
 */
export function selfTelemetryDatabaseOf({ id, kind, telemetryDatabase }: Tenant): string | undefined {
  const isFirst = telemetryDatabase !== telemetryDatabaseOf(id, { tenants: 1, firstDatabase: '' });
  return kind === 'team' && isFirst ? `${telemetryDatabase.slice(0, 54)}_signalbox` : undefined;
}

/** What a tenant may read over the built-in connection. */
export function ownDatabases(tenant: Tenant): readonly string[] {
  const selfTelemetry = selfTelemetryDatabaseOf(tenant);
  return selfTelemetry === undefined ? [tenant.telemetryDatabase] : [tenant.telemetryDatabase, selfTelemetry];
}
