/**
 * The database of a tenant's telemetry (decisions S2): the configured one for the first tenant of the store,
 * `otel_<tenant id>` for the others, with the dashes of a UUID as underscores so that the name needs no quoting.
 */
export function telemetryDatabaseOf(tenantId: string, store: { tenants: number; firstDatabase: string }): string {
  return store.tenants === 0 ? store.firstDatabase : `otel_${tenantId.replaceAll('-', '_')}`;
}
