import { asNumber } from '../lower/typed.ts';
import { and, binary, call } from '../plan/sql-expr.ts';
import { type Aggregate, aggregateCall } from './aggregate.ts';

/** Mean of the values that are numbers; sampled spans count with their weight. */
export const avg: Aggregate = {
  name: 'avg',
  needsField: true,
  build: ({ value, condition, weight }) => {
    const number = asNumber(value).sql;
    if (weight === undefined) return aggregateCall('avg', [number], condition);
    const counted = and([call('isNotNull', number), ...(condition === undefined ? [] : [condition])]);
    const sum = aggregateCall('sum', [binary(number, '*', weight)], condition);
    return binary(sum, '/', aggregateCall('sum', [weight], counted));
  },
};
