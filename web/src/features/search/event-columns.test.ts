import { describe, expect, it } from 'vitest';
import {
  type EventSource,
  readRow,
  selectOfRows,
  toNanoseconds,
  usualFacets,
  withoutRowColumns,
} from './event-columns.ts';

const trace = {
  id: 't',
  name: 'Traces',
  kind: 'trace',
  connection: 'c',
  from: { databaseName: 'otel', tableName: 'otel_traces' },
  disabled: false,
  querySettings: [],
  timestampValueExpression: 'TimestampTime, Timestamp',
  defaultTableSelectExpression: 'Timestamp',
  durationExpression: 'Duration',
  durationPrecision: 3,
  traceIdExpression: 'TraceId',
  spanIdExpression: 'SpanId',
  parentSpanIdExpression: 'ParentSpanId',
  spanNameExpression: 'SpanName',
  spanKindExpression: 'SpanKind',
  statusCodeExpression: 'StatusCode',
  serviceNameExpression: 'ServiceName',
  highlightedRowAttributeExpressions: [],
  highlightedTraceAttributeExpressions: [],
  materializedViews: [],
} satisfies EventSource;

describe('columns of events', () => {
  it('asks only for what the source has, the finest time of several', () => {
    expect(selectOfRows({ ...trace, statusCodeExpression: '' })).toBe(
      'Timestamp AS sb_time, ServiceName AS sb_service, SpanName AS sb_text, Duration AS sb_duration, TraceId AS sb_traceId, SpanId AS sb_spanId',
    );
  });

  it('reads a row; nanoseconds of the time stay', () => {
    const answer = { sb_time: '2026-11-28T06:07:41.855000001Z', sb_text: 'GET /', sb_duration: '5', Column: 1 };
    expect(readRow(answer, trace)).toEqual({
      time: '2026-11-28T06:07:41.855000001Z',
      level: '',
      service: '',
      text: 'GET /',
      durationNs: 5_000_000,
      traceId: '',
      spanId: '',
    });
    expect(withoutRowColumns(answer)).toEqual({ Column: 1 });
  });

  it('knows the unit of durations', () => {
    expect(toNanoseconds(7, { ...trace, durationPrecision: 9 })).toBe(7);
    expect(toNanoseconds(7, { ...trace, durationPrecision: 0 })).toBe(7e9);
  });

  it('counts service, status, name and kind of spans', () => {
    expect(usualFacets(trace).map(({ name }) => name)).toEqual(['ServiceName', 'StatusCode', 'SpanName', 'SpanKind']);
  });
});
