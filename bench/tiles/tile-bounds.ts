import type { TimeRange } from '../../src/query/chart-query.ts';
import { bucket, inEvents, inLogs } from '../charts/exporter-reads.ts';

const duration = `toFloat64OrNull(LogAttributes['http.duration_ms'])`;

/** p95 by service and hour, by hand on the tables as the exporter makes them. */
export function p95ByService(database: string, source: 'log' | 'trace', range: TimeRange): string {
  const value = (field: string) => `quantile(0.95)(${field})`;
  return source === 'log'
    ? statement(`${database}.otel_logs`, inLogs(range), value(duration), 'b, g')
    : statement(`${database}.otel_traces`, inEvents(range), value('Duration'), 'b, g');
}

/**
 * One statement by hand for each of `dashboardTiles`, in their order, on the tables as the exporter makes them.
 * Quantiles are estimates from a sample, as everyone writes them; ours are exact.
 */
export function tileBounds(database: string, range: TimeRange): string[] {
  const [logs, spans] = [`${database}.otel_logs`, `${database}.otel_traces`];
  const status = `toFloat64OrNull(LogAttributes['http.status_code'])`;
  const errors = `countIf(SeverityText = 'error')`;
  const failed = `countIf(StatusCode = 'Error')`;
  const ofLogs = (values: string, keys = 'b', where = '') => statement(logs, `${inLogs(range)} ${where}`, values, keys);
  const ofSpans = (values: string, where = '') => statement(spans, `${inEvents(range)} ${where}`, values, 'b, g');
  return [
    ofLogs('count()'),
    ofLogs('count()', 'b', `AND SeverityText = 'error'`),
    ofLogs(`${errors} / count()`),
    ofLogs('count()', 'b', `AND SeverityText = 'error' AND ServiceName = 'checkout'`),
    ofLogs(`avg(${duration})`),
    ofLogs(`quantile(0.95)(${duration})`),
    ofLogs(`quantiles(0.5, 0.99)(${duration})`),
    ofLogs(`countIf(${status} >= 500), countIf(${status} < 500)`),
    ofLogs('count()', 'b, g'),
    ofLogs(`avg(${duration})`, 'b, g'),
    ofLogs(`max(${duration})`, 'b, g'),
    ofLogs(`count(), ${errors}, quantile(0.95)(${duration})`, 'g'),
    `SELECT quantile(0.95)(${duration}) FROM ${logs} WHERE ${inLogs(range)}`,
    ofSpans('quantile(0.95)(Duration)'),
    ofSpans('quantile(0.5)(Duration)'),
    ofSpans('avg(Duration)'),
    ofSpans('count()', `AND StatusCode = 'Error'`),
    ofSpans(`${failed} / count() * 100`),
    ofSpans('max(Duration)'),
    ofSpans('count()'),
  ];
}

/** By bucket (`b`), service (`g`), or both. */
function statement(table: string, where: string, values: string, keys: string): string {
  const columns = keys.replace('b', `${bucket(3600)} AS b`).replace('g', 'ServiceName AS g');
  return `SELECT ${columns}, ${values} FROM ${table} WHERE ${where} GROUP BY ${keys} ORDER BY ${keys}`;
}
