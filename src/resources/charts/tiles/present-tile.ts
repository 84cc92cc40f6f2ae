import type { TileAnswer, TileColumn, TileSeriesAnswer } from '../../../contract/tile-query.ts';
import { formatDuration } from '../../../kernel/duration.ts';
import { addFormulas, missingValue } from '../answer/add-formulas.ts';
import { addRatio } from '../answer/add-ratio.ts';
import { type ChartTable, groupsWithRows, rowsByGroup } from '../answer/chart-table.ts';
import { fillBuckets } from '../answer/fill-buckets.ts';
import { restOfGroups } from '../answer/rest-of-groups.ts';
import { countBuckets, movedBack } from '../request/buckets.ts';
import type { ChartDefinition } from '../request/chart-definition.ts';
import type { ChartOfTile } from '../request/tile-to-chart.ts';
import { filterRows } from './filter-rows.ts';
import { orderRows } from './order-rows.ts';
import { shownValues, type ValueColumn } from './shown-values.ts';
import type { TileRow } from './tile-rows.ts';
import type { TileView } from './tile-view.ts';

export interface DrawnTile {
  chart: ChartOfTile;
  view: TileView;
  definition: ChartDefinition;
  /** Between two points of its metrics, where that is known. */
  samplingMs?: number;
}

/** Filled answers beyond this stay as they are: gaps are easier to read than an error. */
const filledCellsMax = 250_000;

/** One series per group and value, its points in the order of time. */
export function presentTime(tile: DrawnTile, now: Totalled, before?: Totalled): Partial<TileAnswer> {
  const { granularityMs, range } = tile.definition;
  const shiftMs = range.endMs - range.startMs;
  return {
    granularity: formatDuration(granularityMs),
    granularityMs,
    ...(tile.samplingMs !== undefined && { samplingMs: tile.samplingMs }),
    series: [
      ...seriesWithOther(tile, now, tile.definition, 0),
      ...(before ? seriesWithOther(tile, before, previousPeriod(tile.definition), shiftMs) : []).map((series) => ({
        ...series,
        previous: true as const,
      })),
    ],
  };
}

/** The same chart over the stretch of time of the same length just before; its buckets lie under those of this one. */
export function previousPeriod(definition: ChartDefinition): ChartDefinition {
  return movedBack(definition, definition.range.endMs - definition.range.startMs);
}

/** A chart's answer, and if the groups that it leaves out are wanted, that of all groups together. */
export interface Totalled {
  table: ChartTable;
  total?: ChartTable;
}

function seriesWithOther(
  tile: DrawnTile,
  { table, total }: Totalled,
  definition: ChartDefinition,
  shiftMs: number,
): TileSeriesAnswer[] {
  const series = seriesOf(tile, table, definition, shiftMs);
  if (!total || !table.truncated) return series;
  const ungrouped = { ...tile, chart: { ...tile.chart, groupBy: [] } };
  const others = seriesOf(ungrouped, restOfGroups(table, total, tile.chart), definition, shiftMs);
  return [...series, ...others.map((one) => ({ ...one, other: true as const }))];
}

function seriesOf(
  { chart, view }: DrawnTile,
  table: ChartTable,
  definition: ChartDefinition,
  shiftMs: number,
): TileSeriesAnswer[] {
  const filled = view.fill ? withoutGaps(table, chart, definition) : table;
  const byGroup = rowsByGroup(filled, chart.groupBy.length > 0);
  return shownValues(filled, chart, view).flatMap(({ name, select, numberFormat, cells }) =>
    byGroup.map(({ group, rows }) => ({
      name,
      group: [...group],
      select,
      ...(numberFormat && { numberFormat }),
      points: rows.flatMap((row) => {
        const cell = cells[row];
        return cell === undefined ? [] : [[(filled.bucketsMs[row] ?? 0) + shiftMs, cell]];
      }),
    })),
  );
}

function withoutGaps(table: ChartTable, chart: ChartOfTile, definition: ChartDefinition): ChartTable {
  const grouped = chart.groupBy.length > 0;
  if (countBuckets(definition) * groupsWithRows(table, grouped).length > filledCellsMax) return table;
  const { ratio: _, formulas: __, ...bare } = table;
  const value = chart.series.map(missingValue);
  const filled = fillBuckets(bare, {
    buckets: definition,
    value,
    grouped,
    rowsMax: filledCellsMax,
  });
  const whole = addFormulas(filled, chart.series, chart.formulas);
  return table.ratio ? addRatio(whole) : whole;
}

interface PlacedRow extends TileRow {
  /** Of the chart's table. */
  row: number;
}

/** One row per group, in the tile's order; cells without a value are null. */
export function presentRows(
  tile: DrawnTile,
  { table, total }: Totalled,
): Partial<TileAnswer> & { rowsTotal: number; rowsShown: number } {
  const { chart, view } = tile;
  const values = shownValues(complete(table, chart), chart, view);
  const names = { groups: chart.groupBy, values: values.map(({ name }) => name) };
  const rows = table.groupOf.map(
    (group, row): PlacedRow => ({
      row,
      group: table.groups[group] ?? [],
      values: values.map(({ cells }) => cells[row] ?? null),
    }),
  );
  const kept = orderRows(filterRows(rows, view.having, names), view.orderBy, names);
  const shown = view.limit > 0 ? kept.slice(0, view.limit) : kept;
  const isWhole = !table.truncated && shown.length === rows.length;
  const other = total && !isWhole ? otherRow(tile, table, shown, total) : undefined;
  return {
    columns: [...chart.groupBy.map(groupColumn), ...values.map(columnOf)],
    rows: [...shown.map(({ group, values: cells }) => [...group, ...cells]), ...(other ? [other] : [])],
    ...(other && { hasOther: true as const }),
    rowsTotal: kept.length,
    rowsShown: shown.length,
  };
}

/** What the rows that are not shown have together. */
function otherRow(
  { chart, view }: DrawnTile,
  table: ChartTable,
  shown: readonly PlacedRow[],
  total: ChartTable,
): (number | null)[] {
  const cells = {
    bucketsMs: shown.map(({ row }) => table.bucketsMs[row] ?? 0),
    series: table.series.map((column) => shown.map(({ row }) => column[row])),
  };
  const rest = complete(restOfGroups(cells, total, chart), chart);
  const values = shownValues(rest, chart, view).map((column) => column.cells[0] ?? null);
  return [...chart.groupBy.map(() => null), ...values];
}

/** One row, also when nothing matched; the last column is the tile's value. */
export function presentNumber({ chart, view }: DrawnTile, table: ChartTable): Partial<TileAnswer> {
  const one = table.bucketsMs.length > 0 ? table : oneRow(table, chart);
  const values = shownValues(complete(one, chart), chart, view);
  return { columns: values.map(columnOf), rows: [values.map(({ cells }) => cells[0] ?? null)] };
}

function oneRow(table: ChartTable, { series, formulas }: ChartOfTile): ChartTable {
  const empty = { ...table, groups: [[]], bucketsMs: [0], groupOf: [0], series: series.map(() => [undefined]) };
  return addFormulas({ ...empty, ...(table.ratio && { ratio: [null] }) }, series, formulas);
}

/** Counts of nothing are zero, in every row. */
function complete(table: ChartTable, chart: ChartOfTile): ChartTable {
  const missing = chart.series.map(missingValue);
  const series = table.series.map((cells, index) =>
    table.bucketsMs.map((_, row) => {
      const cell = cells[row];
      return cell === undefined ? (missing[index] ?? null) : cell;
    }),
  );
  return { ...table, series };
}

/** A column or call whose text is an instant, which the database writes in UTC. */
const instant = /^(?:Timestamp(?:Time)?|(?:toStartOf\w+|toDateTime\w*|date_?trunc)\(.*\))$/i;

function groupColumn(name: string): TileColumn {
  return { name, kind: 'group', ...(instant.test(name.trim()) && { type: 'time' }) };
}

function columnOf({ name, numberFormat }: ValueColumn): TileColumn {
  return { name, kind: 'value', ...(numberFormat && { numberFormat }) };
}
