import { type OutputColumn, type Select, sameColumn, type TableRead } from '../plan/select.ts';
import { alias, and, binary, call, column, constant, not, or, type SqlExpr } from '../plan/sql-expr.ts';
import { nanoseconds } from '../plan/time-buckets.ts';
import { attributeSet, isDelta, type MetricScan, pointTime, readPoints, temporality } from './metric-scan.ts';

/** How far before a point its start may lie for the point to count in full though nothing came before it (C9). */
const freshMs = 600_000;
/** How far before a point another one of its stream may lie for the difference between them to count. */
const carriedMs = 86_400_000;

/** Something of each point that is compared with the same of the point before it. */
export interface Reading {
  readonly as: string;
  readonly expr: SqlExpr;
  /** Its value where there is no previous point; may use `counts_in_full`. */
  readonly none: SqlExpr;
}

export interface StreamParts {
  readonly scan: MetricScan;
  /** Orders points of one instant; in a cumulative stream it grows. */
  readonly size: string;
  /** Of all points that count, beside name and filter. */
  readonly where?: readonly SqlExpr[];
  /** What else is known of each point. */
  readonly facts: readonly OutputColumn[];
  readonly readings: readonly Reading[];
}

/**
 * One row per point, the points before the range included that those inside it are compared with: the facts, and each
 * reading under its name and, of the point before it in its stream, under `…_before`. A stream is what one sender counts
 * from one start timestamp on, under one attribute set. What a cumulative point adds is known of it and of what came
 * before it, wherever a range begins and however wide buckets are:
 *
 * - The point before it in its stream, less than a day ago: the difference counts, and all of the point after a reset.
 * - None, and another stream of the set before it: all of the point counts if it started after that one's last point;
 *   nothing if the two overlap, as it is then only a baseline.
 * - Nothing at all: the point counts in full if it started less than ten minutes ago.
 * - A start that is not before the point is none: the point says where counting starts. Where every point of a sender is
 *   like that, they are one stream.
 *
 * `counts_in_full` says so of a point without one before it. `is_restart` says of a point that its set is not one stream
 * within reach: then the answer is only right if the plan was made for it (`MetricScan.isCareful`), which costs more.
 */
export function streamPoints(parts: StreamParts): Select {
  return parts.scan.isCareful ? carefulPoints(parts) : pointsOfOneStream(parts);
}

/** Whether a point is of a set with several streams, or may have one before it that is not read. */
export const isRestart = alias('is_restart');

function pointsOfOneStream(parts: StreamParts, own: readonly SqlExpr[] = []): Select {
  const { scan, readings } = parts;
  const [time, start] = [timeOf(scan), startOf(scan)];
  const lag = lagOver([alias('attribute_set'), temporality(scan.table)], parts);
  const isFirstOfAll = alias('counts_in_full');
  const { range } = scan.query;
  const isLong = range.endMs - range.startMs + freshMs > carriedMs;
  const before = (expr: SqlExpr, none: SqlExpr): SqlExpr =>
    isLong ? call('if', isWithin(time, lag(time), carriedMs), lag(expr), none) : lag(expr, none);
  const startBefore = lag(start, call('if', isFirstOfAll, start, binary(start, '-', constant(1))));
  const { from, where } = readPoints(scan, freshMs);
  return {
    columns: [
      ...factsOf(parts),
      { as: 'counts_in_full', expr: and([binary(start, '<', time), isWithin(time, start, freshMs)]) },
      ...readings.flatMap(({ as, expr, none }) => [
        { as, expr },
        { as: `${as}_before`, expr: before(expr, none) },
      ]),
      ...sinceColumns(parts, before(time, zero)),
      { as: 'is_restart', expr: and([not(isDelta(scan)), binary(start, '!=', startBefore)]) },
      takesTurns(parts, lag),
    ],
    from,
    where: [...where, ...(parts.where ?? []), ...own],
  };
}

/** Sets with more than one stream, or with points before what is read anyway, are read for themselves, in two orders. */
function carefulPoints(parts: StreamParts): Select {
  const set = attributeSet(parts.scan);
  const [restarting, reaching] = [1, 2].map((at) => call('tupleElement', alias('restarts'), constant(at)));
  if (!restarting || !reaching) throw new Error('two lists of sets');
  const isIn = (array: SqlExpr): SqlExpr => ({ kind: 'memberOf', item: set, array });
  const settled = pointsOfOneStream(parts, [not(isIn(restarting))]);
  const { from, where } = readPoints(parts.scan, carriedMs);
  const isReadAnyway = readPoints(parts.scan, freshMs).from.bounds;
  // Without sets that reach back, nothing so old is read.
  const isNeeded = or([and(isReadAnyway), and([call('notEmpty', reaching), isIn(reaching)])]);
  const restarted = pointsOfStreams(parts, from, [...where, call('notEmpty', restarting), isIn(restarting), isNeeded]);
  return {
    known: { as: 'restarts', select: restartsOf(parts) },
    columns: settled.columns.map(({ as }) => sameColumn(as)),
    from: { kind: 'union', selects: [settled, restarted] },
  };
}

/** `(sets that are not one stream within reach, those of them whose points may have one before what is read anyway)`. */
function restartsOf({ scan, where = [] }: StreamParts): Select {
  const { from, where: read } = readPoints(scan, freshMs);
  const [start, first] = [alias('stream_start'), alias('first_point')];
  const streams: Select = {
    columns: [
      { as: 'own_set', expr: attributeSet(scan) },
      { as: 'stream_start', expr: startOf(scan) },
      { as: 'first_point', expr: call('min', timeOf(scan)) },
    ],
    from,
    where: [...read, ...where, not(isDelta(scan))],
    groupBy: [alias('own_set'), start],
  };
  const isInside = binary(first, '>=', nanosecondsValue(scan.query.range.startMs));
  const mayReachBack = or([not(isWithin(first, start, freshMs)), binary(start, '>=', first)]);
  const sets: Select = {
    columns: [sameColumn('own_set'), { as: 'reaches', expr: call('max', and([isInside, mayReachBack])) }],
    from: { kind: 'select', select: streams },
    groupBy: [alias('own_set')],
    having: or([binary(call('count'), '>', constant(1)), alias('reaches')]),
  };
  const found = call(
    'tuple',
    call('groupArray', alias('own_set')),
    call('groupArrayIf', alias('own_set'), alias('reaches')),
  );
  return { columns: [{ as: 'found', expr: found }], from: { kind: 'select', select: sets } };
}

/** Of sets with several streams, one after the other or side by side. */
function pointsOfStreams(parts: StreamParts, from: TableRead, where: readonly SqlExpr[]): Select {
  const { scan, readings } = parts;
  const set = [alias('attribute_set'), temporality(scan.table)];
  const ofStream = lagOver([...set, startOf(scan)], parts);
  const ofSet = lagOver(set, parts);
  const compared = [
    ...readings.map(({ as, expr }) => ({ as, expr })),
    { as: 'own_time', expr: timeOf(scan) },
    { as: 'own_start', expr: startOf(scan) },
  ];
  const points: Select = {
    columns: [
      ...factsOf(parts),
      ...compared.flatMap(({ as, expr }) => [
        { as, expr },
        { as: `${as}_of_stream`, expr: ofStream(expr) },
        { as: `${as}_of_set`, expr: ofSet(expr) },
      ]),
      takesTurns(parts, ofStream),
    ],
    from,
    where: [...where, ...(parts.where ?? [])],
  };
  const [time, start] = [alias('own_time'), alias('own_start')];
  const [timeOfSet, startOfSet] = [alias('own_time_of_set'), alias('own_start_of_set')];
  const checked: Select = {
    columns: [
      ...points.columns.map(({ as }) => sameColumn(as)),
      { as: 'in_stream', expr: isWithin(time, alias('own_time_of_stream'), carriedMs) },
      { as: 'in_set', expr: isWithin(time, timeOfSet, carriedMs) },
      {
        as: 'never_starts',
        expr: and([alias('in_set'), binary(start, '>=', time), binary(startOfSet, '>=', timeOfSet)]),
      },
      {
        as: 'counts_in_full',
        expr: and([
          binary(start, '<', time),
          call('if', alias('in_set'), binary(timeOfSet, '<=', start), isWithin(time, start, freshMs)),
        ]),
      },
    ],
    from: { kind: 'select', select: points },
  };
  const before = (as: string, none: SqlExpr): SqlExpr => {
    const bySet = call('if', alias('never_starts'), alias(`${as}_of_set`), none);
    return call('if', alias('in_stream'), alias(`${as}_of_stream`), bySet);
  };
  return {
    columns: [
      ...factsOf(parts).map(({ as }) => sameColumn(as)),
      sameColumn('counts_in_full'),
      ...readings.flatMap(({ as, none }) => [sameColumn(as), { as: `${as}_before`, expr: before(as, none) }]),
      ...sinceColumns(parts, before('own_time', zero)),
      { as: 'is_restart', expr: not(alias('is_delta')) },
      sameColumn('takes_turns'),
    ],
    from: { kind: 'select', select: checked },
  };
}

function factsOf({ scan, facts }: StreamParts): OutputColumn[] {
  return [
    pointTime(scan),
    { as: 'is_delta', expr: isDelta(scan) },
    ...(asksForRate(scan)
      ? [
          { as: 'started', expr: startOf(scan) },
          { as: 'ended', expr: timeOf(scan) },
        ]
      : []),
    ...facts,
  ];
}

export function asksForRate({ series }: MetricScan): boolean {
  return series.some(({ query }) => query.aggregate === 'rate');
}

/** `since`, Unix ms: where the time begins that the gain of a point was observed over, which ends with the point. */
function sinceColumns({ scan }: StreamParts, timeBefore: SqlExpr): OutputColumn[] {
  if (!asksForRate(scan)) return [];
  const [started, ended, isOfDelta] = [alias('started'), alias('ended'), alias('is_delta')];
  const isStarted = and([binary(started, '>', zero), binary(started, '<', ended)]);
  const own = (isKnown: SqlExpr): SqlExpr => call('if', and([isStarted, isKnown]), started, ended);
  const cumulative = call('if', binary(timeBefore, '>', zero), timeBefore, own(alias('counts_in_full')));
  const since = call('if', isOfDelta, own(isOfDelta), cumulative);
  return [{ as: 'since', expr: call('intDiv', since, constant(1_000_000)) }];
}

const zero = call('toInt64', constant(0));

/** Of the point so many before, one unless specified; `none`, else what is 0 or empty, where there is none. */
type Lag = (reading: SqlExpr, none?: SqlExpr, points?: number) => SqlExpr;

function lagOver(partitionBy: readonly SqlExpr[], { scan: { source }, size }: StreamParts): Lag {
  return (reading, none, points = 1) => ({
    kind: 'window',
    call: call('lagInFrame', reading, constant(points), ...(none ? [none] : [])),
    partitionBy,
    orderBy: [column(source.timestampColumn), column(size)],
  });
}

/** `takes_turns`: the readings fell and are back where they were. Two senders do so in turns that cannot be distinguished. */
function takesTurns({ scan, size }: StreamParts, lag: Lag): OutputColumn {
  const [now, most] = [call('toFloat64', column(size)), constant(Number.POSITIVE_INFINITY)];
  const [before, twoBefore] = [lag(now, most), lag(now, most, 2)];
  const isBack = and([binary(before, '<', twoBefore), binary(now, '>=', twoBefore)]);
  return { as: 'takes_turns', expr: and([isBack, not(isDelta(scan))]) };
}

function isWithin(time: SqlExpr, earlier: SqlExpr, distanceMs: number): SqlExpr {
  return binary(binary(time, '-', earlier), '<', nanosecondsValue(distanceMs));
}

function timeOf({ table, source }: MetricScan): SqlExpr {
  return nanoseconds(table, source.timestampColumn);
}

/** 0 if senders do not send it. */
function startOf({ table }: MetricScan): SqlExpr {
  return table.columns.has('StartTimeUnix') ? nanoseconds(table, 'StartTimeUnix') : zero;
}

function nanosecondsValue(ms: number): SqlExpr {
  return { kind: 'value', type: 'Int64', text: ms === 0 ? '0' : `${ms}000000` };
}
