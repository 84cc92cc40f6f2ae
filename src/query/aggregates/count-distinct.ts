import { asText } from '../lower/typed.ts';
import { call, emptyText } from '../plan/sql-expr.ts';
import { type Aggregate, aggregateCall } from './aggregate.ts';

/** Exact number of different values (decisions C7). A missing attribute reads as '' and is no value. */
export const countDistinct: Aggregate = {
  name: 'count_distinct',
  needsField: true,
  build: ({ value, condition }) => {
    const distinct = value.base === 'text' ? call('nullIf', asText(value).sql, emptyText) : value.sql;
    return aggregateCall('uniqExact', [distinct], condition);
  },
};
