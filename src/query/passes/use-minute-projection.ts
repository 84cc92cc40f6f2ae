import type { ChartQuery, TimeRange } from '../chart-query.ts';
import type { OutputColumn, Select, TableRead } from '../plan/select.ts';
import { alias, binary, call, column, constant, type SqlExpr, utc } from '../plan/sql-expr.ts';
import { bucketStart } from '../plan/time-buckets.ts';
import { everyColumn, mapParts } from '../plan/walk-expr.ts';
import type { EventSourceSchema } from '../source-schema.ts';
import { boundTime } from './bound-time.ts';

/** The projection of `otel_logs` and of `otel_traces` that counts rows by minute, service and severity or status. */
const projection = 'minute_counts';

/** What the rows of a projection are grouped by. */
interface MinuteKeys {
  /** Its minutes are those of this column, which is also the source's `sortTimeColumn` if that has one. */
  readonly time: string;
  /** Column → its name in what is read of the projection. */
  readonly names: ReadonlyMap<string, string>;
}

const keysOf: Readonly<Record<EventSourceSchema['kind'], MinuteKeys>> = {
  log: {
    time: 'TimestampTime',
    names: new Map([
      ['ServiceName', 'service_name'],
      ['SeverityText', 'severity_text'],
    ]),
  },
  trace: {
    time: 'Timestamp',
    names: new Map([
      ['ServiceName', 'service_name'],
      ['StatusCode', 'status_code'],
    ]),
  },
};
const minuteMs = 60_000;
/** Raw edges cost whole granules of every service: a shorter range that cuts minutes is read raw altogether. */
const wholeMinutesMin = 10;
/** The end of what `DateTime` can hold, in whole minutes. */
const lastMinuteMs = Math.floor((2 ** 32 * 1000) / minuteMs) * minuteMs;

/**
 * Counts of logs that look at service and severity only, and of spans by service and status, are read from the rows per
 * minute that the projection keeps, in the form in which the engine recognises it; minutes that the range cuts are read
 * raw. The answer is the same as long as times lie between 1970 and 2106 and `TimestampTime` of logs is the second of
 * `Timestamp`, which is its default in the table and how senders leave it.
 */
export function useMinuteProjection(plan: Select, query: ChartQuery, source: EventSourceSchema): Select {
  const minutes = wholeMinutes(query.range);
  const keys = keysOf[source.kind];
  if (!minutes || !hasProjection(source, keys) || !isAligned(query) || !countsByKeys(plan, query, keys)) return plan;
  const { table } = source;
  const edges = [
    { startMs: query.range.startMs, endMs: minutes.startMs },
    { startMs: minutes.endMs, endMs: query.range.endMs },
  ].filter(({ startMs, endMs }) => startMs < endMs);
  const columns = bucketColumns(plan, query, keys);
  const reads = [minuteBounds(minutes, keys), ...edges.map((edge) => boundTime(table, source, edge))].map((bounds) =>
    bucketRows({ kind: 'table', table, bounds }, columns, plan.where ?? []),
  );
  const [only, ...more] = reads;
  return {
    columns: plan.columns.map(({ as, expr }) => ({
      as,
      expr: as === 'ts' ? alias('bucket') : sumOfCounts(expr, keys),
    })),
    from: only && more.length === 0 ? { kind: 'select', select: only } : { kind: 'union', selects: reads },
    ...(plan.groupBy && { groupBy: plan.groupBy }),
  };
}

/** The minutes that lie in the range, where reading them by themselves is worth it. */
function wholeMinutes({ startMs, endMs }: TimeRange): TimeRange | undefined {
  const minutes = {
    startMs: Math.ceil(startMs / minuteMs) * minuteMs,
    endMs: Math.floor(endMs / minuteMs) * minuteMs,
  };
  const fits = startMs >= 0 && endMs <= lastMinuteMs;
  const cut = minutes.startMs > startMs || minutes.endMs < endMs;
  const least = minuteMs * (cut ? wholeMinutesMin : 1);
  return fits && minutes.endMs - minutes.startMs >= least ? minutes : undefined;
}

function hasProjection({ table, timestampColumn, sortTimeColumn }: EventSourceSchema, keys: MinuteKeys): boolean {
  return (
    table.projections?.has(projection) === true &&
    [keys.time, ...keys.names.keys()].every((name) => table.columns.has(name)) &&
    timestampColumn === 'Timestamp' &&
    (sortTimeColumn ?? timestampColumn) === keys.time
  );
}

/** Every bucket holds whole minutes. */
function isAligned({ granularityMs, bucketOriginMs }: ChartQuery): boolean {
  return granularityMs === undefined || (granularityMs % minuteMs === 0 && bucketOriginMs % minuteMs === 0);
}

function countsByKeys(plan: Select, query: ChartQuery, { names }: MinuteKeys): boolean {
  if (query.series.some(({ aggregate }) => aggregate !== 'count')) return false;
  return [...valuesOf(plan), ...(plan.where ?? [])].every((expr) => everyColumn(expr, (name) => names.has(name)));
}

/** Groups and values of series: all but the time. */
function valuesOf({ columns }: Select): SqlExpr[] {
  return columns.filter(({ as }) => as !== 'ts').map(({ expr }) => expr);
}

function startOfMinute({ time }: MinuteKeys): SqlExpr {
  return call('toStartOfMinute', column(time));
}

function minuteBounds({ startMs, endMs }: TimeRange, keys: MinuteKeys): SqlExpr[] {
  const second = (ms: number): SqlExpr =>
    call('toDateTime', { kind: 'value', type: 'UInt32', text: String(ms / 1000) }, utc);
  return [binary(startOfMinute(keys), '>=', second(startMs)), binary(startOfMinute(keys), '<', second(endMs))];
}

/** The asked bucket and only those keys that the answer looks at, so that little is left to add up. */
function bucketColumns(plan: Select, query: ChartQuery, keys: MinuteKeys): OutputColumn[] {
  const isUnused = (key: string): boolean => valuesOf(plan).every((expr) => everyColumn(expr, (name) => name !== key));
  const minuteMsOf = binary(call('toInt64', call('toUnixTimestamp', startOfMinute(keys))), '*', constant(1000));
  const used = [...keys.names].filter(([name]) => !isUnused(name));
  return [
    { as: 'bucket', expr: bucketStart(query, minuteMsOf) },
    ...used.map(([name, as]): OutputColumn => ({ as, expr: column(name) })),
  ];
}

/** Filters of single series can't stand here: the engine would read the rows themselves. */
function bucketRows(from: TableRead, key: readonly OutputColumn[], where: readonly SqlExpr[]): Select {
  return {
    columns: [...key, { as: 'bucket_rows', expr: call('count') }],
    from,
    where,
    groupBy: key.map(({ as }) => alias(as)),
  };
}

/** Counts of rows as sums of the counts of buckets, columns by the names they have there. */
function sumOfCounts(expr: SqlExpr, keys: MinuteKeys): SqlExpr {
  if (expr.kind === 'column') return alias(keys.names.get(expr.name) ?? expr.name);
  const inside = mapParts(expr, (part) => sumOfCounts(part, keys));
  if (inside.kind !== 'call') return inside;
  if (inside.name === 'count') return call('sum', alias('bucket_rows'));
  return inside.name === 'countIf' ? call('sumIf', alias('bucket_rows'), ...inside.args) : inside;
}
