import { asNumber } from '../lower/typed.ts';
import { call, constant } from '../plan/sql-expr.ts';
import { type Aggregate, aggregateCall } from './aggregate.ts';

/**
 * Exact, linear between the closest ranks, h = (n − 1) · level (decisions C7). With weights the same rule over the
 * values, each repeated as often as its weight says.
 */
export const quantile: Aggregate = {
  name: 'quantile',
  needsField: true,
  build: ({ value, condition, weight, level, levels }) => {
    const number = asNumber(value).sql;
    const values = weight === undefined ? [number] : [number, weight];
    const rule = weight === undefined ? 'ExactInclusive' : 'ExactWeightedInterpolated';
    if (levels.length === 1) return aggregateCall(`quantile${rule}`, values, condition, levels);
    const all = aggregateCall(`quantiles${rule}`, values, condition, levels);
    return call('arrayElement', all, constant(levels.indexOf(level) + 1));
  },
};
