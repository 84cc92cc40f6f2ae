import type { AggregateName } from '../../../query/chart-query.ts';
import type { SeriesDefinition } from '../request/chart-definition.ts';
import type { Formula } from '../request/parse-formula.ts';
import type { ChartTable } from './chart-table.ts';
import { evaluateFormula } from './evaluate-formula.ts';

/** decisions A6: silence counts as zero for these. */
const zeroWhenMissing: ReadonlySet<AggregateName> = new Set(['count', 'count_distinct', 'sum']);

/** What a series holds where no row matched: counts of nothing are zero, of other aggregates nothing is known. */
export function missingValue({ aggregate }: Pick<SeriesDefinition, 'aggregate'>): 0 | null {
  return zeroWhenMissing.has(aggregate) ? 0 : null;
}

/** Adds the value of each formula in each row. The operands stay. */
export function addFormulas(
  table: ChartTable,
  series: readonly SeriesDefinition[],
  formulas: readonly Formula[],
): ChartTable {
  if (formulas.length === 0) return table;
  const missing = series.map(missingValue);
  const operandsOf = (row: number) =>
    table.series.map((cells, index) => {
      const cell = cells[row];
      return cell === undefined ? (missing[index] ?? null) : cell;
    });
  return {
    ...table,
    formulas: formulas.map((formula) => table.bucketsMs.map((_, row) => evaluateFormula(formula, operandsOf(row)))),
  };
}
