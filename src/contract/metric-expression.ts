interface MetricItem {
  field?: string | undefined;
  metricName?: string | undefined;
}

/** Whether something is calculated of the metric's values; what clients write for the values as they are is no such thing. */
export function isMetricExpression({ field, metricName }: MetricItem): boolean {
  // Without a name, the metric is the one that the field names.
  if (field === undefined || !metricName) return false;
  return !['', 'Value', '"Value"', '`Value`', metricName].includes(field.trim());
}

/** What an aggregate is of, in words: `Duration`, `queue.length`, `Value / 1024 of queue.length`. */
export function measuredName({ field = '', metricName = '' }: MetricItem): string {
  const metric = metricName.trim();
  return isMetricExpression({ field, metricName: metric }) ? `${field.trim()} of ${metric}` : metric || field.trim();
}
