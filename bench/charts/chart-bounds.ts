import type { TimeRange } from '../../src/query/chart-query.ts';

/**
 * The bound of each chart: the statement an engineer would write by hand for the same answer on the raw tables, run
 * without the service around it. One entry per request id.
 */
export function chartBounds(database: string): Record<string, (range: TimeRange) => string> {
  const logs = `${database}.otel_logs`;
  const traces = `${database}.otel_traces`;
  const gauge = `${database}.otel_metrics_gauge`;
  const sum = `${database}.otel_metrics_sum`;
  const histogram = `${database}.otel_metrics_histogram`;
  const series = 'cityHash64(ScopeAttributes, ResourceAttributes, Attributes)';
  return {
    R01: (range) => `SELECT ${minutes(1)} b, count() FROM ${logs} WHERE ${inLogs(range)} GROUP BY b ORDER BY b`,
    R02: (range) =>
      `SELECT ${minutes(60)} b, ServiceName g, count() FROM ${logs} WHERE ${inLogs(range)} GROUP BY b, g ORDER BY b, g`,
    R03: (range) =>
      `SELECT ${minutes(5)} b, count() FROM ${logs} WHERE ${inLogs(range)} AND hasToken(lower(Body), 'timeout') GROUP BY b ORDER BY b`,
    R04: (range) =>
      `SELECT ${minutes(5)} b, count() FROM ${logs} WHERE ${inLogs(range)} AND hasAllTokens(lower(Body), 'connection refused') AND lower(Body) LIKE '%connection refused%' GROUP BY b ORDER BY b`,
    R05: (range) =>
      `SELECT ${minutes(5)} b, count() FROM ${logs} WHERE ${inLogs(range)} AND has(LogAttributeItems, 'http.status_code=503') GROUP BY b ORDER BY b`,
    R06: (range) =>
      `SELECT ${minutes(5)} b, count() FROM ${logs} WHERE ${inLogs(range)} AND lower(Body) LIKE '%declin%' GROUP BY b ORDER BY b`,
    R07: (range) =>
      `SELECT ${minutes(5)} b, count() FROM ${logs} WHERE ${inLogs(range)} AND toFloat64OrNull(LogAttributes['http.duration_ms']) > 500 GROUP BY b ORDER BY b`,
    R08: (range) =>
      `SELECT ${minutes(60)} b, SpanName g, quantileExactInclusive(0.95)(Duration) FROM ${traces} WHERE ${inEvents(range)} GROUP BY b, g ORDER BY b, g`,
    R09: (range) =>
      `SELECT ${minutes(60)} b, ServiceName g, uniqExact(TraceId) FROM ${logs} WHERE ${inLogs(range)} GROUP BY b, g ORDER BY b, g`,
    R10: (range) =>
      `SELECT b, g, avg(v) FROM (SELECT ${minutes(5, 'TimeUnix')} b, ServiceName g, argMax(Value, TimeUnix) v FROM ${gauge} WHERE ${inMetrics(range)} AND MetricName = 'system.cpu.utilization' GROUP BY b, g, ${series}) GROUP BY b, g ORDER BY b, g`,
    R11: (range) =>
      `SELECT b, g, sum(d) FROM (SELECT ${minutes(5, 'TimeUnix')} b, ServiceName g, if(Value < prev, Value, Value - prev) d FROM (SELECT TimeUnix, ServiceName, Value, lagInFrame(Value, 1, Value) OVER (PARTITION BY ${series} ORDER BY TimeUnix ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) prev FROM ${sum} WHERE ${inMetrics(range, 600)} AND MetricName = 'http.server.requests') WHERE ${inMetrics(range)}) GROUP BY b, g ORDER BY b, g`,
    R12: (range) =>
      `SELECT b, sumForEach(d) FROM (SELECT ${minutes(5, 'TimeUnix')} b, arrayMap((x, y) -> if(x < y, toInt64(x), toInt64(x) - toInt64(y)), c, if(empty(prev), c, prev)) d FROM (SELECT TimeUnix, BucketCounts c, lagInFrame(BucketCounts) OVER (PARTITION BY ${series} ORDER BY TimeUnix ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) prev FROM ${histogram} WHERE ${inMetrics(range, 600)} AND MetricName = 'http.server.request.duration') WHERE ${inMetrics(range)}) GROUP BY b ORDER BY b`,
    R13: (range) =>
      `SELECT ${minutes(60)} b, LogAttributes['user.id'] g, count() FROM ${logs} WHERE ${inLogs(range)} AND g IN (SELECT LogAttributes['user.id'] g FROM ${logs} WHERE ${inLogs(range)} GROUP BY g ORDER BY count() DESC LIMIT 1000) GROUP BY b, g ORDER BY b, g`,
    R14: (range) =>
      `SELECT ${minutes(60)} b, SeverityText g, count() FROM ${logs} WHERE ${inLogs(range)} GROUP BY b, g ORDER BY b, g`,
    R15: (range) =>
      `SELECT toStartOfInterval(Timestamp, INTERVAL 30 SECOND) b, ServiceName g, count() FROM ${logs} WHERE ${inLogs(range)} GROUP BY b, g ORDER BY b, g`,
    R16: (range) =>
      `SELECT ${minutes(15)} b, ServiceName g, count() FROM ${logs} WHERE ${inLogs(range)} AND SeverityText = 'error' AND has(LogAttributeItems, 'http.status_code=500') GROUP BY b, g ORDER BY b, g`,
    R17: (range) =>
      `SELECT ${minutes(60)} b, ServiceName g, avg(toFloat64OrNull(LogAttributes['http.duration_ms'])) FROM ${logs} WHERE ${inLogs(range)} GROUP BY b, g ORDER BY b, g`,
    R18: (range) =>
      `SELECT ${minutes(15)} b, count(), countIf(SeverityText = 'error'), countIf(SeverityText = 'warn'), countIf(SeverityText = 'info'), countIf(SeverityText = 'debug') FROM ${logs} WHERE ${inLogs(range)} GROUP BY b ORDER BY b`,
    R19: (range) =>
      `SELECT ${minutes(60)} b, ServiceName g, countIf(StatusCode = 'Error'), count() FROM ${traces} WHERE ${inEvents(range)} GROUP BY b, g ORDER BY b, g`,
    R20: (range) =>
      `SELECT ${minutes(60)} b, ResourceAttributes['k8s.pod.name'] g, count() FROM ${logs} WHERE ${inLogs(range)} AND ServiceName = 'checkout' AND SeverityText != 'info' GROUP BY b, g ORDER BY b, g`,
  };
}

function minutes(step: number, column = 'Timestamp'): string {
  return `toStartOfInterval(${column}, INTERVAL ${step} MINUTE)`;
}

function inEvents({ startMs, endMs }: TimeRange): string {
  return `Timestamp >= fromUnixTimestamp64Milli(${startMs}) AND Timestamp < fromUnixTimestamp64Milli(${endMs})`;
}

/** Logs are sorted by `TimestampTime`: bound as well, so that the key prunes. */
function inLogs(range: TimeRange): string {
  return `${inEvents(range)} AND TimestampTime >= toDateTime(${Math.floor(range.startMs / 1000)}) AND TimestampTime <= toDateTime(${Math.ceil(range.endMs / 1000)})`;
}

function inMetrics({ startMs, endMs }: TimeRange, lookBackSeconds = 0): string {
  return `TimeUnix >= fromUnixTimestamp64Milli(${startMs - lookBackSeconds * 1000}) AND TimeUnix < fromUnixTimestamp64Milli(${endMs})`;
}
