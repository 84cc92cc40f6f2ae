/** A ClickHouse endpoint that sources may point to. The built-in one is the program's own telemetry store. */
export interface Connection {
  id: string;
  name: string;
  /** URL of the HTTP interface; empty for the built-in connection. */
  host: string;
  username: string;
  sealedPassword?: string;
  builtIn: boolean;
  hyperdxSettingPrefix?: string;
  isPrometheusEndpoint?: boolean;
  prometheusEndpoint?: string;
  createdAt: string;
  updatedAt: string;
}

export interface ConnectionRepository {
  list(tenantId: string): Promise<Connection[]>;
  find(tenantId: string, id: string): Promise<Connection | undefined>;
  insert(tenantId: string, connection: Connection): Promise<void>;
  replace(tenantId: string, connection: Connection): Promise<boolean>;
  /**
   * Refuses while sources point to it, and names them, in the same transaction; with `force` they are removed with it.
   */
  remove(tenantId: string, id: string, options?: { force: boolean }): Promise<ConnectionRemoval>;
}

export type ConnectionRemoval =
  | { kind: 'removed'; sources: string[] }
  | { kind: 'missing' }
  | { kind: 'inUse'; sources: { id: string; name: string }[] };
