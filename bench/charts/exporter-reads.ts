import type { TimeRange } from '../../src/query/chart-query.ts';

/** Start of the bucket of an event in Unix seconds; integers instead of dates are a little cheaper. */
export function bucket(seconds: number): string {
  return `toUInt32(intDiv(toUnixTimestamp64Nano(Timestamp), ${seconds}000000000)) * ${seconds}`;
}

/** Condition for spans of the range. */
export function inEvents({ startMs, endMs }: TimeRange): string {
  return `Timestamp >= fromUnixTimestamp64Milli(${startMs}) AND Timestamp < fromUnixTimestamp64Milli(${endMs})`;
}

/** Condition for logs of the range. They are sorted by five minutes first: bound as well, so that the key prunes. */
export function inLogs(range: TimeRange): string {
  const fiveMinutes = 'toStartOfFiveMinutes(Timestamp)';
  return `${inEvents(range)} AND ${fiveMinutes} >= toStartOfFiveMinutes(toDateTime(${Math.floor(range.startMs / 1000)})) AND ${fiveMinutes} <= toDateTime(${Math.ceil(range.endMs / 1000)})`;
}
