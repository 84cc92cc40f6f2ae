import { AppError } from '../../../src/contract/errors.ts';
import type { Reading, TileReader, TileRequest } from '../../../src/evaluator/ports.ts';
import { invalidAlert, toErrorReading, toReading } from '../../../src/resources/alerts/reading/tile-reading.ts';
import type { WatchedCharts } from '../../../src/resources/alerts/reading/watched-charts.ts';
import { toChartTable } from '../../../src/resources/charts/answer/chart-reader.ts';
import { toQueryAppError } from '../../../src/resources/charts/reading/query-errors.ts';
import type { ReadableSources } from '../../../src/resources/charts/reading/readable-sources.ts';
import type { ScanRunner } from '../../../src/resources/charts/reading/scan-runner.ts';
import { planSingle } from '../../../src/resources/charts/reading/single-scan.ts';
import { toScans } from '../../../src/resources/charts/reading/to-scans.ts';
import { windowOfTile } from '../../../src/resources/charts/request/tile-to-chart.ts';

/** The answer of a tile from separate, plain statements: the program's readers must return the same. */
export class LoneTileReader implements TileReader {
  readonly #charts: Pick<WatchedCharts, 'find'>;
  readonly #sources: ReadableSources;
  readonly #runner: ScanRunner;

  constructor(charts: Pick<WatchedCharts, 'find'>, sources: ReadableSources, runner: ScanRunner) {
    this.#charts = charts;
    this.#sources = sources;
    this.#runner = runner;
  }

  async read(request: TileRequest): Promise<Reading> {
    try {
      return await this.#read(request);
    } catch (error) {
      const reported = toQueryAppError(error);
      if (reported instanceof AppError) return toErrorReading(reported);
      throw reported;
    }
  }

  async #read({ tenantId, watched, window, signal }: TileRequest): Promise<Reading> {
    const found = await this.#charts.find(tenantId, watched);
    if (found.kind === 'notEvaluable') return invalidAlert(found.reason);
    if (found.kind === 'sql') throw new Error('a tile of raw SQL shares no statement');
    const definition = { ...windowOfTile(found.chart, window), conditions: found.chart.conditions };
    const sources = await this.#sources.find(tenantId, definition.series);
    const results = await Promise.all(
      toScans(definition, sources).map(async (scan) => {
        const prepared = await this.#runner.prepare(tenantId, scan, sources);
        const { result } = await this.#runner.run(planSingle([prepared], '', 'topN'), { queryClass: 'alerts', signal });
        return { seriesIndexes: scan.seriesIndexes, result };
      }),
    );
    return toReading(toChartTable(results, definition), definition);
  }
}
