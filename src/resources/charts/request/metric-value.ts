import { QueryTextError } from '../../../query/compiled-query.ts';
import { onlyNumbersCalculate, scaleOfSum } from '../../../query/metric-value.ts';

/** Why the values of a metric of this type can't be calculated like that; `undefined` if they can, as far as is known without its table. */
export function problemOfExpression(field: string, metricType: string | undefined): string | undefined {
  if (metricType === undefined || metricType === 'gauge') return undefined;
  if (metricType !== 'sum') return onlyNumbersCalculate;
  // Variables have values when the tile is read.
  if (field.includes('$')) return undefined;
  try {
    scaleOfSum(field);
    return undefined;
  } catch (error) {
    if (error instanceof QueryTextError) return error.message;
    throw error;
  }
}

/** Why `periodAggFn` is rejected for everything else. */
export const onlyGaugesChange =
  'delta is for gauges, the change of which it is; of a sum, the aggregate increase says what it gained';

/** Why `none` is rejected for metrics. */
export const onlyEventsExpress =
  'none, an expression of aggregates, is for logs and traces; choose the aggregate of a metric, and calculate in its value or in a formula';
