import type { Cell, ChartTable } from './chart-table.ts';

/**
 * Adds series 0 / series 1 (decisions C8): null when the denominator is 0 or missing, 0 when only the numerator is
 * missing. The operands stay.
 */
export function addRatio(table: ChartTable): ChartTable {
  const [numerators = [], denominators = []] = table.series;
  return { ...table, ratio: table.bucketsMs.map((_, row) => ratio(numerators[row], denominators[row])) };
}

function ratio(numerator: Cell, denominator: Cell): number | null {
  if (typeof denominator !== 'number' || denominator === 0 || numerator === null) return null;
  const value = (numerator ?? 0) / denominator;
  return Number.isFinite(value) ? value : null;
}
