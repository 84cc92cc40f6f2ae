import { chartLimits } from '../../../contract/chart.ts';
import { AppError } from '../../../contract/errors.ts';
import type { TileWindowsReader, WindowReadings } from '../../../evaluator/ports.ts';
import type { ChartReader } from '../../charts/answer/chart-reader.ts';
import type { ChartDefinition } from '../../charts/request/chart-definition.ts';
import { readingOf, samplesByBucket } from './tile-samples.ts';
import type { WatchedCharts } from './watched-charts.ts';

type Request = Parameters<TileWindowsReader['readWindows']>[0];

/** Reads past windows of a tile as the buckets of one chart, so that each holds what the live evaluator reads. */
export class ChartTileWindowsReader implements TileWindowsReader {
  readonly #charts: Pick<WatchedCharts, 'find'>;
  readonly #reader: Pick<ChartReader, 'readOne'>;

  constructor(charts: Pick<WatchedCharts, 'find'>, reader: Pick<ChartReader, 'readOne'>) {
    this.#charts = charts;
    this.#reader = reader;
  }

  async readWindows(request: Request): Promise<WindowReadings> {
    const definition = await this.#definition(request);
    const { tenantId, signal } = request;
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

  async #definition({ tenantId, watched, range, intervalMs }: Request): Promise<ChartDefinition> {
    const found = await this.#charts.find(tenantId, watched);
    if (found.kind === 'notEvaluable') throw new AppError('request_invalid', { public: found.reason });
    return {
      ...found.chart,
      range,
      granularityMs: intervalMs,
      // Buckets start where the windows do, whatever the offset of the schedule.
      bucketOriginMs: range.startMs,
      groupsMax: chartLimits.groups,
      groupsPerBucket: true,
    };
  }
}
