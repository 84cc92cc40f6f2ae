import { asNumber } from '../lower/typed.ts';
import { binary } from '../plan/sql-expr.ts';
import { type Aggregate, aggregateCall } from './aggregate.ts';

/** Of the values that are numbers; sampled spans count with their weight. */
export const sum: Aggregate = {
  name: 'sum',
  needsField: true,
  build: ({ value, condition, weight }) => {
    const number = asNumber(value).sql;
    return aggregateCall('sum', [weight === undefined ? number : binary(number, '*', weight)], condition);
  },
};
