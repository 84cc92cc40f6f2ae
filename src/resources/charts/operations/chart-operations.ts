import type { Operation } from '../../../http/operation.ts';
import type { ChartService } from '../chart-service.ts';
import { queryChartSeries } from './query-chart-series.ts';

/** Every operation on charts. */
export function chartOperations(charts: ChartService): Operation[] {
  return [queryChartSeries(charts)];
}
