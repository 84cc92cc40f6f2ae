import type { Tenant } from '../access/tenants.ts';
import type { CreateDashboard } from '../contract/dashboard.ts';
import type { DashboardService } from '../resources/dashboards/dashboard-service.ts';
import type { Source } from '../resources/sources/source.ts';

export interface StarterDeps {
  dashboards: Pick<DashboardService, 'create'>;
  /** Over the program's own telemetry. */
  own: readonly Source[];
}

/** A dashboard over the program's own telemetry, so that the first look at a new store shows real data. */
export async function createStarterDashboard(tenant: Tenant, { dashboards, own }: StarterDeps): Promise<void> {
  const idOf = (kind: string) => own.find((source) => source.kind === kind)?.id;
  const [log, trace, metric] = [idOf('log'), idOf('trace'), idOf('metric')];
  if (log && trace && metric) await dashboards.create(tenant.id, starterDashboard({ log, trace, metric }));
}

type SourceIds = Record<'log' | 'trace' | 'metric', string>;

function starterDashboard(sourceIds: SourceIds): CreateDashboard {
  const own = 'ServiceName:"signalbox"';
  const count = (sourceId: string, where: string, groupBy: string[] = []) => ({
    sourceId,
    aggFn: 'count' as const,
    where,
    groupBy,
  });
  const latency = {
    sourceId: sourceIds.trace,
    aggFn: 'quantile' as const,
    level: 0.95,
    field: 'Duration',
    where: own,
    groupBy: ['SpanName'],
    numberFormat: { output: 'duration' as const, factor: 1e-9 },
  };
  const metric = (metricName: string, metricDataType: 'sum' | 'gauge', aggFn: 'sum' | 'max', groupBy: string[]) => ({
    sourceId: sourceIds.metric,
    aggFn,
    where: own,
    groupBy,
    metricName,
    metricDataType,
  });
  const memory = {
    ...metric('process_resident_memory_bytes', 'gauge', 'max', []),
    numberFormat: { output: 'byte' as const },
  };
  const tile = (name: string, x: number, y: number, series: object[]) => ({ name, x, y, w: 12, h: 8, series });
  return {
    name: 'Signalbox',
    tags: ['signalbox'],
    tiles: [
      tile('Requests by route', 0, 0, [count(sourceIds.trace, own, ['SpanName'])]),
      tile('Request time, p95', 12, 0, [latency]),
      tile('Log lines by severity', 0, 8, [count(sourceIds.log, own, ['SeverityText'])]),
      tile('Warnings and errors', 12, 8, [count(sourceIds.log, `${own} SeverityText:(warn OR error)`)]),
      tile('Rows stored, by table', 0, 16, [metric('telemetry_rows_inserted_total', 'sum', 'sum', ['table'])]),
      tile('Resident memory', 12, 16, [memory]),
    ],
    // Its series are put together from parts, of which the compiler cannot tell that they fit.
  } as CreateDashboard;
}
