import type { TableSchema } from '../source-schema.ts';
import { alias, type SqlExpr } from './sql-expr.ts';

/** One SELECT as a tree. Every condition of `where` is printed in parentheses. */
export interface Select {
  readonly columns: readonly OutputColumn[];
  readonly from: From;
  readonly where?: readonly SqlExpr[];
  readonly groupBy?: readonly SqlExpr[];
  /** The table may be sorted by `groupBy`: the engine then reads it in that order and has each group in one go. */
  readonly inOrder?: true;
  /** Too few rows for several threads. */
  readonly fewRows?: true;
  /** Instead of `groupBy`: one result for each of these, all from one read. */
  readonly groupingSets?: readonly (readonly SqlExpr[])[];
  readonly having?: SqlExpr;
  /** Only rows whose value is none of those that the other select finds. */
  readonly noneOf?: { readonly item: SqlExpr; readonly select: Select };
  readonly orderBy?: readonly Ordering[];
  /** Of the rows that are equal in `by`, the first so many; before `limit`. */
  readonly limitPer?: { readonly rows: number; readonly by: readonly SqlExpr[] };
  readonly limit?: number;
  readonly offset?: number;
  /** One value that is worked out before this select and known in it, and in the selects inside it, by its name. */
  readonly known?: { readonly as: string; readonly select: Select };
  /** ARRAY JOIN of this alias, one row per element. */
  readonly unfold?: { readonly array: string; readonly as: string };
}

export interface OutputColumn {
  readonly as: string;
  readonly expr: SqlExpr;
}

/** The column of this name of the select inside. */
export function sameColumn(as: string): OutputColumn {
  return { as, expr: alias(as) };
}

export interface Ordering {
  readonly expr: SqlExpr;
  readonly descending?: boolean;
}

export type From =
  | TableRead
  | { readonly kind: 'select'; readonly select: Select }
  | { readonly kind: 'union'; readonly selects: readonly Select[] }
  /** Pairs of rows whose keys, columns of the two selects, are equal; the names of all their columns differ. */
  | { readonly kind: 'join'; readonly left: Joined; readonly right: Joined };

interface Joined {
  readonly select: Select;
  readonly key: string;
}

/** A read of one table over one stretch of time. Unbounded reads can't be written down. */
export interface TableRead {
  readonly kind: 'table';
  readonly table: TableSchema;
  /** Conditions on the time columns; never empty after `bound-time`, ANDed before all others. */
  readonly bounds: readonly SqlExpr[];
  /** A projection of the table may hold the answer, so the engine should look for one. */
  readonly mayBeProjected?: true;
}

/** All selects of the tree, the outermost first. */
export function* allSelects(select: Select): Generator<Select> {
  yield select;
  if (select.known) yield* allSelects(select.known.select);
  if (select.from.kind === 'select') yield* allSelects(select.from.select);
  if (select.noneOf) yield* allSelects(select.noneOf.select);
  if (select.from.kind === 'join') {
    yield* allSelects(select.from.left.select);
    yield* allSelects(select.from.right.select);
  }
  if (select.from.kind === 'union') for (const part of select.from.selects) yield* allSelects(part);
}

/** All expressions of one select, not those of the selects inside it. */
export function* expressionsOf(select: Select): Generator<SqlExpr> {
  for (const { expr } of select.columns) yield expr;
  if (select.from.kind === 'table') yield* select.from.bounds;
  yield* select.where ?? [];
  if (select.noneOf) yield select.noneOf.item;
  yield* select.groupBy ?? [];
  for (const set of select.groupingSets ?? []) yield* set;
  if (select.having) yield select.having;
  for (const { expr } of select.orderBy ?? []) yield expr;
  yield* select.limitPer?.by ?? [];
}
