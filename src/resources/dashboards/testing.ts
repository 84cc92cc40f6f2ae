import type { Operation, SchemaCheck } from '../../http/operation.ts';
import type { Ids } from '../../kernel/ids.ts';
import { DashboardService } from './dashboard-service.ts';
import { FakeDashboardRepository } from './fake-dashboard-repository.ts';
import { FakeSourceLookup } from './fake-source-lookup.ts';
import { dashboardOperations } from './operations/dashboard-operations.ts';
import { uncheckedStatements } from './statement-check.ts';

export const logSource = 'a00000000000000000000001';
export const traceSource = 'a00000000000000000000002';
export const metricSource = 'a00000000000000000000003';
export const sessionSource = 'a00000000000000000000004';
export const connection = 'c00000000000000000000001';
export const otherConnection = 'c00000000000000000000002';

/** Dashboards in memory beside one source of each kind, for one tenant. */
export function dashboardWorld(tenantId: string, ids: Ids, checkNew: SchemaCheck) {
  const dashboards = new FakeDashboardRepository();
  const sources = new FakeSourceLookup(tenantId, {
    [logSource]: { kind: 'log', connectionId: connection },
    [traceSource]: { kind: 'trace', connectionId: connection },
    [metricSource]: { kind: 'metric', connectionId: connection },
    [sessionSource]: { kind: 'session', connectionId: otherConnection },
  });
  const service = new DashboardService({ dashboards, sources, statements: uncheckedStatements, ids });
  const operations: Operation[] = dashboardOperations({ service, dashboards, checkNew });
  return { dashboards, sources, service, operations };
}
