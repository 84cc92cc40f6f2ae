import { additiveAggregates, doesNotAddUp } from '../../../contract/series.ts';
import type { ChartDefinition, SeriesDefinition } from '../request/chart-definition.ts';
import { QueryProblem } from '../request/query-problem.ts';
import { addFormulas } from './add-formulas.ts';
import { addRatio } from './add-ratio.ts';
import type { Cell, ChartTable } from './chart-table.ts';

/** Throws `query_invalid` for a chart whose rest of the groups can't be known, which is one that does not add up. */
export function checkAddsUp(series: readonly SeriesDefinition[]): void {
  const index = series.findIndex(({ aggregate }) => !additiveAggregates.has(aggregate));
  if (index < 0) return;
  throw new QueryProblem(`series.${index}.aggFn`, `${doesNotAddUp}.`);
}

/** The same chart of all groups together. */
export function totalOf(definition: ChartDefinition): ChartDefinition {
  const { groupsPerBucket: _, ...rest } = definition;
  return { ...rest, groupBy: [] };
}

/** The groups that are shown, or some of their rows. */
export type ShownCells = Pick<ChartTable, 'bucketsMs' | 'series'>;

/**
 * What the groups that are not shown have together: the total less the groups that are, bucket by bucket, as one group
 * without values; with the formulas and the ratio of the chart, computed of it.
 */
export function restOfGroups(
  shown: ShownCells,
  total: ChartTable,
  chart: Pick<ChartDefinition, 'series' | 'formulas' | 'asRatio'>,
): ChartTable {
  const { ratio: _, formulas: __, ...bare } = total;
  const series = total.series.map((cells, index) => {
    const taken = sumsOf(shown, index);
    const isCount = chart.series[index]?.aggregate === 'count';
    return cells.map((cell, row) => lessOf(cell, taken.get(total.bucketsMs[row] ?? 0), isCount));
  });
  const whole = addFormulas({ ...bare, series }, chart.series, chart.formulas ?? []);
  return chart.asRatio ? addRatio(whole) : whole;
}

interface Sum {
  value: number;
  /** Of the sizes of what was added: what rounding can be as large as depends on these. */
  size: number;
}

function sumsOf({ bucketsMs, series }: ShownCells, index: number): Map<number, Sum> {
  const sums = new Map<number, Sum>();
  series[index]?.forEach((cell, row) => {
    const bucketMs = bucketsMs[row] ?? 0;
    const { value, size } = sums.get(bucketMs) ?? { value: 0, size: 0 };
    sums.set(bucketMs, { value: value + (cell ?? 0), size: size + Math.abs(cell ?? 0) });
  });
  return sums;
}

/** Of the last digits of a double, most of those that adding and subtracting may have changed. */
const rounding = 1e-12;

function lessOf(total: Cell, { value, size }: Sum = { value: 0, size: 0 }, isCount: boolean): Cell {
  if (typeof total !== 'number') return total;
  const rest = total - value;
  if (Math.abs(rest) <= rounding * Math.max(Math.abs(total), size)) return 0;
  // Events that arrive between two reads may be in one of them only.
  return isCount ? Math.max(rest, 0) : rest;
}

/** The table with one more group, the last one of each bucket. */
export function withRest(table: ChartTable, rest: ChartTable): ChartTable {
  const otherGroup = table.groups.length;
  const rowsOf = new Map(rest.bucketsMs.map((bucketMs, row) => [bucketMs, row]));
  /** Rows of the table, then those of the rest, which are numbered after them. */
  const order: number[] = [];
  const after = table.bucketsMs.length;
  const buckets = [...new Set([...table.bucketsMs, ...rest.bucketsMs])].sort((a, b) => a - b);
  let row = 0;
  for (const bucketMs of buckets) {
    for (; row < after && table.bucketsMs[row] === bucketMs; row++) order.push(row);
    const own = rowsOf.get(bucketMs);
    if (own !== undefined) order.push(after + own);
  }
  const joined = <T>(own: readonly T[], more: readonly T[]) =>
    // Every column has all rows.
    order.map((at) => (at < after ? own[at] : more[at - after]) as T);
  return {
    ...table,
    groups: [...table.groups, []],
    otherGroup,
    bucketsMs: joined(table.bucketsMs, rest.bucketsMs),
    groupOf: joined(
      table.groupOf,
      rest.groupOf.map(() => otherGroup),
    ),
    series: table.series.map((cells, index) => joined(cells, rest.series[index] ?? [])),
    ...(table.ratio && { ratio: joined(table.ratio, rest.ratio ?? []) }),
  };
}
