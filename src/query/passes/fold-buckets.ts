import type { ChartQuery } from '../chart-query.ts';
import { type OutputColumn, type Select, sameColumn } from '../plan/select.ts';
import { alias, binary, call, constant, or, type SqlExpr } from '../plan/sql-expr.ts';
import { type BucketSteps, bucketSteps } from '../plan/time-buckets.ts';
import { mapParts } from '../plan/walk-expr.ts';
import { columnType } from '../schema/column-type.ts';
import type { EventSourceSchema, TableSchema } from '../source-schema.ts';

/** Groups with their buckets in arrays: one row per group, unfolded into a row per bucket and group at the very end. */
export interface FoldedGroups {
  readonly groups: Select;
  /** Rows of a group, by the columns of `groups`: those of all series. */
  readonly groupRows: SqlExpr;
  /** The plan that was folded, read from `groups` or a select over them with the same columns. */
  unfold(groups: Select): Select;
}

/** Most numbers per group, as the number of groups is unknown. */
const roomMax = 32;
/** Shorter ranges hold few rows, and unfolding takes the engine a few milliseconds to plan. */
const rangeMsMin = 30 * 60_000;

/** Aggregates that say of nothing what they say of missing values only, by bucket as well as alone. */
const alwaysFoldable = new Set(
  ['count', 'avg', 'quantileExactInclusive', 'quantilesExactInclusive', 'uniqExact'].flatMap(withCondition),
);
/** They have no value where there are missing values only, and 0 in an array. */
const foldableOfPresent = new Set(['sum', 'min', 'max'].flatMap(withCondition));
/** These keep more than a number or two for each bucket. */
const large = new Set(['quantileExactInclusive', 'quantilesExactInclusive', 'uniqExact'].flatMap(withCondition));
const roomOfLarge = 8;

/**
 * Groups rows by the groups alone; each aggregate keeps an array by bucket (`-Resample`). The largest of many groups are
 * then found without putting their buckets together again, which would cost as much as reading them. `undefined` where
 * this would not be the same answer or not be cheaper. `plan` is of `planEvents`.
 */
export function foldBuckets(plan: Select, query: ChartQuery, source: EventSourceSchema): FoldedGroups | undefined {
  const steps = bucketSteps(query, source);
  const isShort = query.range.endMs - query.range.startMs < rangeMsMin;
  if (!steps || isShort || query.groupBy.length === 0) return undefined;
  const [, ...columns] = plan.columns;
  const keys = columns.slice(0, query.groupBy.length);
  const values = columns.slice(query.groupBy.length);
  const arrays = new BucketArrays(steps, source.table);
  const elements = values.map(({ as, expr }): OutputColumn => ({ as, expr: arrays.elementOf(expr) }));
  if (!arrays.fit) return undefined;
  const counts = elements.filter(({ as }) => as.startsWith('n'));
  return {
    groups: {
      columns: [...keys, ...arrays.columns],
      from: plan.from,
      ...(plan.where && { where: plan.where }),
      groupBy: keys.map(({ as }) => alias(as)),
    },
    groupRows: sumOf(counts),
    unfold: (groups) => ({
      columns: [
        { as: 'ts', expr: steps.startOf(binary(alias('bucket'), '+', constant(steps.first - 1))) },
        ...keys.map(({ as }) => sameColumn(as)),
        ...elements,
      ],
      from: { kind: 'select', select: groups },
      unfold: { array: 'buckets', as: 'bucket' },
      where: [or(counts.map(({ expr }) => binary(expr, '>', constant(0))))],
    }),
  };
}

/** `counts`: elements of arrays. */
function sumOf(counts: readonly OutputColumn[]): SqlExpr {
  return counts
    .flatMap(({ expr }) => (expr.kind === 'call' && expr.args[0] ? [call('arraySum', expr.args[0])] : []))
    .reduce((left, right) => binary(left, '+', right));
}

/** Collects the aggregates of a plan as arrays by bucket. */
class BucketArrays {
  readonly #steps: BucketSteps;
  readonly #table: TableSchema;
  readonly #arrays = new Map<string, Extract<SqlExpr, { kind: 'call' }>>();
  #fits = true;

  constructor(steps: BucketSteps, table: TableSchema) {
    this.#steps = steps;
    this.#table = table;
  }

  get columns(): OutputColumn[] {
    const { step, first, end } = this.#steps;
    const arrays = [...this.#arrays.values()].map(
      (aggregate, index): OutputColumn => ({
        as: `a${index}`,
        expr: { ...aggregate, args: [...aggregate.args, step], buckets: { first, end } },
      }),
    );
    return [...arrays, { as: 'buckets', expr: call('arrayEnumerate', alias('a0')) }];
  }

  /** The expression over the elements of one bucket. */
  elementOf(expr: SqlExpr): SqlExpr {
    if (expr.kind === 'column' || expr.kind === 'attribute') this.#fits = false;
    if (expr.kind !== 'call' || !this.#isFoldable(expr)) return mapParts(expr, (part) => this.elementOf(part));
    const key = JSON.stringify(expr);
    if (!this.#arrays.has(key)) this.#arrays.set(key, expr);
    return call('arrayElement', alias(`a${[...this.#arrays.keys()].indexOf(key)}`), alias('bucket'));
  }

  /** Whether all aggregates fit into arrays, within the limit per group. */
  get fit(): boolean {
    const buckets = this.#steps.end - this.#steps.first;
    const numbers = [...this.#arrays.values()].map(({ name }) => (large.has(name) ? roomOfLarge : 1));
    const room = buckets * numbers.reduce((sum, each) => sum + each, 0);
    return this.#fits && buckets > 1 && room <= roomMax;
  }

  #isFoldable({ name, args }: Extract<SqlExpr, { kind: 'call' }>): boolean {
    if (alwaysFoldable.has(name)) return true;
    return foldableOfPresent.has(name) && args[0] !== undefined && isPresent(args[0], this.#table);
  }
}

function withCondition(name: string): string[] {
  return [name, `${name}If`];
}

/** Never NULL. */
function isPresent(expr: SqlExpr, table: TableSchema): boolean {
  if (expr.kind === 'column') return !columnType(table.columns.get(expr.name) ?? 'Nullable(String)').nullable;
  if (expr.kind === 'number') return true;
  if (expr.kind === 'binary') return isPresent(expr.left, table) && isPresent(expr.right, table);
  const keepsPresent = expr.kind === 'call' && ['toFloat64', 'toUInt64', 'greatest'].includes(expr.name);
  return keepsPresent && expr.args.every((arg) => isPresent(arg, table));
}
