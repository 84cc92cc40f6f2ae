import { asNumber } from '../lower/typed.ts';
import { type Aggregate, aggregateCall } from './aggregate.ts';

/**
 * Exact, linear between the closest ranks, h = (n − 1) · level (decisions C7). With weights the same rule over the
 * values, each repeated as often as its weight says.
 */
export const quantile: Aggregate = {
  name: 'quantile',
  needsField: true,
  build: ({ value, condition, weight, level }) => {
    const number = asNumber(value).sql;
    return weight === undefined
      ? aggregateCall('quantileExactInclusive', [number], condition, level)
      : aggregateCall('quantileExactWeightedInterpolated', [number, weight], condition, level);
  },
};
