import type { TimeRange } from '../chart-query.ts';
import { binary, call, column, integerValue, type SqlExpr, utc } from '../plan/sql-expr.ts';
import { isWholeSeconds, secondsColumn, type TimeColumns } from '../schema/seconds-column.ts';
import type { TableSchema } from '../source-schema.ts';

/** What `DateTime64(9)` and `DateTime` can hold; a wider range means the same and must not overflow. */
const instantMs = { least: -2_208_988_800_000, most: 9_223_372_036_000 };
const secondsMost = 4_294_967_295;

/**
 * Conditions for `[startMs, endMs)` on the exact time, and on the coarse column of the sort key as well, where there is
 * one, because only that lets the key leave out granules. A key that is computed from the exact time needs no more than
 * that: a second condition would be worked out for each row.
 */
export function boundTime(table: TableSchema, columns: TimeColumns, range: TimeRange): SqlExpr[] {
  const time = column(columns.timestampColumn);
  const start = clamp(range.startMs, instantMs.least, instantMs.most);
  const end = clamp(range.endMs, instantMs.least, instantMs.most);
  const seconds = secondsColumn(table, columns);
  if (seconds !== undefined && isWholeSeconds(start, end) && start >= 0 && end <= secondsMost * 1000)
    return [binary(column(seconds), '>=', second(start / 1000)), binary(column(seconds), '<', second(end / 1000))];
  const exact = [binary(time, '>=', instant(start)), binary(time, '<', instant(end))];
  return [...exact, ...coarseBounds(coarseTime(table, columns), start, end)];
}

/** Whether the row is of this instant or later, within a read that is bounded. */
export function isFrom({ timestampColumn }: TimeColumns, ms: number): SqlExpr {
  return binary(column(timestampColumn), '>=', instant(clamp(ms, instantMs.least, instantMs.most)));
}

function coarseTime(table: TableSchema, { sortTimeColumn }: TimeColumns): SqlExpr | undefined {
  return sortTimeColumn !== undefined && table.columns.has(sortTimeColumn) ? column(sortTimeColumn) : undefined;
}

/** `DateTime` wraps outside of 1970 to 2106; a range that reaches beyond is bounded by the exact time alone. */
function coarseBounds(time: SqlExpr | undefined, startMs: number, endMs: number): SqlExpr[] {
  const first = Math.floor(startMs / 1000);
  const last = Math.floor((endMs - 1) / 1000);
  if (!time || first < 0 || last > secondsMost) return [];
  return [binary(time, '>=', second(first)), binary(time, '<=', second(last))];
}

function instant(ms: number): SqlExpr {
  return call('fromUnixTimestamp64Milli', integerValue(ms), utc);
}

function second(seconds: number): SqlExpr {
  return call('toDateTime', { kind: 'value', type: 'UInt32', text: String(seconds) }, utc);
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
