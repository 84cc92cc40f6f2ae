import { describe, expect, it } from 'vitest';
import type { LogSource, MetricSource } from '../../../contract/source.ts';
import { defaultSources } from '../../sources/default-sources.ts';
import { sourceToSchema, tableOf } from './source-to-schema.ts';

const [logs, traces, metrics] = defaultSources(
  { logs: 'l', traces: 't', metrics: 'm' },
  { connectionId: 'c', database: 'otel' },
) as [LogSource, ReturnType<typeof defaultSources>[number], MetricSource];

const map = 'Map(LowCardinality(String), String)';
const table = (columns: Record<string, string>) => ({
  database: 'otel',
  table: 'x',
  columns: new Map(Object.entries(columns)),
});
const logTable = table({
  Timestamp: 'DateTime64(9)',
  TimestampTime: 'DateTime',
  Body: 'String',
  ServiceName: 'LowCardinality(String)',
  LogAttributes: map,
  ResourceAttributes: map,
  ScopeAttributes: map,
});

describe('a source as the compiler sees it', () => {
  it('decisions C6: attributes are looked up in the record’s own, then resource, then scope', () => {
    expect(sourceToSchema(logs, undefined, logTable)).toEqual({
      kind: 'log',
      table: logTable,
      timestampColumn: 'Timestamp',
      sortTimeColumn: 'TimestampTime',
      implicitColumn: 'Body',
      serviceNameColumn: 'ServiceName',
      attributeColumns: ['LogAttributes', 'ResourceAttributes', 'ScopeAttributes'],
    });
  });

  it('contract §5.5: a source without attribute and body expressions has plain columns only', () => {
    const bare = {
      ...logs,
      eventAttributesExpression: '',
      resourceAttributesExpression: '',
      serviceNameExpression: '',
    };
    const { implicitColumnExpression: _implicit, bodyExpression: _body, ...rest } = bare;
    expect(sourceToSchema(rest, undefined, logTable)).toEqual({
      kind: 'log',
      table: logTable,
      timestampColumn: 'Timestamp',
      sortTimeColumn: 'TimestampTime',
      attributeColumns: [],
    });
  });

  it.each([
    ['a table of the exporter', { SeverityText: 'LowCardinality(String)', SeverityNumber: 'Int32' }, {}, true],
    [
      'a table of ours',
      { SeverityText: 'LowCardinality(String)', SeverityNumber: 'UInt8' },
      { isOurs: true as const },
      false,
    ],
    ['a table without numbers', { SeverityText: 'String' }, {}, false],
    ['a table with custom levels', { SeverityText: "Enum8('low' = 1)", SeverityNumber: 'UInt8' }, {}, false],
  ])('each severity follows from the other in logs that others stored: %s', (_, columns, made, expected) => {
    const live = { ...table({ Timestamp: 'DateTime64(9)', ...columns }), ...made };
    expect(Object.hasOwn(sourceToSchema(logs, undefined, live), 'derivesSeverity')).toBe(expected);
  });

  it.each([
    ['Timestamp', 'Timestamp', 'TimestampTime'],
    ['TimestampTime', 'TimestampTime', undefined],
    ['TimestampTime, Timestamp', 'Timestamp', 'TimestampTime'],
    ['`Timestamp`', 'Timestamp', 'TimestampTime'],
  ])('time expression %s: exact %s, sorted by %s', (timestampValueExpression, timestampColumn, sortTimeColumn) => {
    const schema = sourceToSchema({ ...logs, timestampValueExpression }, undefined, logTable);
    expect(schema).toMatchObject({ timestampColumn });
    expect('sortTimeColumn' in schema ? schema.sortTimeColumn : undefined).toBe(sortTimeColumn);
  });

  it.each(['now()', 'Body', 'toDateTime(Timestamp)', 'Absent'])('time expression %s is rejected', (expression) => {
    expect(() => sourceToSchema({ ...logs, timestampValueExpression: expression }, undefined, logTable)).toThrow(
      'The timestamp expression of the source "Logs" names no time column',
    );
  });

  it('expressions that are no plain column, or no map, never reach the compiler', () => {
    const odd = {
      ...logs,
      implicitColumnExpression: 'lower(Body)',
      eventAttributesExpression: 'Body',
      serviceNameExpression: '(SELECT 1)',
    };
    expect(sourceToSchema(odd, undefined, logTable)).toMatchObject({
      implicitColumn: 'Body',
      attributeColumns: ['ResourceAttributes', 'ScopeAttributes'],
    });
    expect(sourceToSchema(odd, undefined, logTable)).not.toHaveProperty('serviceNameColumn');
  });

  it('the filter of the source goes along, blank ones do not', () => {
    const filtered = { ...logs, tableFilterExpression: "ServiceName = 'shop'" };
    expect(sourceToSchema(filtered, undefined, logTable)).toMatchObject({ filter: "ServiceName = 'shop'" });
    expect(sourceToSchema({ ...logs, tableFilterExpression: ' ' }, undefined, logTable)).not.toHaveProperty('filter');
  });

  it('metrics: the table of the kind, and the point’s own attributes first', () => {
    const points = table({
      TimeUnix: 'DateTime64(9)',
      Attributes: map,
      ResourceAttributes: map,
      ServiceName: 'String',
    });
    expect(sourceToSchema(metrics, 'gauge', points)).toEqual({
      kind: 'metric',
      tables: { gauge: points },
      timestampColumn: 'TimeUnix',
      serviceNameColumn: 'ServiceName',
      attributeColumns: ['Attributes', 'ResourceAttributes'],
    });
    expect(tableOf(metrics, 'exponentialHistogram')).toBe('otel_metrics_exponential_histogram');
    expect(() => tableOf({ ...metrics, metricTables: { gauge: 'g' } }, 'sum')).toThrow(
      'has no table for metrics of type sum',
    );
  });

  it('spans: the name is what bare words search', () => {
    if (traces.kind !== 'trace') throw new Error('no trace source');
    const spans = table({ Timestamp: 'DateTime64(9)', SpanName: 'String', Rate: 'UInt64' });
    const schema = sourceToSchema({ ...traces, sampleRateExpression: 'Rate' }, undefined, spans);
    expect(schema).toMatchObject({ kind: 'trace', implicitColumn: 'SpanName', sampleRate: 'Rate' });
  });
});
