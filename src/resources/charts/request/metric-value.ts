/** What current clients write as the value of a metric, which is charted as it is whatever its table calls it. */
export function isMetricValue(expression: string, metricName: string): boolean {
  return ['', 'Value', '"Value"', '`Value`', metricName].includes(expression.trim());
}

export const onlyMetricValue =
  'a metric is charted by its values; omit this or use Value, and use a formula to calculate';
