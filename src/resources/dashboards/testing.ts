import type { Operation, SchemaCheck } from '../../http/operation.ts';
import { type Clock, systemClock } from '../../kernel/clock.ts';
import type { Ids } from '../../kernel/ids.ts';
import { DashboardService } from './dashboard-service.ts';
import { FakeDashboardRepository } from './fake-dashboard-repository.ts';
import { FakeSourceLookup } from './fake-source-lookup.ts';
import { DashboardImportService } from './import/dashboard-import-service.ts';
import type { KnownNames } from './import/import-context.ts';
import { knownNames } from './import/known-names.ts';
import { dashboardOperations } from './operations/dashboard-operations.ts';
import { uncheckedStatements } from './statement-check.ts';

export const logSource = 'a00000000000000000000001';
export const traceSource = 'a00000000000000000000002';
export const metricSource = 'a00000000000000000000003';
export const sessionSource = 'a00000000000000000000004';
export const connection = 'c00000000000000000000001';
export const otherConnection = 'c00000000000000000000002';

/** Dashboards in memory beside one source of each kind, for one tenant. */
export function dashboardWorld(tenantId: string, ids: Ids, checkNew: SchemaCheck, clock: Clock = systemClock) {
  const dashboards = new FakeDashboardRepository();
  const sources = new FakeSourceLookup(tenantId, {
    [logSource]: { kind: 'log', connectionId: connection },
    [traceSource]: { kind: 'trace', connectionId: connection },
    [metricSource]: { kind: 'metric', connectionId: connection },
    [sessionSource]: { kind: 'session', connectionId: otherConnection },
  });
  const service = new DashboardService({ dashboards, sources, statements: uncheckedStatements, ids, clock });
  const names = async (tenant: string) => (tenant === tenantId ? await namesBeside(dashboards, tenant) : nothingKnown);
  const imports = new DashboardImportService({ names, service, checkNew });
  const operations: Operation[] = dashboardOperations({ service, dashboards, imports, checkNew });
  return { dashboards, sources, service, operations };
}

const nothingKnown: KnownNames = { sources: [], connections: [], dashboards: [] };

/** The names of the objects above, and of the dashboards that are stored by then. */
async function namesBeside(dashboards: FakeDashboardRepository, tenantId: string): Promise<KnownNames> {
  const empty = { list: async () => [] };
  const { dashboards: stored } = await knownNames({ sources: empty, connections: empty, dashboards }, tenantId);
  return {
    sources: [
      { id: logSource, name: 'Logs', kind: 'log', tables: ['otel_logs'] },
      { id: traceSource, name: 'Traces', kind: 'trace', tables: ['otel_traces'] },
      { id: metricSource, name: 'Metrics', kind: 'metric', tables: ['otel_metrics_gauge', 'otel_metrics_sum'] },
      { id: sessionSource, name: 'Sessions', kind: 'session', tables: ['hyperdx_sessions'] },
    ],
    connections: [
      { id: connection, name: 'Default' },
      { id: otherConnection, name: 'Archive' },
    ],
    dashboards: stored,
  };
}
