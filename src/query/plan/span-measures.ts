import type { AggregateInput } from '../aggregates/aggregate.ts';
import { count } from '../aggregates/count.ts';
import { quantile } from '../aggregates/quantile.ts';
import type { Typed } from '../lower/typed.ts';
import type { OutputColumn } from './select.ts';
import { and, call, type SqlExpr, sqlNull } from './sql-expr.ts';

/** The quantiles of durations that are answered. */
export const durationLevels = [0.5, 0.95, 0.99] as const;

export interface MeasuredSpans {
  /** Begins the names of the columns. */
  prefix: string;
  duration: Typed;
  /** Whether a span failed. */
  failed: SqlExpr;
  /** How many spans each represents; one, when absent. */
  weight: SqlExpr | undefined;
  /** All, when absent. */
  condition: SqlExpr | undefined;
}

/** Columns `calls`, `errors` and `q0` to `q2` (durations as the source counts them), each after the prefix. */
export function spanMeasures({ prefix, duration, failed, weight, condition }: MeasuredSpans): OutputColumn[] {
  const input = (value: Typed, met: SqlExpr | undefined, level: number): AggregateInput => ({
    value,
    timestamp: sqlNull,
    level,
    levels: durationLevels,
    ...(met === undefined ? {} : { condition: met }),
    ...(weight === undefined ? {} : { weight }),
  });
  const failedToo = condition === undefined ? failed : and([condition, failed]);
  return [
    { as: `${prefix}calls`, expr: count.build(input(anything, condition, 0.5)) },
    { as: `${prefix}errors`, expr: count.build(input(anything, failedToo, 0.5)) },
    ...durationLevels.map((level, index) => ({
      as: `${prefix}q${index}`,
      expr: call('toFloat64', quantile.build(input(duration, condition, level))),
    })),
  ];
}

const anything: Typed = { sql: sqlNull, base: 'other', nullable: true };
