export interface KnownSource {
  kind: string;
  connectionId: string;
}

/** Port: which of these ids exist within the tenant. Another tenant's id is simply not among them (decisions F2). */
export interface SourceLookup {
  sources(tenantId: string, ids: readonly string[]): Promise<ReadonlyMap<string, KnownSource>>;
  connections(tenantId: string, ids: readonly string[]): Promise<ReadonlySet<string>>;
}
