import { and, binary, call, emptyText } from '../plan/sql-expr.ts';
import { type Aggregate, aggregateCall } from './aggregate.ts';

/**
 * Number of different values (decisions C7). A missing attribute reads as '' and is not a value. Texts are distinguished by
 * 64 bits of hash: among a billion texts two are taken for one in one chart of forty.
 */
export const countDistinct: Aggregate = {
  name: 'count_distinct',
  needsField: true,
  build: ({ value, condition }) => {
    if (value.base !== 'text') return aggregateCall('uniqExact', [value.sql], condition);
    const present = binary(value.sql, '!=', emptyText);
    const conditions = condition === undefined ? [present] : [condition, present];
    return aggregateCall('uniqExact', [call('cityHash64', value.sql)], and(conditions));
  },
};
