import type { Aggregate, AggregateInput } from './aggregates/aggregate.ts';
import { findAggregate } from './aggregates/registry.ts';
import type { AggregateName } from './chart-query.ts';
import { compileTree } from './compile-text.ts';
import { QueryTextError } from './compiled-query.ts';
import { atPlaceOf } from './lower/typed.ts';
import { type SqlExpr, sqlNull } from './plan/sql-expr.ts';
import type { Scope } from './schema/scope.ts';
import { parseSqlValue } from './sql/parse-sql.ts';

/** Aggregates as SQL writes them; texts are compared in lower case. */
const names: Readonly<Record<string, AggregateName>> = {
  count: 'count',
  sum: 'sum',
  avg: 'avg',
  min: 'min',
  max: 'max',
  uniq: 'count_distinct',
  uniqexact: 'count_distinct',
};

/** A text such as `count()` or `sum(Duration)` as an aggregate over the table. Throws `QueryTextError`. */
export function compileAggregate(text: string, scope: Scope, input: Omit<AggregateInput, 'value'>): SqlExpr {
  const tree = parseSqlValue(text);
  const aggregate = tree.kind === 'call' ? named(tree.name) : undefined;
  if (tree.kind !== 'call' || !aggregate) {
    throw new QueryTextError('must be count(), or sum, avg, min, max or uniq of a field', 0, text.length);
  }
  const [argument, ...others] = tree.args;
  const { needsField } = aggregate;
  if (others.length > 0 || (argument !== undefined) !== needsField) {
    throw new QueryTextError(`${tree.name} takes ${needsField ? 'one argument' : 'no argument'}`, 0, text.length);
  }
  const value = argument ? compileTree(argument, scope) : { sql: sqlNull, base: 'other' as const, nullable: true };
  return atPlaceOf(tree, () => aggregate.build({ ...input, value }));
}

function named(name: string): Aggregate | undefined {
  const known = Object.hasOwn(names, name.toLowerCase()) ? names[name.toLowerCase()] : undefined;
  return known && findAggregate(known);
}
