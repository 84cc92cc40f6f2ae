import type { AggregateName } from '../chart-query.ts';
import type { Typed } from '../lower/typed.ts';
import { call, type SqlExpr } from '../plan/sql-expr.ts';

/** What an aggregate is made of. */
export interface AggregateInput {
  /** The field; `undefined` only for aggregates that need none. */
  readonly value: Typed;
  /** The rows of this series, where WHERE does not say it already. */
  readonly condition?: SqlExpr;
  /** How many rows this row represents (sampling); absent = 1. */
  readonly weight?: SqlExpr;
  readonly timestamp: SqlExpr;
  /** 0 to 1. */
  readonly level: number;
  /** All levels requested of these values, `level` included: they cost hardly more than one. */
  readonly levels: readonly number[];
}

export interface Aggregate {
  readonly name: AggregateName;
  readonly needsField: boolean;
  build(input: AggregateInput): SqlExpr;
}

/** `name(args)`, or `nameIf(args, condition)`; `levels` are its parameters. */
export function aggregateCall(
  name: string,
  args: readonly SqlExpr[],
  condition: SqlExpr | undefined,
  levels?: readonly number[],
): SqlExpr {
  const own = condition === undefined ? call(name, ...args) : call(`${name}If`, ...args, condition);
  return levels === undefined || own.kind !== 'call' ? own : { ...own, levels };
}
