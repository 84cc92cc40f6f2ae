import { asNumber } from '../lower/typed.ts';
import { type Aggregate, aggregateCall } from './aggregate.ts';

/** Of the values that are numbers (decisions C7); sampling does not change it. */
export const min: Aggregate = {
  name: 'min',
  needsField: true,
  build: ({ value, condition }) => aggregateCall('min', [asNumber(value).sql], condition),
};
