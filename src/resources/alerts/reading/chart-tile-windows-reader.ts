import { chartLimits } from '../../../contract/chart.ts';
import { AppError } from '../../../contract/errors.ts';
import type { TileWindowsReader, WindowReadings } from '../../../evaluator/ports.ts';
import type { ChartReader } from '../../charts/answer/chart-reader.ts';
import type { SqlReader } from '../../charts/raw-sql/sql-reader.ts';
import type { ChartDefinition } from '../../charts/request/chart-definition.ts';
import { readSqlWindows } from './sql-windows.ts';
import { readingOf, samplesByBucket } from './tile-samples.ts';
import type { WatchedChart, WatchedCharts } from './watched-charts.ts';

type Request = Parameters<TileWindowsReader['readWindows']>[0];

/** Reads past windows of a tile as the buckets of one chart, so that each holds what the live evaluator reads. */
export class ChartTileWindowsReader implements TileWindowsReader {
  readonly #charts: Pick<WatchedCharts, 'find'>;
  readonly #reader: Pick<ChartReader, 'readOne'>;
  readonly #sql: Pick<SqlReader, 'read'>;

  constructor(charts: Pick<WatchedCharts, 'find'>, reader: Pick<ChartReader, 'readOne'>, sql: Pick<SqlReader, 'read'>) {
    this.#charts = charts;
    this.#reader = reader;
    this.#sql = sql;
  }

  async readWindows(request: Request): Promise<WindowReadings> {
    const { tenantId, watched, signal } = request;
    const found = await this.#charts.find(tenantId, watched);
    if (found.kind === 'notEvaluable') throw new AppError('request_invalid', { public: found.reason });
    if (found.kind === 'sql')
      return readSqlWindows(this.#sql, { ...request, tile: found.tile, variables: found.variables });
    const definition = definitionOf(found.chart, request);
    const options = { queryClass: 'background', signal, looksForAttributes: true } as const;
    const { table, meta } = await this.#reader.readOne(tenantId, definition, options);
    const buckets = samplesByBucket(table, definition);
    const silent = readingOf([], false, definition);
    return {
      of: (startMs) => ({
        ...silent,
        samples: buckets.get(startMs) ?? [],
        ...(table.truncatedBuckets?.has(startMs) && { truncated: true }),
      }),
      grouped: silent.grouped,
      truncated: table.truncated,
      rowsRead: meta.rowsRead,
      elapsedMs: meta.elapsedMs,
      warnings: meta.warnings ?? [],
    };
  }
}

function definitionOf(
  chart: Extract<WatchedChart, { kind: 'chart' }>['chart'],
  { range, intervalMs }: Request,
): ChartDefinition {
  return {
    ...chart,
    range,
    granularityMs: intervalMs,
    // Buckets start where the windows do, whatever the offset of the schedule.
    bucketOriginMs: range.startMs,
    groupsMax: chartLimits.groups,
    groupsPerBucket: true,
  };
}
