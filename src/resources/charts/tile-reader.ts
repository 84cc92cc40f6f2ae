import { AppError } from '../../contract/errors.ts';
import type { Reading, TileReader } from '../../evaluator/ports.ts';
import { TelemetryError } from '../../telemetry/ports.ts';
import type { ChartDefinition } from './chart-definition.ts';
import { toChartTable } from './chart-reader.ts';
import type { ChartTable } from './chart-table.ts';
import type { ReadableSources } from './readable-sources.ts';
import type { ScanRunner } from './scan-runner.ts';
import { readingOf, samplesByBucket } from './tile-samples.ts';
import { windowOfTile } from './tile-to-chart-query.ts';
import { toScans } from './to-chart-query.ts';
import type { WatchedCharts } from './watched-charts.ts';

export type ErrorReading = Extract<Reading, { kind: 'error' }>;

/** Reads tiles and saved searches for alerts on the way of a chart request, so that the judged value is the one that the chart shows. */
export class ChartTileReader implements TileReader {
  readonly #charts: Pick<WatchedCharts, 'find'>;
  readonly #sources: ReadableSources;
  readonly #runner: ScanRunner;

  constructor(charts: Pick<WatchedCharts, 'find'>, sources: ReadableSources, runner: ScanRunner) {
    this.#charts = charts;
    this.#sources = sources;
    this.#runner = runner;
  }

  async read(request: Parameters<TileReader['read']>[0]): Promise<Reading> {
    const { tenantId, watched, window, signal } = request;
    const found = await this.#charts.find(tenantId, watched);
    if (found.kind === 'notEvaluable') return invalidAlert(found.reason);
    const definition = { ...windowOfTile(found.chart, window), conditions: found.chart.conditions };
    try {
      return toReading(await this.#read(tenantId, definition, signal), definition);
    } catch (error) {
      if (error instanceof AppError) return toErrorReading(error);
      throw error;
    }
  }

  async #read(tenantId: string, definition: ChartDefinition, signal: AbortSignal | undefined): Promise<ChartTable> {
    const sources = await this.#sources.find(tenantId, definition.series);
    const scans = toScans(definition, sources);
    const results = await this.#runner.run(tenantId, scans, sources, { queryClass: 'alerts', signal });
    return toChartTable(
      results.map(({ scan, result }) => ({ seriesIndexes: scan.seriesIndexes, result })),
      definition,
    );
  }
}

/** The value of each group that the alert judges; the window is one bucket. */
export function toReading(table: ChartTable, definition: ChartDefinition): Reading {
  const samples = [...samplesByBucket(table, definition).values()].flat();
  return readingOf(samples, table.truncated, definition);
}

/** What the alert shows of a chart that could not be read. */
export function toErrorReading(error: AppError): ErrorReading {
  if (error.code === 'query_timeout') return { kind: 'error', type: 'QUERY_TIMEOUT', message: error.publicText };
  const ranAndFailed = error.cause instanceof TelemetryError;
  return { kind: 'error', type: ranAndFailed ? 'QUERY_ERROR' : 'INVALID_ALERT', message: error.publicText };
}

/** The alert watches nothing that could be judged; `message` is a sentence. */
export function invalidAlert(message: string): ErrorReading {
  return { kind: 'error', type: 'INVALID_ALERT', message };
}
