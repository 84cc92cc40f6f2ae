import { type Aggregate, aggregateCall } from './aggregate.ts';

/** The number of rows; for sampled spans, the number they represent. */
export const count: Aggregate = {
  name: 'count',
  needsField: false,
  build: ({ condition, weight }) =>
    weight === undefined ? aggregateCall('count', [], condition) : aggregateCall('sum', [weight], condition),
};
