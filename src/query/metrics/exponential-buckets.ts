import { alias, and, binary, call, constant, type SqlExpr } from '../plan/sql-expr.ts';

/** Beyond this many steps every index of 32 bits is in one of two buckets; more would overflow. */
export const bucketStepsMost = 40;

/** A bucket index, `steps` scales further down: each step joins two buckets, rounding down (OTLP data model). */
function downscaled(index: SqlExpr, steps: SqlExpr): SqlExpr {
  return call('toInt64', call('floor', binary(index, '/', bucketsJoined(steps))));
}

function bucketsJoined(steps: SqlExpr): SqlExpr {
  return call('exp2', call('least', steps, constant(bucketStepsMost)));
}

export type Side = 'positive' | 'negative';

/** The indexes of a side's buckets at this scale, one per bucket, of the point or (`_before`) the one before it. */
export function bucketIndexes(side: Side, suffix: '' | '_before', scale: SqlExpr): SqlExpr {
  const index = binary(binary(alias(`${side}_from${suffix}`), '+', alias('place')), '-', constant(1));
  const body = downscaled(index, binary(alias(`scale${suffix}`), '-', scale));
  const places = call('arrayEnumerate', alias(`${side}_counts${suffix}`));
  return call('arrayMap', { kind: 'lambda', names: ['place'], body }, places);
}

/** The counts of a side's buckets in floating point, so that gains can be negative. */
export function bucketCounts(side: Side, suffix: '' | '_before', sign: 1 | -1): SqlExpr {
  const body = binary(constant(sign), '*', call('toFloat64', alias('each')));
  return call('arrayMap', { kind: 'lambda', names: ['each'], body }, alias(`${side}_counts${suffix}`));
}

/**
 * `(indexes, gains)` of a side since the point before, both seen at `shared_scale`. No lambda here looks into an array:
 * the engine would copy that array for each bucket. Where both have the same buckets, as nearly always, one list is
 * taken from the other; to find out which belong together takes the engine ten times as long.
 */
export function bucketGains(side: Side): SqlExpr {
  return call('if', hasSameBuckets(side), gainsInPlace(side), gainsByIndex(side));
}

function hasSameBuckets(side: Side): SqlExpr {
  const isSame = (name: string): SqlExpr => binary(alias(name), '=', alias(`${name}_before`));
  const [now, before] = [alias(`${side}_counts`), alias(`${side}_counts_before`)];
  return and([isSame('scale'), isSame(`${side}_from`), binary(call('length', now), '=', call('length', before))]);
}

function gainsInPlace(side: Side): SqlExpr {
  const [now, before] = [call('toFloat64', alias('now')), call('toFloat64', alias('before'))];
  const gain: SqlExpr = { kind: 'lambda', names: ['now', 'before'], body: binary(now, '-', before) };
  const counts = alias(`${side}_counts`);
  // The engine evaluates these even where their lengths differ, and would reject them.
  const countsBefore = call('arrayResize', alias(`${side}_counts_before`), call('length', counts));
  return call('tuple', bucketIndexes(side, '', alias('scale')), call('arrayMap', gain, counts, countsBefore));
}

function gainsByIndex(side: Side): SqlExpr {
  const buckets = (suffix: '' | '_before', sign: 1 | -1): SqlExpr =>
    call('tuple', bucketIndexes(side, suffix, alias('shared_scale')), bucketCounts(side, suffix, sign));
  return call('mapAdd', buckets('', 1), buckets('_before', -1));
}

/** Whether a bucket holds less than at the point before it. */
export function bucketShrinks(side: Side): SqlExpr {
  const body = binary(alias('gain'), '<', constant(0));
  const gains = call('tupleElement', alias(`${side}_gains`), constant(2));
  return call('arrayExists', { kind: 'lambda', names: ['gain'], body }, gains);
}
