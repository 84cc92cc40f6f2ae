/** What current clients write as the value of a metric, which is charted as it is whatever its table calls it. */
export function isMetricValue(expression: string, metricName: string): boolean {
  return ['', 'Value', '"Value"', '`Value`', metricName].includes(expression.trim());
}

export const onlyMetricValue =
  'a metric is charted by its values; omit this or use Value, and use a formula to calculate';

/** Why `periodAggFn` is rejected for everything else. */
export const onlyGaugesChange =
  'delta is for gauges, the change of which it is; of a sum, the aggregate increase says what it gained';
