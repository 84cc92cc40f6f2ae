import { alias, and, binary, call, constant, type SqlExpr, sqlNull } from '../plan/sql-expr.ts';

/** Beyond this many steps every index of 32 bits is in one of two buckets; more would overflow. */
const stepsMost = 40;

/** A bucket index, `steps` scales further down: each step joins two buckets, rounding down (OTLP data model). */
export function downscaled(index: SqlExpr, steps: SqlExpr): SqlExpr {
  return call('toInt64', call('floor', binary(index, '/', bucketsJoined(steps))));
}

function bucketsJoined(steps: SqlExpr): SqlExpr {
  return call('exp2', call('least', steps, constant(stepsMost)));
}

/**
 * Whether a bucket holds less than at the point before it, both seen at `shared_scale`: looks at each bucket of the
 * point before, through the running sums `…_sums`, so that it costs no more than the buckets there are.
 */
export function bucketShrinks(side: 'positive' | 'negative'): SqlExpr {
  const before = binary(binary(alias(`${side}_from_before`), '+', alias('place')), '-', constant(1));
  const index = downscaled(before, binary(alias('scale_before'), '-', alias('shared_scale')));
  const held = (suffix: '' | '_before'): SqlExpr => {
    const joined = bucketsJoined(binary(alias(`scale${suffix}`), '-', alias('shared_scale')));
    const below = (bucket: SqlExpr): SqlExpr => countBelow(side, suffix, binary(bucket, '*', joined));
    return binary(below(binary(index, '+', constant(1))), '-', below(index));
  };
  const body = binary(held(''), '<', held('_before'));
  const places = call('arrayEnumerate', alias(`${side}_counts_before`));
  return call('arrayExists', { kind: 'lambda', names: ['place'], body }, places);
}

/** Observations in the buckets of a side below this index of its own scale. */
function countBelow(side: string, suffix: string, index: SqlExpr): SqlExpr {
  const sums = alias(`${side}_sums${suffix}`);
  const place = call('greatest', binary(index, '-', alias(`${side}_from${suffix}`)), constant(0));
  const within = call('toInt64', call('least', place, call('toFloat64', call('length', sums))));
  // Place 0 reads as 0.
  return call('arrayElement', sums, within);
}

/** Which of the ordered buckets a quantile falls into, out of their `cumulative` counts; from 1. */
export function quantilePlace(level: number): SqlExpr {
  const reached = alias('reached');
  const body = and([binary(reached, '>=', rankOf(level)), binary(reached, '>', constant(0))]);
  return call('arrayFirstIndex', { kind: 'lambda', names: ['reached'], body }, alias('cumulative'));
}

/**
 * The quantile in the bucket `place` of `indexes` at `bucket_scale`, exponential inside the bucket as in PromQL's native
 * histograms: base^(index + fraction), where base = 2^(2^-scale). The zero bucket is 0, whatever its threshold: the
 * exporter does not store that.
 */
export function quantileAt(place: SqlExpr, level: number): SqlExpr {
  const cumulativeAt = (at: SqlExpr): SqlExpr => call('arrayElement', alias('cumulative'), at);
  // Place 0 reads as 0.
  const below = cumulativeAt(binary(place, '-', constant(1)));
  const fraction = binary(binary(rankOf(level), '-', below), '/', binary(cumulativeAt(place), '-', below));
  const index = call('arrayElement', alias('indexes'), place);
  const width = call('exp2', binary(constant(0), '-', alias('bucket_scale')));
  const magnitude = (steps: SqlExpr): SqlExpr => call('exp2', binary(binary(index, '+', steps), '*', width));
  const negative = binary(constant(0), '-', magnitude(binary(constant(1), '-', fraction)));
  const isNegative = binary(place, '<', alias('zero_place'));
  const isZero = binary(place, '=', alias('zero_place'));
  const value = call('if', isNegative, negative, call('if', isZero, constant(0), magnitude(fraction)));
  return call('if', binary(alias('total'), '=', constant(0)), sqlNull, value);
}

function rankOf(level: number): SqlExpr {
  return binary(alias('total'), '*', constant(level));
}
