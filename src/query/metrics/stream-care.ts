import { needsCareColumn, tookTurnsColumn } from '../compiled-query.ts';
import type { OutputColumn } from '../plan/select.ts';
import { alias, and, call, constant, not, or, type SqlExpr } from '../plan/sql-expr.ts';
import type { MetricScan } from './metric-scan.ts';
import { isRestart } from './streams.ts';

export interface PointKind {
  /** The point holds less than the one before it, or is none of those that the plan was made for. */
  readonly isDoubtful: SqlExpr;
  /** What it counts never gets less but by a reset. */
  readonly isCounter?: SqlExpr;
}

/**
 * The last columns of a plan, after those of its series. `needs_care`: how many points make the plan as it is made
 * mostly doubtful, because a set is not one stream within reach, or fell; 0 = the answer is right. `took_turns`, of a
 * careful plan: how many points came from senders that cannot be distinguished.
 */
export function careColumns(scan: MetricScan): OutputColumn[] {
  return namesOf(scan).map((as) => ({ as, expr: call('sum', alias(as)) }));
}

/** The same of one point. */
export function careOfPoint(scan: MetricScan, kind: PointKind): OutputColumn[] {
  const turns = and([alias('takes_turns'), ...(kind.isCounter ? [kind.isCounter] : [])]);
  const own: Record<string, SqlExpr> = { [needsCareColumn]: needsCare(kind), [tookTurnsColumn]: turns };
  return namesOf(scan).map((as) => ({ as, expr: own[as] ?? constant(0) }));
}

/** The same of all points of one group of them. */
export function careOfSet(scan: MetricScan, kind: PointKind): OutputColumn[] {
  return careOfPoint(scan, kind).map(({ as, expr }) => ({ as, expr: call('countIf', expr) }));
}

/** None of a part of a plan that has nothing to do with streams. */
export function noCare(scan: MetricScan): OutputColumn[] {
  return namesOf(scan).map((as) => ({ as, expr: constant(0) }));
}

function needsCare({ isDoubtful }: PointKind): SqlExpr {
  return and([not(alias('is_delta')), or([isRestart, isDoubtful])]);
}

function namesOf({ isCareful }: MetricScan): string[] {
  return isCareful ? [needsCareColumn, tookTurnsColumn] : [needsCareColumn];
}
