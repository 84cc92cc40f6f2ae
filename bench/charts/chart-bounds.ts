import type { TimeRange } from '../../src/query/chart-query.ts';
import { bucket, inEvents, inLogs } from './exporter-reads.ts';

/** A statement for the answer of a chart: bucket in Unix seconds, group where there are groups, values of the series. */
type Bound = (range: TimeRange) => string;

/**
 * The bound of each chart by request id: the cheapest statement that we found by hand for the same answer on the
 * tables as the exporter makes them, one per chart also where it has several series.
 */
export function chartBounds(database: string): Readonly<Record<string, Bound>> {
  return { ...logBounds(`${database}.otel_logs`), ...spanBounds(`${database}.otel_traces`), ...metricBounds(database) };
}

function logBounds(logs: string): Record<string, Bound> {
  const chart = (seconds: number, values: string, where = '', group = ''): Bound => {
    const keys = group === '' ? 'b' : 'b, g';
    const columns = group === '' ? '' : `${group} AS g, `;
    return (range) =>
      `SELECT ${bucket(seconds)} AS b, ${columns}${values} FROM ${logs} WHERE ${inLogs(range)} ${where} GROUP BY ${keys} ORDER BY ${keys}`;
  };
  const statusIs = (code: number) => `has(LogAttributeItems, 'http.status_code=${code}')`;
  const user = "LogAttributes['user.id']";
  return {
    R01: chart(60, 'count()'),
    R02: chart(3600, 'count()', '', 'ServiceName'),
    R03: chart(300, 'count()', `AND hasAllTokens(lower(Body), 'timeout')`),
    R04: chart(
      300,
      'count()',
      `AND hasAllTokens(lower(Body), 'connection refused') AND lower(Body) LIKE '%connection refused%'`,
    ),
    R05: chart(300, 'count()', `AND ${statusIs(503)}`),
    R06: chart(300, 'count()', `AND lower(Body) LIKE '%declin%'`),
    R07: chart(300, 'count()', `AND toFloat64OrZero(LogAttributes['http.duration_ms']) > 500`),
    R09: chart(3600, `uniqExactIf(cityHash64(TraceId), TraceId != '')`, '', 'ServiceName'),
    // The thousand largest groups, as the API answers: found in a first scan, read in a second.
    R13: (range) =>
      `SELECT ${bucket(3600)} AS b, ${user} AS g, count() FROM ${logs} WHERE ${inLogs(range)} AND g IN
        (SELECT ${user} AS g FROM ${logs} WHERE ${inLogs(range)} GROUP BY g ORDER BY count() DESC, g LIMIT 1000)
        GROUP BY b, g ORDER BY b, g`,
    R14: chart(3600, 'count()', '', 'SeverityText'),
    R15: chart(30, 'count()', '', 'ServiceName'),
    R16: chart(900, 'count()', `AND SeverityText = 'error' AND ${statusIs(500)}`, 'ServiceName'),
    R17: chart(3600, `avg(toFloat64OrNull(LogAttributes['http.duration_ms']))`, '', 'ServiceName'),
    R18: (range) =>
      `SELECT b, sum(n), ${['error', 'warn', 'info', 'debug'].map((severity) => `sumIf(n, s = '${severity}')`)} FROM
        (SELECT ${bucket(900)} AS b, SeverityText AS s, count() AS n FROM ${logs} WHERE ${inLogs(range)} GROUP BY b, s)
        GROUP BY b ORDER BY b`,
    R20: chart(
      3600,
      'count()',
      `AND ServiceName = 'checkout' AND SeverityText != 'info'`,
      '`__hdx_materialized_k8s.pod.name`',
    ),
  };
}

function spanBounds(spans: string): Record<string, Bound> {
  const chart = (group: string, values: string): Bound => {
    return (range) =>
      `SELECT ${bucket(3600)} AS b, ${group} AS g, ${values} FROM ${spans} WHERE ${inEvents(range)} GROUP BY b, g ORDER BY b, g`;
  };
  return {
    // An estimate from a sample, as everyone writes it; ours is exact.
    R08: chart('SpanName', 'quantile(0.95)(Duration)'),
    R19: chart('ServiceName', `countIf(StatusCode = 'Error'), count()`),
  };
}

function metricBounds(database: string): Record<string, Bound> {
  const series = 'cityHash64(ScopeAttributes, ResourceAttributes, Attributes)';
  const points = (kind: string, name: string) => `${database}.otel_metrics_${kind} WHERE MetricName = '${name}'`;
  const five = (column: string) => `toUnixTimestamp(toStartOfFiveMinutes(${column}))`;
  return {
    R10: (range) =>
      `SELECT b, g, avg(v) FROM (SELECT ${five('TimeUnix')} AS b, ServiceName AS g, argMax(Value, TimeUnix) AS v
        FROM ${points('gauge', 'system.cpu.utilization')} AND ${inPoints(range)} GROUP BY b, g, ${series})
        GROUP BY b, g ORDER BY b, g`,
    // Increments inside a bucket and from bucket to bucket; after a reset the new value counts.
    R11: (range) =>
      `SELECT b, g, sum(inside + multiIf(isNull(before), 0, first < before, first, first - before)) FROM
        (SELECT b, g, v[1] AS first, arraySum((x, y) -> if(x < y, x, x - y), arrayPopFront(v), arrayPopBack(v)) AS inside,
          lagInFrame(toNullable(v[-1])) OVER (PARTITION BY h ORDER BY b ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS before FROM
          (SELECT ${five('TimeUnix')} AS b, ServiceName AS g, ${series} AS h, arrayMap(p -> p.2, arraySort(groupArray((TimeUnix, Value)))) AS v
          FROM ${points('sum', 'http.server.requests')} AND ${inPoints(range, lookBackSeconds)} GROUP BY b, g, h))
        WHERE b >= ${range.startMs / 1000} GROUP BY b, g ORDER BY b, g`,
    R12: (range) =>
      `WITH counts AS (SELECT b, any(bounds) AS bounds, sumForEach(d) AS d FROM
          (SELECT ${five('t')} AS b, bounds, if(i = 1, arrayMap(x -> 0, c), if(arrayExists((x, y) -> x < y, c, p), c, arrayMap((x, y) -> x - y, c, p))) AS d FROM
            (SELECT any(ExplicitBounds) AS bounds, arraySort(x -> x.1, groupArray((TimeUnix, CAST(BucketCounts, 'Array(Int64)')))) AS a
            FROM ${points('histogram', 'http.server.request.duration')} AND ${inPoints(range, lookBackSeconds)} GROUP BY ${series})
            ARRAY JOIN a.1 AS t, a.2 AS c, arrayPushFront(arrayPopBack(a.2), a.2[1]) AS p, arrayEnumerate(a.1) AS i)
          WHERE b >= ${range.startMs / 1000} GROUP BY b),
        ranks AS (SELECT b, bounds, arrayCumSum(d) AS c, 0.95 * c[-1] AS rank, arrayFirstIndex(x -> x >= rank, c) AS u FROM counts WHERE c[-1] > 0)
        SELECT b, multiIf(u > length(bounds), bounds[-1], u = 1, bounds[1] * (rank / c[1]), bounds[u - 1] + (bounds[u] - bounds[u - 1]) * ((rank - c[u - 1]) / (c[u] - c[u - 1]))) FROM ranks ORDER BY b`,
  };
}

/** Small data has a point of a counter in ten minutes. */
const lookBackSeconds = 900;

function inPoints({ startMs, endMs }: TimeRange, backSeconds = 0): string {
  return `TimeUnix >= toDateTime(${startMs / 1000 - backSeconds}) AND TimeUnix < toDateTime(${endMs / 1000})`;
}
