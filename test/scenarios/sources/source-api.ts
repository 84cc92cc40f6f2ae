import type { Tenant } from '../../../src/access/tenants.ts';
import type { FlavourName } from '../../../src/http/operation.ts';
import { otherServiceId, serviceId, TestApi } from '../../../src/http/testing.ts';
import { randomIds } from '../../../src/kernel/ids.ts';
import { FakeConnectionRepository } from '../../../src/resources/connections/fake-connection-repository.ts';
import { FakeReferenceUsers } from '../../../src/resources/connections/fake-reference-users.ts';
import { FakeSourceRepository } from '../../../src/resources/sources/fake-source-repository.ts';
import { sourceOperations } from '../../../src/resources/sources/operations/source-operations.ts';
import { SourceService } from '../../../src/resources/sources/source-service.ts';
import { TenantDefaults } from '../../../src/resources/sources/tenant-defaults.ts';
import type { MistimedCount } from '../../../src/telemetry/ports.ts';

export const flavours = ['selfHosted', 'managed'] as const;
export const hex24 = /^[0-9a-f]{24}$/;
export const missingId = 'ffffffffffffffffffffffff';

/** The tenants of the keys `admin` and `other`. */
export const tenant: Tenant = { id: serviceId, kind: 'team', name: 'Acme', telemetryDatabase: 'otel' };
export const otherTenant: Tenant = {
  id: otherServiceId,
  kind: 'team',
  name: 'Other',
  telemetryDatabase: 'otel_other',
};
export const tenants = {
  find: async (id: string) => [tenant, otherTenant].find((each) => each.id === id),
  list: async () => [tenant, otherTenant],
};

/** The sources API of one flavour over repositories in memory; both tenants have a built-in connection. */
export class SourceApi extends TestApi {
  readonly sources: FakeSourceRepository;
  readonly connections: FakeConnectionRepository;
  readonly users: FakeReferenceUsers;
  /** What the collector rejected of the first tenant. */
  readonly mistimed: MistimedCount[];
  readonly defaults: TenantDefaults;

  constructor(name: FlavourName = 'selfHosted') {
    const sources = new FakeSourceRepository();
    const connections = new FakeConnectionRepository();
    const users = new FakeReferenceUsers();
    const mistimed: MistimedCount[] = [];
    const service = new SourceService({ sources, connections, users, tenants, ids: randomIds });
    super(name, sourceOperations(service, { recent: (tenantId) => (tenantId === tenant.id ? mistimed : []) }));
    this.mistimed = mistimed;
    this.users = users;
    this.sources = sources;
    this.connections = connections;
    this.defaults = new TenantDefaults({ sources, connections, ids: randomIds, clock: this.clock });
  }

  connectionId(of: Tenant = tenant): Promise<string> {
    return this.defaults.ensureBuiltInConnection(of);
  }

  async create(body: unknown): Promise<{ id: string }> {
    return this.unwrap(await this.send('POST', '/sources', { body })) as { id: string };
  }

  async list(key: 'admin' | 'other' = 'admin'): Promise<{ id: string }[]> {
    return this.unwrap(await this.send('GET', '/sources', { key })) as { id: string }[];
  }
}

/** The smallest body of each kind, with answers to what it leaves out. */
export const minimal = {
  log: {
    kind: 'log',
    name: 'Logs',
    from: { databaseName: 'otel', tableName: 'otel_logs' },
    timestampValueExpression: 'Timestamp',
    defaultTableSelectExpression: 'Timestamp, Body',
  },
  trace: {
    kind: 'trace',
    name: 'Traces',
    from: { databaseName: 'otel', tableName: 'otel_traces' },
    timestampValueExpression: 'Timestamp',
    defaultTableSelectExpression: 'Timestamp, SpanName',
    durationExpression: 'Duration',
    traceIdExpression: 'TraceId',
    spanIdExpression: 'SpanId',
    parentSpanIdExpression: 'ParentSpanId',
    spanNameExpression: 'SpanName',
    spanKindExpression: 'SpanKind',
  },
  metric: {
    kind: 'metric',
    name: 'Metrics',
    from: { databaseName: 'otel', tableName: '' },
    timestampValueExpression: 'TimeUnix',
    metricTables: { gauge: 'otel_metrics_gauge' },
    resourceAttributesExpression: 'ResourceAttributes',
  },
  session: {
    kind: 'session',
    name: 'Sessions',
    from: { databaseName: 'otel', tableName: 'hyperdx_sessions' },
    timestampValueExpression: 'TimestampTime',
    traceSourceId: missingId,
  },
  promql: {
    kind: 'promql',
    name: 'Prometheus',
    from: { databaseName: 'otel', tableName: 'series' },
    timestampValueExpression: 'timestamp',
  },
} as const;

const common = { disabled: false, querySettings: [] };
const arrays = {
  highlightedTraceAttributeExpressions: [],
  highlightedRowAttributeExpressions: [],
  materializedViews: [],
};

/** What the service adds to the smallest body of each kind. */
export const defaultsOfKind = {
  log: { ...common, ...arrays },
  trace: { ...common, ...arrays, durationPrecision: 3 },
  metric: common,
  session: common,
  promql: common,
} as const;
