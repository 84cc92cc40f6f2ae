import { expect, it } from 'vitest';
import { guessSource } from './guess-source.ts';

const guess = (columns: Record<string, string>) => guessSource('orders', new Map(Object.entries(columns)));

it('events with the usual columns are logs, each field by the name that is likeliest', () => {
  const columns = {
    id: 'UInt64',
    created_at: 'DateTime',
    timestamp: "DateTime64(3, 'UTC')",
    level: 'LowCardinality(String)',
    message: 'String',
    service: 'String',
    trace_id: 'String',
    labels: 'Map(String, String)',
  };
  expect(guess(columns)).toEqual({
    kind: 'log',
    name: 'orders',
    timestampValueExpression: 'timestamp',
    defaultTableSelectExpression: 'timestamp, service, level, message',
    serviceNameExpression: 'service',
    severityTextExpression: 'level',
    bodyExpression: 'message',
    implicitColumnExpression: 'message',
    eventAttributesExpression: 'labels',
    traceIdExpression: 'trace_id',
  });
});

it('without a message, the list shows the first columns; names that need quotes get them', () => {
  const columns = { id: 'UUID', 'placed at': 'DateTime', total: 'Decimal(9, 2)', _version: 'UInt64' };
  expect(guess(columns)).toMatchObject({
    timestampValueExpression: '`placed at`',
    defaultTableSelectExpression: '`placed at`, id, total',
  });
});

it('what has all columns of spans is traces', () => {
  const columns = {
    ...{ Timestamp: 'DateTime64(9)', TraceId: 'String', SpanId: 'String', ParentSpanId: 'String' },
    ...{ SpanName: 'String', SpanKind: 'LowCardinality(String)', Duration: 'UInt64', StatusCode: 'String' },
  };
  expect(guess(columns)).toMatchObject({
    kind: 'trace',
    durationExpression: 'Duration',
    statusCodeExpression: 'StatusCode',
  });
});

it('rows that are gone are left out, and columns that the program adds are the last choice for the time', () => {
  const copied = { id: 'Int64', _peerdb_synced_at: 'DateTime64(9)', _peerdb_is_deleted: 'UInt8' };
  expect(guess({ ...copied, changed: 'DateTime64(6)' })).toMatchObject({
    timestampValueExpression: 'changed',
    tableFilterExpression: '_peerdb_is_deleted = 0',
  });
  expect(guess(copied)).toMatchObject({ timestampValueExpression: '_peerdb_synced_at' });
});

it.each([
  ['no time', { id: 'UInt64', day: 'Date', note: 'String' }],
  ['a time that may be null', { at: 'Nullable(DateTime)' }],
  ['no column', {}],
])('a table with %s is no source', (_, columns) => {
  expect(guess(columns as Record<string, string>)).toBeUndefined();
});
