import { chartLimits } from '../../../contract/chart.ts';
import type { TileAnswer, TileColumn, TileSeriesAnswer } from '../../../contract/tile-query.ts';
import { formatDuration } from '../../../kernel/duration.ts';
import { type ChartTable, groupsWithRows, rowsByGroup } from '../answer/chart-table.ts';
import { fillBuckets } from '../answer/fill-buckets.ts';
import type { ArrangedColumns } from '../raw-sql/arrange-columns.ts';
import { sqlChartTable } from '../raw-sql/sql-chart-table.ts';
import type { SqlFrame } from '../raw-sql/write-sql.ts';
import { type Buckets, bucketsOf, countBuckets, wholeRange } from '../request/buckets.ts';
import type { SqlTile } from '../request/sql-tile.ts';

type Drawn = Partial<TileAnswer> & { truncated: boolean; warnings?: readonly string[] };

/** Beyond this, gaps stay as they are. */
const filledCellsMax = 250_000;

/** What the tile draws of an answer that has a time axis; `shiftMs` moves the period before under this one. */
export function presentSqlTime(
  tile: SqlTile,
  columns: ArrangedColumns,
  frame: SqlFrame,
  shiftMs = 0,
): Drawn & { series: TileSeriesAnswer[] } {
  const { range, intervalMs } = frame;
  const groupsMax =
    tile.seriesLimit === 0
      ? chartLimits.groupsMax
      : Math.min(tile.seriesLimit ?? chartLimits.groups, chartLimits.groupsMax);
  // A bucket may begin before the range of which it holds a part.
  const beforeMs = Math.min(range.startMs - intervalMs, wholeRange(bucketsOfFrame(frame)).startMs - 1);
  const isDrawn = (timeMs: number) => timeMs > beforeMs && timeMs < range.endMs;
  const { table, droppedRows } = sqlChartTable(columns, {
    bucketOf: (timeMs) => (isDrawn(timeMs) ? timeMs : undefined),
    groupsMax,
  });
  const filled = tile.fill ? withoutGaps(table, columns, frame) : table;
  return {
    granularity: formatDuration(intervalMs),
    granularityMs: intervalMs,
    series: seriesOf(filled, columns, tile, shiftMs),
    truncated: table.truncated,
    ...(droppedRows > 0 && { warnings: [droppedText(droppedRows)] }),
  };
}

function droppedText(rows: number): string {
  return `${rows} ${rows === 1 ? 'row is' : 'rows are'} not drawn: outside of the time range, without a time, or with the same time and group as a later row`;
}

function seriesOf(
  table: ChartTable,
  { values, groups }: ArrangedColumns,
  { numberFormat }: SqlTile,
  shiftMs: number,
): TileSeriesAnswer[] {
  const byGroup = rowsByGroup(table, groups.length > 0);
  return values.flatMap(({ name }, select) => {
    const cells = table.series[select] ?? [];
    return byGroup.map(({ group, rows }) => ({
      name,
      group: [...group],
      select,
      ...(numberFormat && { numberFormat }),
      points: rows.map((row): [number, number | null] => [(table.bucketsMs[row] ?? 0) + shiftMs, cells[row] ?? null]),
    }));
  });
}

/** Only where the rows are buckets of the chart: elsewhere it is unknown what is missing. Missing counts are zero. */
function withoutGaps(table: ChartTable, { groups, values }: ArrangedColumns, frame: SqlFrame): ChartTable {
  const grouped = groups.length > 0;
  const buckets = bucketsOfFrame(frame);
  if (countBuckets(buckets) * groupsWithRows(table, grouped).length > filledCellsMax) return table;
  const starts = new Set(bucketsOf(buckets).map(({ startMs }) => startMs));
  if (!table.bucketsMs.every((timeMs) => starts.has(timeMs))) return table;
  const value = values.map(({ isCount }) => (isCount ? 0 : null));
  return fillBuckets(table, { buckets, value, grouped, rowsMax: filledCellsMax });
}

export function bucketsOfFrame({ range, intervalMs, originMs, edges }: SqlFrame): Buckets {
  return { range, granularityMs: intervalMs, bucketOriginMs: originMs, ...(edges && { bucketEdges: edges }) };
}

/** Rows in the order of the statement; a bar or slice has one value, the last number. */
export function presentSqlRows(tile: SqlTile, { rows, order: written, groups, values }: ArrangedColumns): Drawn {
  const { numberFormat, displayType } = tile;
  const order = displayType === 'table' ? written : nameAndValue(written);
  const columns = order.map(({ kind, at }): TileColumn => {
    if (kind === 'group') return { name: groups[at]?.name ?? '', kind, ...(groups[at]?.isTime && { type: 'time' }) };
    return { name: values[at]?.name ?? '', kind, ...(numberFormat && { numberFormat }) };
  });
  const cells = Array.from({ length: rows }, (_, row) =>
    order.map(({ kind, at }) => (kind === 'group' ? groups[at]?.cells[row] : values[at]?.cells[row]) ?? null),
  );
  return { columns, rows: cells, truncated: false };
}

function nameAndValue(order: ArrangedColumns['order']): ArrangedColumns['order'] {
  const value = order.filter(({ kind }) => kind === 'value').slice(-1);
  return [...order.filter(({ kind }) => kind === 'group'), ...value];
}

/** The last number of the first row, which is also what an alert evaluates; null without a row. */
export function presentSqlNumber({ numberFormat }: SqlTile, { values }: ArrangedColumns): Drawn {
  const last = values.at(-1);
  const column: TileColumn = { name: last?.name ?? '', kind: 'value', ...(numberFormat && { numberFormat }) };
  return { columns: [column], rows: [[last?.cells[0] ?? null]], truncated: false };
}
