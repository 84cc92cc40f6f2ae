import { type Aggregate, aggregateCall } from './aggregate.ts';

/** The number of rows; of sampled spans the number they stand for. */
export const count: Aggregate = {
  name: 'count',
  needsField: false,
  build: ({ condition, weight }) =>
    weight === undefined ? aggregateCall('count', [], condition) : aggregateCall('sum', [weight], condition),
};
