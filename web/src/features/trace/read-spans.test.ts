import { describe, expect, it } from 'vitest';
import type { TraceSource } from '../../../../src/contract/source.ts';
import { readSpans, selectOfSpans } from './read-spans.ts';

const source: TraceSource = {
  id: 't',
  name: 'Traces',
  kind: 'trace',
  connection: 'c',
  from: { databaseName: 'otel', tableName: 'otel_traces' },
  disabled: false,
  querySettings: [],
  timestampValueExpression: 'Timestamp',
  defaultTableSelectExpression: 'Timestamp',
  durationExpression: 'Duration',
  durationPrecision: 9,
  traceIdExpression: 'TraceId',
  spanIdExpression: 'SpanId',
  parentSpanIdExpression: 'ParentSpanId',
  spanNameExpression: 'SpanName',
  spanKindExpression: 'SpanKind',
  eventAttributesExpression: 'SpanAttributes',
  highlightedRowAttributeExpressions: [],
  highlightedTraceAttributeExpressions: [],
  materializedViews: [],
};

describe('spans of a search', () => {
  it('asks for the events of spans only where the table has them', () => {
    expect(selectOfSpans(source, new Set())).not.toContain('Events');
    const all = new Set(['Events.Timestamp', 'Events.Name', 'Events.Attributes']);
    expect(selectOfSpans(source, all)).toMatch(
      /SpanAttributes, `Events.Timestamp`, `Events.Name`, `Events.Attributes`$/,
    );
  });

  it('counts nanoseconds from the earliest start and pairs events with their attributes', () => {
    const rows = [
      { sb_time: '2026-11-28T00:00:00.000000005Z', sb_spanId: 'b', sb_parentSpanId: 'a', sb_duration: '7' },
      {
        sb_time: '2026-11-28T00:00:00.000000002Z',
        sb_spanId: 'a',
        sb_parentSpanId: '0000000000000000',
        sb_duration: '40',
        SpanAttributes: { k: 'v' },
        'Events.Timestamp': ['2026-11-28T00:00:00.000000012Z'],
        'Events.Name': ['exception'],
        'Events.Attributes': [{ 'exception.type': 'E' }],
      },
    ];
    expect(readSpans(rows, source)).toMatchObject([
      { spanId: 'b', parentSpanId: 'a', startNs: 3, durationNs: 7, events: [] },
      {
        spanId: 'a',
        parentSpanId: '',
        startNs: 0,
        attributes: { SpanAttributes: { k: 'v' } },
        events: [{ name: 'exception', atNs: 10, attributes: { 'exception.type': 'E' } }],
      },
    ]);
  });
});
