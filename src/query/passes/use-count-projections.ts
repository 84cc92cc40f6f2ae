import type { ChartQuery, TimeRange } from '../chart-query.ts';
import type { OutputColumn, Select } from '../plan/select.ts';
import { alias, binary, call, column, constant, type SqlExpr, utc } from '../plan/sql-expr.ts';
import { bucketStart } from '../plan/time-buckets.ts';
import { everyColumn, mapParts } from '../plan/walk-expr.ts';
import { secondsEndMs } from '../schema/seconds-column.ts';
import type { EventSourceSchema } from '../source-schema.ts';
import { boundTime } from './bound-time.ts';

/** A projection of `otel_logs` and of `otel_traces` that counts rows by time, service and severity or status. */
interface Level {
  readonly projection: string;
  readonly widthMs: number;
  /** The projection's own expression of its time: the engine knows it by that. */
  readonly start: (time: SqlExpr) => SqlExpr;
  /** A range that cuts units is read without them when it holds fewer whole ones: its edges cost a read each. */
  readonly wholeUnitsMin: number;
}

const minutes: Level = {
  projection: 'minute_counts',
  widthMs: 60_000,
  start: (time) => call('toStartOfMinute', time),
  wholeUnitsMin: 10,
};
const hours: Level = {
  projection: 'hour_counts',
  widthMs: 3_600_000,
  start: (time) => call('toStartOfHour', time, utc),
  wholeUnitsMin: 6,
};
/** Two days of minutes: one thread reads so few rows faster than work can be distributed. */
const fewUnitsMax = 2_880;
/** Coarsest first. */
const levels: readonly Level[] = [hours, minutes];
/** Names of the projections that this pass knows. */
export const countProjections: ReadonlySet<string> = new Set(levels.map(({ projection }) => projection));

/** What the rows of a projection are grouped by. */
interface CountKeys {
  /** Its units are those of this column, which is also the source's `sortTimeColumn` if that has one. */
  readonly time: string;
  /** Column → its name in what is read of the projection. */
  readonly names: ReadonlyMap<string, string>;
}

const keysOf: Readonly<Record<EventSourceSchema['kind'], CountKeys>> = {
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

/**
 * Counts of logs that look at service and severity only, and of spans by service and status, are read from the rows per
 * hour and per minute that projections keep, in the form in which the engine recognises them: whole hours where buckets
 * hold such, whole minutes at their edges, and raw rows where the range cuts minutes. The answer is the same as long as
 * times lie between 1970 and 2106 and `TimestampTime` of logs is the second of `Timestamp`, which is its default in the
 * table and how senders leave it.
 */
export function useCountProjections(plan: Select, query: ChartQuery, source: EventSourceSchema): Select {
  const keys = keysOf[source.kind];
  if (!hasKeys(source, keys) || !countsByKeys(plan, query, keys)) return plan;
  const usable = levels.filter((level) => source.table.projections?.has(level.projection) && isAligned(query, level));
  const parts = partsOf(query.range, usable);
  if (parts.every(({ level }) => level === undefined)) return plan;
  const reads = parts.map((part) => bucketRows(plan, query, source, part));
  const [only, ...more] = reads;
  return {
    columns: plan.columns.map(({ as, expr }) => ({
      as,
      expr: as === 'ts' ? alias('bucket') : sumOfCounts(expr, keys),
    })),
    from: only && more.length === 0 ? { kind: 'select', select: only } : { kind: 'union', selects: reads },
    ...(plan.groupBy && { groupBy: plan.groupBy }),
    ...(unitsOf(parts) <= fewUnitsMax && { fewRows: true }),
  };
}

function unitsOf(parts: readonly Part[]): number {
  const units = ({ range, level }: Part): number => (level ? (range.endMs - range.startMs) / level.widthMs : 0);
  return parts.reduce((sum, part) => sum + units(part), 0);
}

/** A stretch of the range, and the level it is read at; raw rows without one. */
interface Part {
  readonly range: TimeRange;
  readonly level?: Level;
}

/** Whole units of the coarsest level, and what they leave at both ends at finer ones. */
function partsOf(range: TimeRange, [level, ...finer]: readonly Level[]): Part[] {
  if (range.startMs >= range.endMs) return [];
  if (!level) return [{ range }];
  const whole = wholeUnits(range, level);
  if (!whole) return partsOf(range, finer);
  const before = { startMs: range.startMs, endMs: whole.startMs };
  const after = { startMs: whole.endMs, endMs: range.endMs };
  return [{ range: whole, level }, ...partsOf(before, finer), ...partsOf(after, finer)];
}

/** The units inside the range, if reading them separately is worth it. */
function wholeUnits({ startMs, endMs }: TimeRange, { widthMs, wholeUnitsMin }: Level): TimeRange | undefined {
  const whole = { startMs: Math.ceil(startMs / widthMs) * widthMs, endMs: Math.floor(endMs / widthMs) * widthMs };
  const fits = startMs >= 0 && endMs <= Math.floor(secondsEndMs / widthMs) * widthMs;
  const cut = whole.startMs > startMs || whole.endMs < endMs;
  const least = widthMs * (cut ? wholeUnitsMin : 1);
  return fits && whole.endMs - whole.startMs >= least ? whole : undefined;
}

function hasKeys({ table, timestampColumn, sortTimeColumn }: EventSourceSchema, keys: CountKeys): boolean {
  return (
    [keys.time, ...keys.names.keys()].every((name) => table.columns.has(name)) &&
    timestampColumn === 'Timestamp' &&
    (sortTimeColumn ?? timestampColumn) === keys.time
  );
}

/** Every bucket holds whole units. */
function isAligned({ granularityMs, bucketOriginMs, bucketEdges }: ChartQuery, { widthMs }: Level): boolean {
  if (bucketEdges) return bucketEdges.atMs.every((edgeMs) => edgeMs % widthMs === 0);
  return granularityMs === undefined || (granularityMs % widthMs === 0 && bucketOriginMs % widthMs === 0);
}

function countsByKeys(plan: Select, query: ChartQuery, { names }: CountKeys): boolean {
  if (query.series.some(({ aggregate }) => aggregate !== 'count')) return false;
  return [...valuesOf(plan), ...(plan.where ?? [])].every((expr) => everyColumn(expr, (name) => names.has(name)));
}

/** Groups and values of series: all but the time. */
function valuesOf({ columns }: Select): SqlExpr[] {
  return columns.filter(({ as }) => as !== 'ts').map(({ expr }) => expr);
}

/**
 * Rows by the requested bucket and only those keys that the answer uses, so that little is left to add up. Filters of
 * single series are not possible here: the engine would read the rows themselves.
 */
function bucketRows(plan: Select, query: ChartQuery, source: EventSourceSchema, { range, level }: Part): Select {
  const keys = keysOf[source.kind];
  const { table } = source;
  const isUnused = (key: string): boolean => valuesOf(plan).every((expr) => everyColumn(expr, (name) => name !== key));
  const used = [...keys.names].filter(([name]) => !isUnused(name));
  const start = (level ?? minutes).start(column(keys.time));
  const startMs = binary(call('toInt64', call('toUnixTimestamp', start)), '*', constant(1000));
  const columns: OutputColumn[] = [
    { as: 'bucket', expr: bucketStart(query, startMs) },
    ...used.map(([name, as]) => ({ as, expr: column(name) })),
  ];
  return {
    columns: [...columns, { as: 'bucket_rows', expr: call('count') }],
    from: level
      ? { kind: 'table', table, bounds: unitBounds(start, range), mayBeProjected: true }
      : { kind: 'table', table, bounds: boundTime(table, source, range) },
    where: plan.where ?? [],
    groupBy: columns.map(({ as }) => alias(as)),
  };
}

function unitBounds(start: SqlExpr, { startMs, endMs }: TimeRange): SqlExpr[] {
  const second = (ms: number): SqlExpr =>
    call('toDateTime', { kind: 'value', type: 'UInt32', text: String(ms / 1000) }, utc);
  return [binary(start, '>=', second(startMs)), binary(start, '<', second(endMs))];
}

/** Counts of rows as sums of the counts of buckets, columns by the names they have there. */
function sumOfCounts(expr: SqlExpr, keys: CountKeys): SqlExpr {
  if (expr.kind === 'column') return alias(keys.names.get(expr.name) ?? expr.name);
  const inside = mapParts(expr, (part) => sumOfCounts(part, keys));
  if (inside.kind !== 'call') return inside;
  if (inside.name === 'count') return call('sum', alias('bucket_rows'));
  return inside.name === 'countIf' ? call('sumIf', alias('bucket_rows'), ...inside.args) : inside;
}
