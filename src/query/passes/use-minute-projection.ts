import type { ChartQuery, TimeRange } from '../chart-query.ts';
import type { OutputColumn, Select, TableRead } from '../plan/select.ts';
import { alias, binary, call, column, constant, type SqlExpr, utc } from '../plan/sql-expr.ts';
import { bucketStart } from '../plan/time-buckets.ts';
import { everyColumn, mapParts } from '../plan/walk-expr.ts';
import type { EventSourceSchema } from '../source-schema.ts';
import { boundTime } from './bound-time.ts';

/** The projection of `otel_logs` that counts rows by minute, service and severity. */
const projection = 'minute_counts';
const secondTime = 'TimestampTime';
const keys: ReadonlyMap<string, string> = new Map([
  ['ServiceName', 'service_name'],
  ['SeverityText', 'severity_text'],
]);
const minute = call('toStartOfMinute', column(secondTime));
const minuteMs = 60_000;
/** Raw edges cost whole granules of every service: a shorter range that cuts minutes is read raw altogether. */
const wholeMinutesMin = 10;
/** The end of what `DateTime` can hold, in whole minutes. */
const lastMinuteMs = Math.floor((2 ** 32 * 1000) / minuteMs) * minuteMs;

/**
 * Counts of logs that look at service and severity only are read from the rows per minute that the projection keeps,
 * in the form in which the engine recognises it; minutes that the range cuts are read raw. The answer is the same as
 * long as `TimestampTime` is the second of `Timestamp`, which is its default in the table and how senders leave it.
 */
export function useMinuteProjection(plan: Select, query: ChartQuery, source: EventSourceSchema): Select {
  const minutes = wholeMinutes(query.range);
  if (!minutes || !hasProjection(source) || !isAligned(query) || !countsByKeys(plan, query)) return plan;
  const { table } = source;
  const edges = [
    { startMs: query.range.startMs, endMs: minutes.startMs },
    { startMs: minutes.endMs, endMs: query.range.endMs },
  ].filter(({ startMs, endMs }) => startMs < endMs);
  const reads = [minuteBounds(minutes), ...edges.map((edge) => boundTime(table, source, edge))].map((bounds) =>
    bucketRows({ kind: 'table', table, bounds }, plan, query),
  );
  const [only, ...more] = reads;
  return {
    columns: plan.columns.map(({ as, expr }) => ({ as, expr: as === 'ts' ? alias('bucket') : sumOfCounts(expr) })),
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

function hasProjection({ table, timestampColumn, sortTimeColumn }: EventSourceSchema): boolean {
  return (
    table.projections?.has(projection) === true &&
    [secondTime, ...keys.keys()].every((name) => table.columns.has(name)) &&
    timestampColumn === 'Timestamp' &&
    sortTimeColumn === secondTime
  );
}

/** Every bucket holds whole minutes. */
function isAligned({ granularityMs, bucketOriginMs }: ChartQuery): boolean {
  return granularityMs === undefined || (granularityMs % minuteMs === 0 && bucketOriginMs % minuteMs === 0);
}

function countsByKeys(plan: Select, query: ChartQuery): boolean {
  if (query.series.some(({ aggregate }) => aggregate !== 'count')) return false;
  const values = plan.columns.filter(({ as }) => as !== 'ts').map(({ expr }) => expr);
  return [...values, ...(plan.where ?? [])].every((expr) => everyColumn(expr, (name) => keys.has(name)));
}

function minuteBounds({ startMs, endMs }: TimeRange): SqlExpr[] {
  const second = (ms: number): SqlExpr =>
    call('toDateTime', { kind: 'value', type: 'UInt32', text: String(ms / 1000) }, utc);
  return [binary(minute, '>=', second(startMs)), binary(minute, '<', second(endMs))];
}

/**
 * Rows per bucket and only those keys that the answer looks at: the engine still reads the projection, and what it
 * groups by is little. Filters of single series can't stand here, or it would read the rows themselves.
 */
function bucketRows(from: TableRead, { columns, where = [] }: Select, query: ChartQuery): Select {
  const values = columns.filter(({ as }) => as !== 'ts').map(({ expr }) => expr);
  const key = [...keys]
    .filter(([name]) => !values.every((expr) => everyColumn(expr, (other) => other !== name)))
    .map(([name, as]): OutputColumn => ({ as, expr: column(name) }));
  return {
    columns: [
      {
        as: 'bucket',
        expr: bucketStart(query, binary(call('toInt64', call('toUnixTimestamp', minute)), '*', constant(1000))),
      },
      ...key,
      { as: 'bucket_rows', expr: call('count') },
    ],
    from,
    where,
    groupBy: [alias('bucket'), ...key.map(({ as }) => alias(as))],
  };
}

/** Counts of rows as sums of the counts of buckets, columns by the names they have there. */
function sumOfCounts(expr: SqlExpr): SqlExpr {
  if (expr.kind === 'column') return alias(keys.get(expr.name) ?? expr.name);
  const inside = mapParts(expr, sumOfCounts);
  if (inside.kind !== 'call') return inside;
  if (inside.name === 'count') return call('sum', alias('bucket_rows'));
  return inside.name === 'countIf' ? call('sumIf', alias('bucket_rows'), ...inside.args) : inside;
}
