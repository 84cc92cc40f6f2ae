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
  | { readonly kind: 'union'; readonly selects: readonly Select[] };

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
  if (select.from.kind === 'union') for (const part of select.from.selects) yield* allSelects(part);
}

/** All expressions of one select, not those of the selects inside it. */
export function* expressionsOf(select: Select): Generator<SqlExpr> {
  for (const { expr } of select.columns) yield expr;
  if (select.from.kind === 'table') yield* select.from.bounds;
  yield* select.where ?? [];
  yield* select.groupBy ?? [];
  for (const set of select.groupingSets ?? []) yield* set;
  if (select.having) yield select.having;
  for (const { expr } of select.orderBy ?? []) yield expr;
  yield* select.limitPer?.by ?? [];
}
