import type { ChartRequest } from '../../../contract/chart.ts';
import type { MetricProfiles } from '../reading/metric-profiles.ts';
import type { ChartDefinition } from '../request/chart-definition.ts';
import { chooseGranularity, intervalsPerBucket, isAuto, placeBuckets } from '../request/granularity.ts';
import { readChartRequest } from '../request/read-chart-request.ts';
import type { ChartReader } from './chart-reader.ts';
import type { ChartTable } from './chart-table.ts';
import { explainReads } from './explain-reads.ts';
import { fillBuckets } from './fill-buckets.ts';
import { presentChartColumns, presentChartRows } from './present-chart-rows.ts';

/** Both as JSON text. */
export interface ChartAnswer {
  rows: string;
  meta: string;
}

/** Answers chart queries (seed §Charts; decisions C1 to C10). */
export class ChartService {
  readonly #reader: ChartReader;
  readonly #profiles: Pick<MetricProfiles, 'longestInterval'>;
  readonly #rowsMax: number;

  /** `rowsMax`: most rows of one answer, filled buckets included. */
  constructor(reader: ChartReader, profiles: Pick<MetricProfiles, 'longestInterval'>, rowsMax: number) {
    this.#reader = reader;
    this.#profiles = profiles;
    this.#rowsMax = rowsMax;
  }

  /** Throws `query_invalid`, `source_not_found`, `query_timeout`, `query_failed`, `engine_unavailable`. */
  async query(tenantId: string, body: ChartRequest, signal: AbortSignal): Promise<ChartAnswer> {
    const definition = await this.#define(tenantId, body);
    const bypassCache = body.explain ?? false;
    const options = { queryClass: 'interactive' as const, signal, bypassCache, looksForAttributes: true };
    const reading = await this.#reader.readOne(tenantId, definition, options);
    const table = this.#filled(reading.table, definition, body.fill);
    const columns = body.seriesReturnType === 'column';
    return {
      rows: columns ? presentChartColumns(table, definition.groupBy) : presentChartRows(table),
      meta: JSON.stringify(body.explain ? { ...reading.meta, explain: explainReads(reading.reads) } : reading.meta),
    };
  }

  async #define(tenantId: string, body: ChartRequest): Promise<ChartDefinition> {
    const definition = readChartRequest(body);
    if (!isAuto(body.granularity)) return definition;
    const { series, range } = definition;
    const samplingMs = await this.#profiles.longestInterval(tenantId, series, range);
    const granularityMs = chooseGranularity(body.granularity, range, samplingMs * intervalsPerBucket(series));
    return granularityMs === definition.granularityMs
      ? definition
      : { ...definition, ...placeBuckets(granularityMs, range, body.timezone) };
  }

  #filled(table: ChartTable, definition: ChartDefinition, fill: ChartRequest['fill']): ChartTable {
    if (!fill) return table;
    const value = fill === 'zero' ? 0 : null;
    const grouped = definition.groupBy.length > 0;
    return fillBuckets(table, { buckets: definition, value, grouped, rowsMax: this.#rowsMax });
  }
}
