import type { AggregateName } from '../chart-query.ts';
import type { Aggregate } from './aggregate.ts';
import { avg } from './avg.ts';
import { count } from './count.ts';
import { countDistinct } from './count-distinct.ts';
import { lastValue } from './last-value.ts';
import { max } from './max.ts';
import { min } from './min.ts';
import { quantile } from './quantile.ts';
import { sum } from './sum.ts';

const aggregates = [avg, count, countDistinct, lastValue, max, min, quantile, sum];
const byName = new Map<AggregateName, Aggregate>(aggregates.map((aggregate) => [aggregate.name, aggregate]));

/** The aggregate over values; `undefined` for those that only counters have (`rate`, `increase`). */
export function findAggregate(name: AggregateName): Aggregate | undefined {
  return byName.get(name);
}
