import type { ChartMeta, ChartRequest } from '../../contract/chart.ts';
import { formatDuration } from '../../kernel/duration.ts';
import { addRatio } from './add-ratio.ts';
import { assembleSeries } from './assemble-series.ts';
import type { ChartDefinition } from './chart-definition.ts';
import type { ChartTable } from './chart-table.ts';
import { fillBuckets } from './fill-buckets.ts';
import { presentChartColumns, presentChartRows } from './present-chart-rows.ts';
import { readChartRequest } from './read-chart-request.ts';
import type { ReadableSources } from './readable-sources.ts';
import type { ScanResult, ScanRunner } from './scan-runner.ts';
import { toScans } from './to-chart-query.ts';

/** Both as JSON text. */
export interface ChartAnswer {
  rows: string;
  meta: string;
}

/** Answers chart queries (seed §Charts; decisions C1 to C10). */
export class ChartService {
  readonly #sources: ReadableSources;
  readonly #runner: ScanRunner;
  readonly #rowsMax: number;

  /** `rowsMax`: most rows of one answer, filled buckets included. */
  constructor(sources: ReadableSources, runner: ScanRunner, rowsMax: number) {
    this.#sources = sources;
    this.#runner = runner;
    this.#rowsMax = rowsMax;
  }

  /** Throws `query_invalid`, `source_not_found`, `query_timeout`, `query_failed`, `engine_unavailable`. */
  async query(tenantId: string, body: ChartRequest, signal: AbortSignal): Promise<ChartAnswer> {
    const definition = readChartRequest(body);
    const sources = await this.#sources.find(tenantId, definition.series);
    const scans = toScans(definition, sources);
    const results = await this.#runner.run(tenantId, scans, sources, { queryClass: 'interactive', signal });
    const table = this.#filled(toChartTable(results, definition), definition, body.fill);
    const columns = body.seriesReturnType === 'column';
    return {
      rows: columns ? presentChartColumns(table, definition.groupBy) : presentChartRows(table),
      meta: JSON.stringify(metaOf(results, definition, table)),
    };
  }

  #filled(table: ChartTable, definition: ChartDefinition, fill: ChartRequest['fill']): ChartTable {
    if (!fill) return table;
    const { range, granularityMs, groupBy } = definition;
    const value = fill === 'zero' ? 0 : null;
    return fillBuckets(table, { range, granularityMs, value, grouped: groupBy.length > 0, rowsMax: this.#rowsMax });
  }
}

/** The merged answer of all scans of a chart, with the ratio where the chart is one. */
export function toChartTable(results: readonly ScanResult[], definition: ChartDefinition): ChartTable {
  const scans = results.map(({ scan, result }) => ({ seriesIndexes: scan.seriesIndexes, result }));
  const table = assembleSeries(scans, {
    seriesCount: definition.series.length,
    groupFields: definition.groupBy.length,
    groupsMax: definition.groupsMax,
  });
  return definition.asRatio ? addRatio(table) : table;
}

function metaOf(results: readonly ScanResult[], definition: ChartDefinition, table: ChartTable): ChartMeta {
  return {
    granularity: formatDuration(definition.granularityMs),
    rowsRead: results.reduce((sum, { result }) => sum + result.rowsRead, 0),
    elapsedMs: Math.max(...results.map(({ result }) => result.elapsedMs)),
    approximate: false,
    truncated: table.truncated,
  };
}
