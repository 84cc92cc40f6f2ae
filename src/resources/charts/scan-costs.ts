import type { AggregateName, ChartQuery, SeriesQuery } from '../../query/chart-query.ts';
import type { ChartPlan } from '../../query/compile-chart.ts';
import { attributeReads } from '../../query/passes/attribute-reads.ts';
import type { SourceSchema } from '../../query/source-schema.ts';
import { seriesKey } from './series-key.ts';

/** What is looked at of a `SharedScan`. */
interface CostedScan {
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
/** Of a table that does not tell how many rows it has: one that is large enough to be careful with. */
const rowsUnknown = 100_000_000;

/**
 * About what one statement for all of these costs. Every row is read once, but kept in every grouping with every series,
 * so that few rows are better read together and many only where reading them is the most of it.
 */
export function costOf(batch: readonly CostedScan[]): number {
  const [only, ...more] = batch;
  if (only && more.length === 0 && only.members.every(({ plan }) => plan.isSummarised)) return statementMs;
  const series = new Map(batch.flatMap((shared) => shared.series.map((one) => [seriesKey(one), one.aggregate])));
  const aggregates = [...series.values()].reduce((sum, name) => sum + (aggregateMs[name] ?? otherAggregateMs), 0);
  const reading = batch.some(readsAttributes) ? readMs + attributesMs : readMs;
  return statementMs + millionsOfRows(batch) * (reading + batch.length * (groupingMs + aggregates));
}

function readsAttributes({ members }: CostedScan): boolean {
  return members.some(({ plan }) => attributeReads(plan.events).length > 0);
}

/** As if the table held a week, evenly. */
function millionsOfRows([shared]: readonly CostedScan[]): number {
  const [first] = shared?.members ?? [];
  if (!first || first.schema.kind === 'metric') return 0;
  const { startMs, endMs } = first.scan.query.range;
  return ((first.schema.table.rows ?? rowsUnknown) / 1e6) * Math.min(1, (endMs - startMs) / weekMs);
}
