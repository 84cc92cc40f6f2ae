import type { ChartQuery } from '../chart-query.ts';
import { QueryTextError } from '../compiled-query.ts';
import type { Select } from '../plan/select.ts';
import type { MetricSourceSchema } from '../source-schema.ts';

export function planMetrics(_query: ChartQuery, _source: MetricSourceSchema): Select {
  throw new QueryTextError('metric sources are not supported');
}
