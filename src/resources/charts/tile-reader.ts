import { AppError } from '../../contract/errors.ts';
import type { Reading, Sample, TileReader } from '../../evaluator/ports.ts';
import type { AggregateName } from '../../query/chart-query.ts';
import { TelemetryError } from '../../telemetry/ports.ts';
import type { DashboardRepository } from '../dashboards/dashboard-repository.ts';
import type { ChartDefinition } from './chart-definition.ts';
import { toChartTable } from './chart-reader.ts';
import type { ChartTable } from './chart-table.ts';
import { queryFingerprint } from './query-fingerprint.ts';
import type { ReadableSources } from './readable-sources.ts';
import type { ScanRunner } from './scan-runner.ts';
import { tileToChart, windowOfTile } from './tile-to-chart-query.ts';
import { toScans } from './to-chart-query.ts';

/** decisions A6: silence counts as zero for these. */
const zeroWhenMissing: ReadonlySet<AggregateName> = new Set(['count', 'count_distinct', 'sum']);

/** Reads tiles for alerts on the way of a chart request, so that the judged value is the one that the chart shows. */
export class ChartTileReader implements TileReader {
  readonly #dashboards: Pick<DashboardRepository, 'find'>;
  readonly #sources: ReadableSources;
  readonly #runner: ScanRunner;

  constructor(dashboards: Pick<DashboardRepository, 'find'>, sources: ReadableSources, runner: ScanRunner) {
    this.#dashboards = dashboards;
    this.#sources = sources;
    this.#runner = runner;
  }

  async read(request: Parameters<TileReader['read']>[0]): Promise<Reading> {
    const { tenantId, dashboardId, tileId, window, signal } = request;
    const stored = await this.#dashboards.find(tenantId, dashboardId);
    if (!stored) return invalidAlert('The dashboard of this alert does not exist.');
    const tile = stored.dashboard.tiles.find(({ id }) => id === tileId);
    if (!tile) return invalidAlert('The tile of this alert does not exist.');
    const tileChart = tileToChart(tile);
    if (tileChart.kind === 'notEvaluable') return invalidAlert(tileChart.reason);
    const definition = windowOfTile(tileChart.chart, window);
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

/** The last series' value of each group, or the ratio (contract: alerts, value). */
function toReading(table: ChartTable, definition: ChartDefinition): Reading {
  const { series, groupBy, asRatio } = definition;
  const values = table.ratio ?? table.series.at(-1) ?? [];
  const samples: Sample[] = [];
  values.forEach((value, row) => {
    if (value === undefined) return;
    const group = table.groups[table.groupOf[row] ?? 0] ?? [];
    samples.push({ group: groupBy.map((key, i) => ({ key, value: group[i] ?? '' })), value });
  });
  const last = series.at(-1)?.aggregate;
  const missingIsZero = !asRatio && last !== undefined && zeroWhenMissing.has(last);
  return {
    kind: 'samples',
    samples,
    missingIsZero,
    grouped: groupBy.length > 0,
    ...(table.truncated && { truncated: true }),
    fingerprint: queryFingerprint(definition),
  };
}

function toErrorReading(error: AppError): Reading {
  if (error.code === 'query_timeout') return { kind: 'error', type: 'QUERY_TIMEOUT', message: error.publicText };
  const ranAndFailed = error.cause instanceof TelemetryError;
  return { kind: 'error', type: ranAndFailed ? 'QUERY_ERROR' : 'INVALID_ALERT', message: error.publicText };
}

function invalidAlert(message: string): Reading {
  return { kind: 'error', type: 'INVALID_ALERT', message };
}
