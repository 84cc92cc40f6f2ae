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
  if (!log || !trace || !metric) return;
  await dashboards.create({ tenantId: tenant.id, by: 'signalbox' }, starterDashboard({ log, trace, metric }));
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
  const quantile = (metricName: string, groupBy: string[] = []) => ({
    sourceId: sourceIds.metric,
    aggFn: 'quantile' as const,
    level: 0.95,
    where: own,
    groupBy,
    metricName,
    metricDataType: 'histogram' as const,
    numberFormat: { output: 'duration' as const, factor: 1 },
  });
  const heldBytes = {
    ...metric('telemetry_batches_held_bytes', 'gauge', 'max', []),
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
      tile('Alert evaluations, by result', 0, 24, [metric('alert_evaluations_total', 'sum', 'sum', ['result'])]),
      tile('Lag of evaluations, p95', 12, 24, [quantile('alert_evaluation_lag_seconds')]),
      tile('Tries to deliver notifications, by outcome', 0, 32, [
        metric('notification_delivery_attempts_total', 'sum', 'sum', ['outcome']),
      ]),
      tile('Missed windows', 12, 32, [metric('alert_missed_windows_total', 'sum', 'sum', [])]),
      tile('Queries, by class', 0, 40, [metric('telemetry_queries_total', 'sum', 'sum', ['class'])]),
      tile('Time of queries, p95, by class', 12, 40, [quantile('telemetry_query_duration_seconds', ['class'])]),
      tile('Queries waiting, by class', 0, 48, [metric('telemetry_queries_waiting', 'gauge', 'max', ['class'])]),
      tile('Bucket cache, by result', 12, 48, [metric('bucket_cache_reads_total', 'sum', 'sum', ['result'])]),
      tile('Age of batches, p95', 0, 56, [quantile('telemetry_batch_age_seconds')]),
      tile('Bytes held for writing', 12, 56, [heldBytes]),
      tile('Restarts of the engine', 0, 64, [metric('engine_restarts_total', 'sum', 'sum', ['outcome'])]),
      tile('Own telemetry lost, by reason', 12, 64, [
        metric('self_telemetry_dropped_records_total', 'sum', 'sum', ['reason']),
      ]),
    ],
    // Its series are put together from parts, whose types the compiler cannot check.
  } as CreateDashboard;
}
