import type { ChartRequest } from '../../src/contract/chart.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import type { Guards } from '../../src/query/chart-query.ts';
import type { TableSchema } from '../../src/query/source-schema.ts';
import { type PreparedScan, prepareScan } from '../../src/resources/charts/reading/prepared-scan.ts';
import { type ChartableSource, sourceToSchema, tableOf } from '../../src/resources/charts/reading/source-to-schema.ts';
import { toScans } from '../../src/resources/charts/reading/to-scans.ts';
import { readChartRequest } from '../../src/resources/charts/request/read-chart-request.ts';
import { defaultSources } from '../../src/resources/sources/default-sources.ts';
import { ClickHouseQueryRunner } from '../../src/telemetry/clickhouse-query-runner.ts';
import { ClickHouseTableSchemas } from '../../src/telemetry/table-schemas.ts';
import type { BenchEngine } from '../bench-engine.ts';
import { ownDatabase } from '../charts/chart-data.ts';

const ids = { log: 'logs', trace: 'traces', metric: 'metrics' };
const guards: Guards = { database: ownDatabase, resultRowsMax: 250_000, memoryBytesMax: 1024 ** 3, timeoutMs: 60_000 };

interface Frame {
  hours: number;
  granularity: string;
}

/** Charts over the program's own tables, as scans that are ready to be compiled. */
export interface ChartTables {
  runner: ClickHouseQueryRunner;
  /** A chart of one scan that ends where the data does; absent keys of a series are those of a plain count. */
  scan(kind: keyof typeof ids, frame: Frame, series: readonly object[]): PreparedScan;
}

export async function openChartTables({ client }: BenchEngine, endMs: number): Promise<ChartTables> {
  const schemas = new ClickHouseTableSchemas(client, systemClock);
  const runner = new ClickHouseQueryRunner(client, systemClock);
  const sources = new Map(
    defaultSources(
      { logs: ids.log, traces: ids.trace, metrics: ids.metric },
      { connectionId: '', database: ownDatabase },
    )
      .filter((source): source is ChartableSource => source.kind !== 'promql')
      .map((source) => [source.id, source]),
  );
  const tables = new Map<string, TableSchema | undefined>();
  for (const table of ['otel_logs', 'otel_traces', 'otel_metrics_sum']) {
    tables.set(table, await schemas.describe(ownDatabase, table));
  }
  const engine = { runner, schemas };
  return {
    runner,
    scan(kind, { hours, granularity }, series) {
      const definition = readChartRequest(
        bodyOf(ids[kind], { startMs: endMs - hours * 3_600_000, endMs }, granularity, series),
      );
      const [scan] = toScans(definition, sources);
      const source = sources.get(ids[kind]);
      const table = source && tables.get(tableOf(source, scan?.metricKind));
      if (!scan || !source || !table) throw new Error('the tables of the charts are not there');
      return prepareScan({ scan, source, engine, guards, schema: sourceToSchema(source, scan.metricKind, table) });
    },
  };
}

function bodyOf(
  sourceId: string,
  range: { startMs: number; endMs: number },
  granularity: string,
  series: readonly object[],
): ChartRequest {
  return {
    startTime: range.startMs,
    endTime: range.endMs,
    granularity,
    series: series.map((each) => ({ sourceId, aggFn: 'count' as const, where: '', groupBy: [], ...each })),
  };
}
