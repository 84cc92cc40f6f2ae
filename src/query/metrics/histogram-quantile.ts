import { alias, and, binary, call, constant, or, type SqlExpr, sqlNull } from '../plan/sql-expr.ts';

/**
 * The quantile out of `cumulative` counts at `all_edges` (the last edge is infinity), linear inside the bucket as in
 * PromQL: the first bucket begins at 0 unless its edge is not positive, and whatever lies beyond the last finite edge
 * is that edge.
 */
export function interpolate(level: number): SqlExpr {
  const rank = binary(alias('total'), '*', constant(level));
  const reaches: SqlExpr = {
    kind: 'lambda',
    names: ['reached'],
    body: and([binary(alias('reached'), '>=', rank), binary(alias('reached'), '>', constant(0))]),
  };
  const bucket = call('arrayFirstIndex', reaches, alias('cumulative'));
  const edge = call('arrayElement', alias('all_edges'), bucket);
  const isFirst = binary(bucket, '=', constant(1));
  const before = binary(bucket, '-', constant(1));
  const lower = call('if', isFirst, constant(0), call('arrayElement', alias('all_edges'), before));
  const below = call('if', isFirst, constant(0), call('arrayElement', alias('cumulative'), before));
  const inBucket = binary(call('arrayElement', alias('cumulative'), bucket), '-', below);
  const inside = binary(
    lower,
    '+',
    binary(binary(edge, '-', lower), '*', binary(binary(rank, '-', below), '/', inBucket)),
  );
  const isOverflow = binary(bucket, '=', call('length', alias('all_edges')));
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
