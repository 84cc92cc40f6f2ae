import type { ChartRequest } from '../../../contract/chart.ts';
import type { MetricProfiles } from '../reading/metric-profiles.ts';
import type { ScanOptions } from '../reading/scan-runner.ts';
import type { ChartDefinition } from '../request/chart-definition.ts';
import { chooseGranularity, intervalsPerBucket, isAuto, placeBuckets } from '../request/granularity.ts';
import { readChartRequest } from '../request/read-chart-request.ts';
import type { ChartReader, ChartReading } from './chart-reader.ts';
import type { ChartTable } from './chart-table.ts';
import { explainReads } from './explain-reads.ts';
import { fillBuckets } from './fill-buckets.ts';
import { presentChartColumns, presentChartRows } from './present-chart-rows.ts';
import { checkAddsUp, restOfGroups, totalOf, withRest } from './rest-of-groups.ts';

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
    const { reading, rest } = await this.#read(tenantId, definition, options, body.otherGroup ?? false);
    const shown = this.#filled(reading.table, definition, body.fill);
    const table = rest ? withRest(shown, this.#filled(rest, totalOf(definition), body.fill)) : shown;
    const columns = body.seriesReturnType === 'column';
    return {
      rows: columns ? presentChartColumns(table, definition.groupBy) : presentChartRows(table),
      meta: JSON.stringify(body.explain ? { ...reading.meta, explain: explainReads(reading.reads) } : reading.meta),
    };
  }

  /** The chart, and all groups that it leaves out if these are wanted and there are any. */
  async #read(
    tenantId: string,
    definition: ChartDefinition,
    options: ScanOptions,
    withOther: boolean,
  ): Promise<{ reading: ChartReading; rest?: ChartTable }> {
    if (!withOther || definition.groupBy.length === 0) {
      return { reading: await this.#reader.readOne(tenantId, definition, options) };
    }
    checkAddsUp(definition.series);
    const both = [definition, totalOf(definition)];
    const [reading, total] = await Promise.all(both.map((each) => this.#reader.readOne(tenantId, each, options)));
    if (!reading || !total) throw new Error('a chart was not read');
    if (!reading.table.truncated) return { reading };
    return { reading, rest: restOfGroups(reading.table, total.table, definition) };
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
