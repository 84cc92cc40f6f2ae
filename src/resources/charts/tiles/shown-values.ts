import type { Cell, ChartTable } from '../answer/chart-table.ts';
import type { ChartOfTile } from '../request/tile-to-chart.ts';
import type { ShownValue, TileView } from './tile-view.ts';

/** A value that the tile shows, with its cell in each row of the chart's table. */
export interface ValueColumn extends ShownValue {
  /** Number of the series, or after these of the formula or ratio. */
  select: number;
  cells: readonly Cell[];
}

/** A ratio or formulas replace their operands, unless the tile shows these too. */
export function shownValues(table: ChartTable, chart: ChartOfTile, view: TileView): ValueColumn[] {
  const operands = chart.series.map(
    (_, select): ValueColumn => ({ ...named(view.series[select]), select, cells: table.series[select] ?? [] }),
  );
  const first = operands.length;
  const made: ValueColumn[] = (table.formulas ?? []).map((cells, index) => ({
    ...named(view.formulas[index]),
    select: first + index,
    cells,
  }));
  if (table.ratio) made.push({ ...named(view.ratio), select: first, cells: table.ratio });
  return made.length === 0 ? operands : [...(view.showOperands ? operands : []), ...made];
}

function named(value: ShownValue | undefined): ShownValue {
  return value ?? { name: '' };
}
