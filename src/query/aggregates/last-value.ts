import { asNumber } from '../lower/typed.ts';
import { call } from '../plan/sql-expr.ts';
import { type Aggregate, aggregateCall } from './aggregate.ts';

/** The number with the newest timestamp, whatever the order of arrival (decisions C7); of equal ones the largest. */
export const lastValue: Aggregate = {
  name: 'last_value',
  needsField: true,
  build: ({ value, condition, timestamp }) => {
    const number = asNumber(value).sql;
    return aggregateCall('argMax', [number, call('tuple', timestamp, number)], condition);
  },
};
