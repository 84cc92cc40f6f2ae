import { chartLimits } from '../../contract/chart.ts';
import { AppError } from '../../contract/errors.ts';
import type { TileWindowsReader, WindowReadings } from '../../evaluator/ports.ts';
import type { DashboardRepository } from '../dashboards/dashboard-repository.ts';
import type { ChartDefinition } from './chart-definition.ts';
import type { ChartReader } from './chart-reader.ts';
import { readingOf, samplesByBucket } from './tile-samples.ts';
import { tileToChart } from './tile-to-chart-query.ts';

type Request = Parameters<TileWindowsReader['readWindows']>[0];

/** Reads past windows of a tile as the buckets of one chart, so that each holds what the live evaluator judges. */
export class ChartTileWindowsReader implements TileWindowsReader {
  readonly #dashboards: Pick<DashboardRepository, 'find'>;
  readonly #reader: Pick<ChartReader, 'readOne'>;

  constructor(dashboards: Pick<DashboardRepository, 'find'>, reader: Pick<ChartReader, 'readOne'>) {
    this.#dashboards = dashboards;
    this.#reader = reader;
  }

  async readWindows(request: Request): Promise<WindowReadings> {
    const definition = await this.#definition(request);
    const { tenantId, signal } = request;
    const { table, meta } = await this.#reader.readOne(tenantId, definition, { queryClass: 'background', signal });
    const buckets = samplesByBucket(table, definition);
    const silent = readingOf([], table.truncated, definition);
    return {
      of: (startMs) => ({ ...silent, samples: buckets.get(startMs) ?? [] }),
      grouped: silent.grouped,
      truncated: table.truncated,
      rowsRead: meta.rowsRead,
      elapsedMs: meta.elapsedMs,
    };
  }

  async #definition({ tenantId, dashboardId, tileId, range, intervalMs }: Request): Promise<ChartDefinition> {
    const stored = await this.#dashboards.find(tenantId, dashboardId);
    const tile = stored?.dashboard.tiles.find(({ id }) => id === tileId);
    if (!tile) throw new AppError('request_invalid', { public: 'The tile of this alert does not exist.' });
    const tileChart = tileToChart(tile);
    if (tileChart.kind === 'notEvaluable') throw new AppError('request_invalid', { public: tileChart.reason });
    return {
      ...tileChart.chart,
      conditions: [],
      range,
      granularityMs: intervalMs,
      // Buckets start where the windows do, whatever the offset of the schedule.
      bucketOriginMs: range.startMs,
      groupsMax: chartLimits.groups,
    };
  }
}
