import { alias, and, binary, call, constant, or, type SqlExpr, sqlNull } from '../plan/sql-expr.ts';

/** Which of the ordered buckets a quantile falls into, out of their `cumulative` counts; from 1. */
export function quantilePlace(level: number): SqlExpr {
  const reached = alias('reached');
  const body = and([binary(reached, '>=', rankOf(level)), binary(reached, '>', constant(0))]);
  return call('arrayFirstIndex', { kind: 'lambda', names: ['reached'], body }, alias('cumulative'));
}

/**
 * The quantile in the bucket `place` out of `cumulative` counts at `all_edges` (the last edge is infinity), linear inside
 * the bucket as in PromQL: the first bucket begins at 0 unless its edge is not positive, and whatever lies beyond the
 * last finite edge is that edge. `place` is written out many times: it should be the name of a column.
 */
export function interpolate(place: SqlExpr, level: number): SqlExpr {
  const rank = rankOf(level);
  const edge = call('arrayElement', alias('all_edges'), place);
  const isFirst = binary(place, '=', constant(1));
  const before = binary(place, '-', constant(1));
  const lower = call('if', isFirst, constant(0), call('arrayElement', alias('all_edges'), before));
  const below = call('if', isFirst, constant(0), call('arrayElement', alias('cumulative'), before));
  const inBucket = binary(call('arrayElement', alias('cumulative'), place), '-', below);
  const inside = binary(
    lower,
    '+',
    binary(binary(edge, '-', lower), '*', binary(binary(rank, '-', below), '/', inBucket)),
  );
  const isOverflow = binary(place, '=', call('length', alias('all_edges')));
  const lastFinite = call('arrayElement', alias('all_edges'), before);
  const value = call(
    'if',
    isOverflow,
    lastFinite,
    call('if', and([isFirst, binary(edge, '<=', constant(0))]), edge, inside),
  );
  const isUnknown = or([binary(alias('total'), '=', constant(0)), and([isFirst, isOverflow])]);
  return call('if', isUnknown, sqlNull, value);
}

/** How many of the `total` observations a quantile leaves behind. */
export function rankOf(level: number): SqlExpr {
  return binary(alias('total'), '*', constant(level));
}
