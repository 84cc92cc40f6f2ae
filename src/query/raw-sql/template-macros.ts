import { quoteName } from '../../kernel/sql-quoting.ts';
import type { TemplateScope } from './template-scope.ts';

/** A macro of raw SQL whose arguments are SQL: `write` gets them as they are to be written. */
export interface TemplateMacro {
  readonly args: number;
  readonly write: (args: readonly string[], scope: TemplateScope) => string;
}

/** By name; the same values as parameters of the statement. */
export const templateParameters: Readonly<Record<string, (scope: TemplateScope) => number | string>> = {
  startDateMilliseconds: ({ range }) => range.startMs,
  endDateMilliseconds: ({ range }) => range.endMs,
  intervalSeconds: ({ intervalMs }) => Math.max(1, Math.round(intervalMs / 1000)),
  intervalMilliseconds: ({ intervalMs }) => intervalMs,
  bucketOffsetSeconds: (scope) => Math.floor(offsetMs(scope) / 1000),
  bucketOffsetMilliseconds: (scope) => offsetMs(scope),
  bucketEdgesSeconds: ({ edgesMs = [] }) => `[${edgesMs.map((edgeMs) => edgeMs / 1000).join(',')}]`,
  bucketEdgesMilliseconds: ({ edgesMs = [] }) => `[${edgesMs.join(',')}]`,
};

/** How far after a multiple of the width a bucket begins. */
function offsetMs({ originMs, intervalMs }: TemplateScope): number {
  return ((originMs % intervalMs) + intervalMs) % intervalMs;
}

/** Those that a person may write; the others belong to macros. */
export const ownParameters: ReadonlySet<string> = new Set(
  Object.keys(templateParameters).filter((name) => !name.startsWith('bucket')),
);
/** Types that hold any of the values. */
export const parameterTypes: ReadonlySet<string> = new Set(['Int64', 'UInt64', 'Float64', 'String']);

const start = 'fromUnixTimestamp64Milli({startDateMilliseconds:Int64})';
const end = 'fromUnixTimestamp64Milli({endDateMilliseconds:Int64})';
const isAligned = (scope: TemplateScope): boolean => offsetMs(scope) === 0;

const within = (column: string | undefined) => `(${column} >= ${start} AND ${column} < ${end})`;
/** From the day of the first instant of the range to that of the last. */
const lastDay = 'toDate(fromUnixTimestamp64Milli({endDateMilliseconds:Int64} - 1))';
const onDays = (column: string | undefined) => `(${column} >= toDate(${start}) AND ${column} <= ${lastDay})`;
const bothFilters: TemplateMacro = { args: 2, write: ([date, time]) => `(${onDays(date)} AND ${within(time)})` };

/** Buckets of the chart; of an alert the window, wherever it starts. */
function secondsBucket([column]: readonly string[], scope: TemplateScope): string {
  if (scope.edgesMs) {
    return `toDateTime(roundDown(toInt64(toUnixTimestamp(toDateTime(${column}))), {bucketEdgesSeconds:Array(Int64)}))`;
  }
  const width = '{intervalSeconds:Int64}';
  if (isAligned(scope)) return `toStartOfInterval(toDateTime(${column}), toIntervalSecond(${width}))`;
  const offset = '{bucketOffsetSeconds:Int64}';
  const passed = `toUnixTimestamp(toDateTime(${column})) - ${offset}`;
  return `toDateTime(intDiv(${passed}, ${width}) * ${width} + ${offset})`;
}

function millisecondsBucket([column]: readonly string[], scope: TemplateScope): string {
  const width = '{intervalMilliseconds:Int64}';
  const time = `toDateTime64(${column}, 3)`;
  if (scope.edgesMs) {
    return `fromUnixTimestamp64Milli(roundDown(toUnixTimestamp64Milli(${time}), {bucketEdgesMilliseconds:Array(Int64)}))`;
  }
  if (isAligned(scope)) return `toStartOfInterval(${time}, toIntervalMillisecond(${width}))`;
  const offset = '{bucketOffsetMilliseconds:Int64}';
  const passed = `toUnixTimestamp64Milli(${time}) - ${offset}`;
  return `fromUnixTimestamp64Milli(intDiv(${passed}, ${width}) * ${width} + ${offset})`;
}

/** Macros that need nothing but the time range and the buckets. */
export const timeMacros: ReadonlyMap<string, TemplateMacro> = new Map<string, TemplateMacro>([
  ['fromTime', { args: 0, write: () => `toDateTime(${start})` }],
  ['toTime', { args: 0, write: () => `toDateTime(${end})` }],
  ['fromTime_ms', { args: 0, write: () => start }],
  ['toTime_ms', { args: 0, write: () => end }],
  ['timeFilter', { args: 1, write: ([column]) => within(column) }],
  ['timeFilter_ms', { args: 1, write: ([column]) => within(column) }],
  ['dateFilter', { args: 1, write: ([column]) => onDays(column) }],
  ['dateTimeFilter', bothFilters],
  ['dt', bothFilters],
  ['timeInterval', { args: 1, write: secondsBucket }],
  ['timeInterval_ms', { args: 1, write: millisecondsBucket }],
  ['interval_s', { args: 0, write: () => '{intervalSeconds:Int64}' }],
]);

/** `$__sourceTable` or `$__sourceTable(gauge)`; the kind is a word, or two in quotes or not. */
export function writeSourceTable(kind: string | undefined, scope: TemplateScope): string {
  const { database, table } = scope.tableOf(kind);
  return `${quoteName(database)}.${quoteName(table)}`;
}
