import { attributeReads } from '../../../query/attribute-reads.ts';
import type { AggregateName, ChartQuery, SeriesQuery } from '../../../query/chart-query.ts';
import type { ChartPlan } from '../../../query/compile-chart.ts';
import type { SourceSchema } from '../../../query/source-schema.ts';
import { seriesKey } from './series-key.ts';

/** What is looked at of a `SharedSeries`. */
interface Scans {
  readonly members: readonly {
    readonly plan: ChartPlan;
    readonly schema: SourceSchema;
    readonly scan: { readonly query: Pick<ChartQuery, 'range'> };
  }[];
  readonly series: readonly SeriesQuery[];
}

/** Milliseconds of the engine, as measured on one machine; what counts is how they relate. */
const statementMs = 20;
/** Per million rows. */
const readMs = 40;
const attributesMs = 400;
const groupingMs = 25;
const aggregateMs: Partial<Record<AggregateName, number>> = { count: 8, quantile: 50, count_distinct: 50 };
const otherAggregateMs = 12;

const weekMs = 7 * 86_400_000;
/** Of a table that does not know how many rows it has: one that is large enough to be careful with. */
const rowsUnknown = 100_000_000;

/** Of scans that differ in nothing but their series, all that their costs depend on. */
export interface ScanCost {
  readonly millionsOfRows: number;
  readonly isSummarised: boolean;
  readonly readsAttributes: boolean;
  /** By series, milliseconds per million rows. */
  readonly aggregates: ReadonlyMap<string, number>;
}

/** Walks the plans: computed once, not for each batch that the scans might join. */
export function scanCost({ members, series }: Scans): ScanCost {
  return {
    millionsOfRows: millionsOfRows(members),
    isSummarised: members.every(({ plan }) => plan.isSummarised),
    readsAttributes: members.some(({ plan }) => attributeReads(plan.events).length > 0),
    aggregates: new Map(series.map((one) => [seriesKey(one), aggregateMs[one.aggregate] ?? otherAggregateMs])),
  };
}

/**
 * About what one statement for all of these costs. Every row is read once, but kept in every grouping with every series,
 * so that few rows are better read together and many only where reading them is the most of it.
 */
export function costOf(batch: readonly ScanCost[]): number {
  const [first, ...more] = batch;
  if (!first || (more.length === 0 && first.isSummarised)) return statementMs;
  const series = new Map(batch.flatMap(({ aggregates }) => [...aggregates]));
  const aggregates = [...series.values()].reduce((sum, each) => sum + each, 0);
  const reading = batch.some(({ readsAttributes }) => readsAttributes) ? readMs + attributesMs : readMs;
  return statementMs + first.millionsOfRows * (reading + batch.length * (groupingMs + aggregates));
}

/** As if the table held a week, evenly. */
function millionsOfRows([first]: Scans['members']): number {
  if (!first || first.schema.kind === 'metric') return 0;
  const { startMs, endMs } = first.scan.query.range;
  return ((first.schema.table.rows ?? rowsUnknown) / 1e6) * Math.min(1, (endMs - startMs) / weekMs);
}
