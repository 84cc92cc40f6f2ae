import type { ChartQuery } from '../chart-query.ts';
import type { Select } from '../plan/select.ts';
import { bucketSteps } from '../plan/time-buckets.ts';
import type { EventSourceSchema } from '../source-schema.ts';

/** Groups by the number of the bucket instead of its time, which is worked out for each group and not for each row. */
export function groupBySteps(plan: Select, query: ChartQuery, source: EventSourceSchema): Select {
  const steps = bucketSteps(query, source);
  const [ts, ...columns] = plan.columns;
  if (!steps || !ts || !plan.groupBy) return plan;
  const [, ...groups] = plan.groupBy;
  return {
    ...plan,
    columns: [{ as: ts.as, expr: steps.startOf(steps.step) }, ...columns],
    groupBy: [steps.step, ...groups],
  };
}
