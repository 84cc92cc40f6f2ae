/** What the rest of the program needs to know of a tenant. */
export interface Tenant {
  /** Team id (24 hex) or service id (UUID). */
  id: string;
  kind: 'team' | 'service';
  name: string;
  /** Set for services: the organization that owns them. */
  organizationId?: string;
  /** Database of its telemetry tables (decisions S2): `otel` for the first tenant, `otel_<id>` for others. */
  telemetryDatabase: string;
  /** IANA name: the zone in which its notifications write times. UTC when absent. */
  timezone?: string;
}

/** Port: reads of tenants, cached by the adapter where that is safe. */
export interface TenantDirectory {
  find(tenantId: string): Promise<Tenant | undefined>;
  list(): Promise<Tenant[]>;
}
