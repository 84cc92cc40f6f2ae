import type { Aggregate, AggregateInput } from './aggregates/aggregate.ts';
import { findAggregate } from './aggregates/registry.ts';
import type { Call, TextExpr } from './ast/text-expr.ts';
import type { AggregateName } from './chart-query.ts';
import { compileCondition, compileTree } from './compile-text.ts';
import { QueryTextError } from './compiled-query.ts';
import { lowerCall } from './lower/lower-call.ts';
import { lowerCompare } from './lower/lower-comparison.ts';
import { asNumber, atPlaceOf, type Typed } from './lower/typed.ts';
import { and, binary, call, not, or, type SqlExpr, sqlNull } from './plan/sql-expr.ts';
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
/** The same with those that only expressions have: any value is the newest one, so that it is the same at each reading. */
const namesInExpressions: Readonly<Record<string, AggregateName>> = {
  ...names,
  any: 'last_value',
  anylast: 'last_value',
  median: 'quantile',
  quantile: 'quantile',
  quantileexact: 'quantile',
  quantileexactinclusive: 'quantile',
  quantiletdigest: 'quantile',
};
/** Each costs the engine what a series costs. */
const aggregatesMax = 20;

type Input = Omit<AggregateInput, 'value' | 'level' | 'levels'>;

/** A text such as `count()` or `sum(Duration)` as an aggregate over the table. Throws `QueryTextError`. */
export function compileAggregate(text: string, scope: Scope, input: Input): SqlExpr {
  const tree = parseSqlValue(text);
  const aggregate = tree.kind === 'call' && !tree.parameters ? named(names, tree.name) : undefined;
  if (tree.kind !== 'call' || !aggregate) {
    throw new QueryTextError('must be count(), or sum, avg, min, max or uniq of a field', 0, text.length);
  }
  return build(tree, aggregate, scope, { ...input, level: 0.5 });
}

/**
 * A text that is calculated of aggregates, such as `countIf(StatusCode = 'Error') / count()` or
 * `quantile(0.98)(Duration) / 1e6`: what current clients write for `aggFn` `none`. NULL where it is no finite number.
 * Throws `QueryTextError` with the position.
 */
export function compileAggregates(text: string, scope: Scope, input: Input): SqlExpr {
  const expression = new AggregateExpression(scope, input);
  const value = expression.valueOf(parseSqlValue(text));
  if (expression.aggregates === 0) {
    throw new QueryTextError(
      'an aggregate is missing, such as count(), sum(Duration) or any(Duration)',
      0,
      text.length,
    );
  }
  return asNumber(value).sql;
}

class AggregateExpression {
  readonly #scope: Scope;
  readonly #input: Input;
  aggregates = 0;

  constructor(scope: Scope, input: Input) {
    this.#scope = scope;
    this.#input = input;
  }

  valueOf(tree: TextExpr): Typed {
    switch (tree.kind) {
      case 'literal':
        return compileTree(tree, this.#scope);
      case 'arithmetic': {
        const [left, right] = [tree.left, tree.right].map((part) => {
          const { sql } = atPlaceOf(tree, () => asNumber(this.valueOf(part)));
          return call('toFloat64', sql);
        });
        return number(binary(left ?? sqlNull, tree.operator, right ?? sqlNull));
      }
      case 'call':
        return this.#call(tree);
      case 'name':
        throw new QueryTextError(
          `"${tree.name}" is outside of an aggregate; use any(${tree.name}), or group by it`,
          tree.start,
          tree.end,
        );
      default:
        return { sql: this.#condition(tree), base: 'bool', nullable: true };
    }
  }

  #condition(tree: TextExpr): SqlExpr {
    switch (tree.kind) {
      case 'allOf':
        return and(tree.items.map((item) => this.#condition(item)));
      case 'anyOf':
        return or(tree.items.map((item) => this.#condition(item)));
      case 'not':
        return not(this.#condition(tree.item));
      case 'isNull':
        return call('isNull', this.valueOf(tree.item).sql);
      case 'compare':
        return lowerCompare(tree, this.valueOf(tree.left), this.valueOf(tree.right));
      default:
        throw new QueryTextError('only comparisons of aggregates are conditions here');
    }
  }

  #call(tree: Call): Typed {
    const found = this.#aggregateOf(tree);
    if (!found) {
      return lowerCall(tree, (arg, as) =>
        as === 'condition' ? { sql: this.#condition(arg), base: 'bool', nullable: true } : this.valueOf(arg),
      );
    }
    if (++this.aggregates > aggregatesMax) {
      throw new QueryTextError(`more than ${aggregatesMax} aggregates in one expression`, tree.start, tree.end);
    }
    const { aggregate, args, condition } = found;
    const conditions = [this.#input.condition, condition && compileCondition(condition, this.#scope)];
    const present = conditions.filter((each) => each !== undefined);
    const input = { ...this.#input, ...(present.length > 0 && { condition: and(present) }), level: levelOf(tree) };
    return number(build({ ...tree, args }, aggregate, this.#scope, input));
  }

  /** `sumIf(x, condition)` is `sum(x)` of the rows that meet the condition. */
  #aggregateOf(tree: Call): { aggregate: Aggregate; args: readonly TextExpr[]; condition?: TextExpr } | undefined {
    const aggregate = named(namesInExpressions, tree.name);
    if (aggregate) return { aggregate, args: tree.args };
    const conditional = /^(.+)if$/i.exec(tree.name)?.[1];
    const inner = conditional === undefined ? undefined : named(namesInExpressions, conditional);
    const condition = tree.args.at(-1);
    return inner && condition && { aggregate: inner, args: tree.args.slice(0, -1), condition };
  }
}

function number(sql: SqlExpr): Typed {
  return { sql, base: 'float', nullable: true };
}

/** The parameter of a quantile, the median without one. */
function levelOf({ name, parameters = [], start, end }: Call): number {
  const [first, ...others] = parameters;
  if (!first) return 0.5;
  const isQuantile = name.toLowerCase().startsWith('quantile');
  const level = first.kind === 'literal' && first.type === 'number' ? Number(first.text) : Number.NaN;
  if (isQuantile && others.length === 0 && level >= 0 && level <= 1) return level;
  throw new QueryTextError(
    'only quantile has a parameter, a level from 0 to 1, as in quantile(0.95)(Duration)',
    start,
    end,
  );
}

function build(tree: Call, aggregate: Aggregate, scope: Scope, input: Input & { level: number }): SqlExpr {
  const [argument, ...others] = tree.args;
  const { needsField } = aggregate;
  if (others.length > 0 || (argument !== undefined) !== needsField) {
    const wanted = needsField ? 'one argument' : 'no argument';
    throw new QueryTextError(`${tree.name} takes ${wanted}`, tree.start, tree.end);
  }
  const value = argument ? compileTree(argument, scope) : { sql: sqlNull, base: 'other' as const, nullable: true };
  return atPlaceOf(tree, () => aggregate.build({ ...input, levels: [input.level], value }));
}

function named(known: Readonly<Record<string, AggregateName>>, name: string): Aggregate | undefined {
  const found = Object.hasOwn(known, name.toLowerCase()) ? known[name.toLowerCase()] : undefined;
  return found && findAggregate(found);
}
