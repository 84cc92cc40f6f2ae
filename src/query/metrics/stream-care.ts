import { needsCareColumn, tookTurnsColumn } from '../compiled-query.ts';
import type { OutputColumn } from '../plan/select.ts';
import { alias, and, call, constant, not, or, type SqlExpr } from '../plan/sql-expr.ts';
import { isRestart } from './streams.ts';

const names = [needsCareColumn, tookTurnsColumn];

export interface PointKind {
  /** The point is none of those that the plan was made for. */
  readonly isDoubtful?: SqlExpr;
  /** What it counts never gets less but by a reset. */
  readonly isCounter?: SqlExpr;
}

/**
 * The last columns of a plan, after those of its series. `needs_care`: how many points make the plan as it is made
 * mostly doubtful, because a set is not one stream within reach; 0 = the answer is right. `took_turns`: how many points
 * came from senders that cannot be distinguished.
 */
export const careColumns: readonly OutputColumn[] = names.map((as) => ({ as, expr: call('sum', alias(as)) }));

/** The same of one point. */
export function careOfPoint({ isDoubtful, isCounter }: PointKind = {}): OutputColumn[] {
  const doubtful = or([isRestart, ...(isDoubtful ? [isDoubtful] : [])]);
  return [
    { as: needsCareColumn, expr: and([not(alias('is_delta')), doubtful]) },
    { as: tookTurnsColumn, expr: and([alias('takes_turns'), ...(isCounter ? [isCounter] : [])]) },
  ];
}

/** The same of all points of one group of them. */
export function careOfSet(kind: PointKind): OutputColumn[] {
  return careOfPoint(kind).map(({ as, expr }) => ({ as, expr: call('countIf', expr) }));
}

/** None of a part of a plan that has nothing to do with streams. */
export const noCare: readonly OutputColumn[] = names.map((as) => ({ as, expr: constant(0) }));
