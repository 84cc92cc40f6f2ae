import { describe, expect, it } from 'vitest';
import { arrivalNano, decodeJson, decodeProtobuf, jsonRows } from './testing/decoders.ts';
import { encodeRequest, int64 } from './testing/otlp-oracle.ts';

const traceId = '5b8efff798038103d269b633813fc60c';
const spanId = 'eee19b7ec3c1b174';

function logRows(record: object, resource: object = {}) {
  return jsonRows('logs', 'otel_logs', { resourceLogs: [{ resource, scopeLogs: [{ logRecords: [record] }] }] });
}

function spanRequest(span: object) {
  const valid = { traceId, spanId, startTimeUnixNano: '1000', endTimeUnixNano: '4000' };
  return { resourceSpans: [{ scopeSpans: [{ spans: [{ ...valid, ...span }] }] }] };
}

function metricRequest(metric: object) {
  return { resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: 'm', ...metric }] }] }] };
}

describe('text of a value (seed: attributes are stored as text)', () => {
  it.each([
    ['text as it is', { stringValue: 'Ünï "q" \u0000 監視 🚨' }, 'Ünï "q" \u0000 監視 🚨'],
    ['true', { boolValue: true }, 'true'],
    ['false', { boolValue: false }, 'false'],
    ['the largest int64 exactly', { intValue: '9223372036854775807' }, '9223372036854775807'],
    ['the smallest int64 exactly', { intValue: '-9223372036854775808' }, '-9223372036854775808'],
    ['an int as JSON number', { intValue: 42 }, '42'],
    ['a double', { doubleValue: 0.1 }, '0.1'],
    ['a whole double in plain form', { doubleValue: 3 }, '3'],
    ['NaN', { doubleValue: 'NaN' }, 'NaN'],
    ['bytes as base64', { bytesValue: 'AAEC/w==' }, 'AAEC/w=='],
    ['nothing', {}, ''],
    [
      'an array as JSON',
      { arrayValue: { values: [{ intValue: '9007199254740993' }, { stringValue: 'a"b' }, {}, { boolValue: true }] } },
      '[9007199254740993,"a\\"b",null,true]',
    ],
    ['an empty array', { arrayValue: {} }, '[]'],
    [
      'a list of keys and values as JSON',
      {
        kvlistValue: {
          values: [
            { key: 'k', value: { doubleValue: 1.5 } },
            { key: 'n', value: {} },
          ],
        },
      },
      '{"k":1.5,"n":null}',
    ],
  ])('%s', (_, value, text) => {
    const [row] = logRows({ body: value, attributes: [{ key: 'a', value }] });
    expect([row?.Body, Object(row?.LogAttributes)[0]]).toEqual([text, ['a', text]]);
  });

  it('keeps text of every length', () => {
    for (const length of [0, 1, 121, 122, 127, 128, 129, 255, 16_383, 16_384, 100_000]) {
      const text = 'é'.repeat(length / 2) + 'x'.repeat(length % 2);
      const attribute = { key: text.slice(0, 300), value: { stringValue: text } };
      expect(logRows({ body: { stringValue: text }, attributes: [attribute] })).toMatchObject([
        { Body: text, LogAttributes: [[text.slice(0, 300), text]] },
      ]);
    }
  });

  it.each([
    ['short', 10],
    ['long', 500],
  ])('stores U+FFFD for bytes that are not UTF-8: %s', (_, length) => {
    const wrong = Buffer.concat([Buffer.alloc(length, 'x'), Buffer.from([0xff, 0xc3])]);
    const body = Buffer.concat([Buffer.from('MARK'), Buffer.alloc(length - 2, 'x')]);
    const payload = encodeRequest('logs', {
      resourceLogs: [{ scopeLogs: [{ logRecords: [{ body: { stringValue: body.toString() } }] }] }],
    });
    wrong.copy(payload, payload.indexOf('MARK'));
    const { blocks } = decodeProtobuf('logs', payload);
    expect(Buffer.from(blocks[0]?.bytes ?? []).includes(`${'x'.repeat(length)}\uFFFD\uFFFD`)).toBe(true);
  });
});

describe('logs', () => {
  it.each([
    ['its own time', { timeUnixNano: '5', observedTimeUnixNano: '7' }, 5n],
    ['else when it was observed', { timeUnixNano: '0', observedTimeUnixNano: '7' }, 7n],
    ['else when it arrived', {}, arrivalNano],
  ])('have %s', (_, record, time) => {
    expect(logRows(record)).toMatchObject([{ Timestamp: time }]);
  });

  it.each([
    [{ severityNumber: 17 }, 17, 'ERROR'],
    [{ severityNumber: 12 }, 12, 'INFO'],
    [{ severityText: 'Warning' }, 13, 'Warning'],
    [{ severityText: 'ERROR3' }, 19, 'ERROR3'],
    [{ severityText: 'Critical', severityNumber: 18 }, 18, 'Critical'],
    [{ severityText: 'alertmanager' }, 0, 'alertmanager'],
    [{ severityText: 'constructor' }, 0, 'constructor'],
    [{ severityNumber: 25 }, 0, ''],
    [{}, 0, ''],
  ])('say their severity %o by number and by text', (record, SeverityNumber, SeverityText) => {
    expect(logRows(record)).toMatchObject([{ SeverityNumber, SeverityText }]);
  });

  it('are not associated with a trace when the id is not valid', () => {
    expect(logRows({ traceId: '00'.repeat(16), spanId: 'abcd' })).toMatchObject([{ TraceId: '', SpanId: '' }]);
    const broken = decodeJson('logs', { resourceLogs: [{ scopeLogs: [{ logRecords: [{ spanId: 'abcd' }] }] }] });
    const message = '1 × a log record is stored without an id: a trace id has 16 bytes, a span id 8';
    expect(broken).toMatchObject({ accepted: 1, rejected: 0, message });
    expect(logRows({ traceId: traceId.toUpperCase(), spanId })).toMatchObject([{ TraceId: traceId, SpanId: spanId }]);
  });

  it('take their service from the resource', () => {
    const attributes = [{ key: 'service.name', value: { stringValue: 'shop' } }];
    expect(logRows({}, { attributes })).toMatchObject([
      { ServiceName: 'shop', ResourceAttributes: [['service.name', 'shop']] },
    ]);
    expect(logRows({})).toMatchObject([{ ServiceName: '', ResourceAttributes: [] }]);
  });

  it('are read by snake_case names and enum names, too; null and unknown keys are ignored', () => {
    const request = {
      resource_logs: [
        {
          scope_logs: [
            {
              log_records: [
                { time_unix_nano: 9, severity_number: 'SEVERITY_NUMBER_ERROR2', severityText: null, future: { a: 1 } },
              ],
            },
          ],
        },
      ],
    };
    expect(jsonRows('logs', 'otel_logs', request)).toMatchObject([
      { Timestamp: 9n, SeverityNumber: 18, SeverityText: 'ERROR' },
    ]);
  });

  it('are rejected when they are too large, the others stored', () => {
    const record = { body: { stringValue: 'x'.repeat(4 << 20) } };
    const request = { resourceLogs: [{ scopeLogs: [{ logRecords: [record, { body: { stringValue: 'ok' } }] }] }] };
    expect(decodeJson('logs', request)).toMatchObject({
      accepted: 1,
      rejected: 1,
      message: '1 × logRecords is too large: a record has at most 4 MiB',
    });
  });

  it('are rejected when their time can not be stored', () => {
    const record = (timeUnixNano: string) => ({ timeUnixNano });
    const logRecords = [record('4294967295999999999'), record('4294967296000000000'), record('18446744073709551615')];
    expect(decodeJson('logs', { resourceLogs: [{ scopeLogs: [{ logRecords }] }] })).toMatchObject({
      accepted: 1,
      rejected: 2,
      message: '2 × a time is at most 2106-02-07T06:28:15Z',
    });
  });
});

describe('attributes with one key', () => {
  const values = (...texts: [string, string][]) => texts.map(([key, stringValue]) => ({ key, value: { stringValue } }));

  it('are one, the first', () => {
    const attributes = values(['a', '1'], ['b', '2'], ['a', '3'], ['', '4'], ['', '5']);
    const expected = [
      ['a', '1'],
      ['b', '2'],
      ['', '4'],
    ];
    expect(logRows({ attributes }, { attributes })).toMatchObject([
      { LogAttributes: expected, ResourceAttributes: expected },
    ]);
    const service = values(['service.name', 'first'], ['service.name', 'second']);
    expect(logRows({}, { attributes: service })).toMatchObject([
      { ServiceName: 'first', ResourceAttributes: [['service.name', 'first']] },
    ]);
  });

  it('are found among any number of them, as bytes and as what they are stored as', () => {
    const keys = Array.from({ length: 300 }, (_, index) => `key-${index % 150}-${'é'.repeat(index % 3)}`);
    const attributes = values(...keys.map((key): [string, string] => [key, 'x']));
    expect(logRows({ attributes })[0]?.LogAttributes).toEqual([...new Set(keys)].map((key) => [key, 'x']));
    const odd = values(['\ud800', '1'], ['\udc00', '2'], ['\ufffd', '3']);
    expect(logRows({ attributes: odd })).toMatchObject([{ LogAttributes: [['\ufffd', '1']] }]);
  });
});

describe('maps and lists in attributes', () => {
  const map = (members: Record<string, object>) => ({
    kvlistValue: { values: Object.entries(members).map(([key, value]) => ({ key, value })) },
  });
  const list = (...values: object[]) => ({ arrayValue: { values } });
  const stored = (...attributes: [string, object][]) =>
    logRows({ attributes: attributes.map(([key, value]) => ({ key, value })) })[0]?.LogAttributes;

  it('have what is inside of them by path, too', () => {
    const value = map({
      b: { intValue: 1 },
      c: map({ d: { stringValue: 'x' } }),
      l: list({ boolValue: true }, map({ e: {} })),
    });
    expect(stored(['a', value], ['z', { intValue: 2 }])).toEqual([
      ['a', '{"b":1,"c":{"d":"x"},"l":[true,{"e":null}]}'],
      ['z', '2'],
      ['a.b', '1'],
      ['a.c.d', 'x'],
      ['a.l', '[true,{"e":null}]'],
      ['a.l.1.e', ''],
    ]);
  });

  it('give way to an attribute that is called like their path', () => {
    expect(stored(['a', map({ b: { intValue: 1 } })], ['a.b', { intValue: 2 }])).toEqual([
      ['a', '{"b":1}'],
      ['a.b', '2'],
    ]);
  });

  it('are split within bounds', () => {
    const wide = map(Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`k${at}`, { intValue: at }])));
    expect(stored(['a', wide])).toHaveLength(1 + 128);
    const items = Array.from({ length: 100 }, () => map({ x: { intValue: 1 } }));
    expect(stored(['a', list(...items)])).toHaveLength(1 + 16);
    expect(stored(['a', list({ intValue: 1 }, { intValue: 2 })])).toEqual([['a', '[1,2]']]);
    let deep: object = { intValue: 1 };
    for (let level = 0; level < 50; level++) deep = map({ x: deep });
    expect(stored(['a', deep])).toHaveLength(1);
  });
});

it('recordings of sessions are no logs: left out with a count', () => {
  const attributes = [{ key: 'rr-web.event', value: { stringValue: '3' } }];
  const logRecords = [{ attributes }, { body: { stringValue: 'about rr-web.event' } }];
  expect(decodeJson('logs', { resourceLogs: [{ scopeLogs: [{ logRecords }] }] })).toMatchObject({
    accepted: 1,
    rejected: 1,
    message: '1 × recordings of sessions (rr-web) are not kept: they are not logs',
  });
});

describe('resource and scope', () => {
  it('belong to each of their rows, in any order of fields', () => {
    const scopeLogs = (name: string, bodies: string[]) => ({
      scope: { name },
      logRecords: bodies.map((stringValue) => ({ body: { stringValue } })),
    });
    const service = (stringValue: string) => ({ attributes: [{ key: 'service.name', value: { stringValue } }] });
    const parts = [
      {
        resource: service('a'),
        scopeLogs: [scopeLogs('x', ['1', '2', '3']), scopeLogs('y', []), scopeLogs('z', ['4'])],
      },
      { resource: service('b'), scopeLogs: [scopeLogs('x', ['5', '6'])] },
    ];
    // A message's fields may be in any order: here the resource follows the records.
    const backwards = parts.map(({ resource, scopeLogs: scopes }) =>
      swapped(
        encodeRequest('logs', { resourceLogs: [{ resource }] }),
        encodeRequest('logs', { resourceLogs: [{ scopeLogs: scopes }] }),
      ),
    );
    const expected = decodeJson('logs', { resourceLogs: parts });
    expect(expected.accepted).toBe(6);
    expect(decodeProtobuf('logs', Buffer.concat(backwards))).toEqual(expected);
  });

  it('are not repeated for more rows than the size of the request allows; the others are stored', () => {
    const attributes = [{ key: 'huge', value: { stringValue: 'x'.repeat(1 << 20) } }];
    const logRecords = Array.from({ length: 200 }, () => ({}));
    const request = { resourceLogs: [{ resource: { attributes }, scopeLogs: [{ logRecords }] }] };
    const { accepted, rejected, message } = decodeJson('logs', request);
    expect(accepted + rejected).toBe(200);
    expect(accepted).toBeGreaterThan(50);
    expect(message).toMatch(/^\d+ × with the attributes of their resource, the records exceed what/);
  });

  it('are read once for all scopes of a resource, and the next resource begins anew', () => {
    const resource = (name: string) => ({ attributes: [{ key: 'service.name', value: { stringValue: name } }] });
    const scopes = (names: string[]) => names.map((name) => ({ scope: { name }, logRecords: [{}, {}] }));
    const rows = jsonRows('logs', 'otel_logs', {
      resourceLogs: [
        { resource: resource('a'), scopeLogs: scopes(['1', '2', '3']) },
        { scopeLogs: scopes(['4']) },
        { resource: resource('b'), schemaUrl: 's', scopeLogs: scopes(['5', '6']) },
      ],
    });
    expect(rows.map((row) => [row.ServiceName, row.ScopeName, row.ResourceSchemaUrl])).toEqual(
      ['a 1 ', 'a 2 ', 'a 3 ', ' 4 ', 'b 5 s', 'b 6 s'].flatMap((row) => [row.split(' '), row.split(' ')]),
    );
  });
});

/** One group message that holds the content of both, the second's first. Both are shorter than 16 KiB. */
function swapped(first: Buffer, second: Buffer): Buffer {
  const content = (request: Buffer) => request.subarray((request[1] ?? 0) < 0x80 ? 2 : 3);
  const both = Buffer.concat([content(second), content(first)]);
  return Buffer.concat([Buffer.from([0x0a, (both.length & 127) | 128, both.length >> 7]), both]);
}

describe('spans', () => {
  it.each([
    ['no trace id', { traceId: '' }, '1 × a trace id has 16 bytes that are not all zero'],
    ['a short trace id', { traceId: 'abcd' }, '1 × a trace id has 16 bytes that are not all zero'],
    ['a zero trace id', { traceId: '00'.repeat(16) }, '1 × a trace id has 16 bytes that are not all zero'],
    ['a long span id', { spanId: `${spanId}00` }, '1 × a span id has 8 bytes that are not all zero'],
    ['a short parent', { parentSpanId: 'ab' }, '1 × a parent span id has 8 bytes or is absent'],
    [
      'an event too late',
      { events: [{ timeUnixNano: '4294967296000000000' }] },
      '1 × a time is at most 2106-02-07T06:28:15Z',
    ],
  ])('with %s are rejected', (_, span, message) => {
    expect(decodeJson('traces', spanRequest(span))).toMatchObject({ accepted: 0, rejected: 1, message, blocks: [] });
  });

  it.each([
    ['end minus start', { startTimeUnixNano: '4294967295', endTimeUnixNano: '8589934592' }, 4_294_967_297n],
    ['0 when it ends before it starts, which the answer says', { startTimeUnixNano: '9', endTimeUnixNano: '5' }, 0n],
    ['0 without an end', { endTimeUnixNano: '0' }, 0n],
  ])('have a duration: %s', (_, span, duration) => {
    expect(jsonRows('traces', 'otel_traces', spanRequest(span))).toMatchObject([{ Duration: duration }]);
  });

  it('that end before they start are reported', () => {
    const decoded = decodeJson('traces', spanRequest({ startTimeUnixNano: '9', endTimeUnixNano: '5' }));
    const message = '1 × a span is stored with duration 0: it ends before it starts';
    expect(decoded).toMatchObject({ accepted: 1, rejected: 0, message });
  });

  it('without a start are stored at their end', () => {
    expect(jsonRows('traces', 'otel_traces', spanRequest({ startTimeUnixNano: '0' }))).toMatchObject([
      { Timestamp: 4000n, Duration: 0n },
    ]);
  });

  it('have the words of the Collector’s exporter for kind and status (decisions S2)', () => {
    const kinds = [0, 1, 2, 3, 4, 5, 99].map(
      (kind) => jsonRows('traces', 'otel_traces', spanRequest({ kind }))[0]?.SpanKind,
    );
    expect(kinds).toEqual(['Unspecified', 'Internal', 'Server', 'Client', 'Producer', 'Consumer', 'Unspecified']);
    const codes = [0, 1, 2, 99].map(
      (code) => jsonRows('traces', 'otel_traces', spanRequest({ status: { code } }))[0]?.StatusCode,
    );
    expect(codes).toEqual(['Unset', 'Ok', 'Error', 'Unset']);
    const named = spanRequest({ kind: 'SPAN_KIND_SERVER', status: { code: 'STATUS_CODE_ERROR' } });
    expect(jsonRows('traces', 'otel_traces', named)).toMatchObject([{ SpanKind: 'Server', StatusCode: 'Error' }]);
  });
});

describe('metrics', () => {
  it.each([
    ['no data', {}, '1 × a metric has a gauge, sum, histogram, exponential histogram or summary'],
    ['no name', { name: '', gauge: { dataPoints: [{ asInt: 1 }] } }, '1 × a metric has a name'],
    [
      'a point without a value',
      { gauge: { dataPoints: [{ timeUnixNano: '1' }] } },
      '1 × a number data point has a value',
    ],
    [
      'buckets that do not fit their bounds',
      { histogram: { dataPoints: [{ bucketCounts: ['1', '2'], explicitBounds: [1, 2] }] } },
      '1 × a histogram has one bucket count more than explicit bounds, or none of both',
    ],
  ])('with %s are rejected', (_, metric, message) => {
    expect(decodeJson('metrics', metricRequest(metric))).toMatchObject({ accepted: 0, rejected: 1, message });
  });

  it('keep 64-bit counts exact', () => {
    const point = { count: '18446744073709551615', bucketCounts: ['9007199254740993', 2], explicitBounds: [0.5] };
    expect(
      jsonRows('metrics', 'otel_metrics_histogram', metricRequest({ histogram: { dataPoints: [point] } })),
    ).toMatchObject([
      { Count: 18_446_744_073_709_551_615n, BucketCounts: [9_007_199_254_740_993n, 2n], ExplicitBounds: [0.5] },
    ]);
  });

  it('read packed and unpacked numbers alike', () => {
    const point = { bucketCounts: [int64(1n), int64(2n)], explicitBounds: [0.5] };
    const packed = encodeRequest('metrics', metricRequest({ histogram: { dataPoints: [point] } }));
    const list = Buffer.from([0x32, 16, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0]);
    const at = packed.indexOf(list);
    expect(at).toBeGreaterThan(0);
    // The same length: tag and number, tag and number.
    const unpacked = Buffer.from(packed);
    Buffer.from([0x31, 1, 0, 0, 0, 0, 0, 0, 0, 0x31, 2, 0, 0, 0, 0, 0, 0, 0]).copy(unpacked, at);
    expect(decodeProtobuf('metrics', unpacked)).toEqual(decodeProtobuf('metrics', packed));
  });

  it('have the name, unit and temporality of their metric in each row', () => {
    const sum = (value: number) => ({
      dataPoints: [{ asInt: value }, { asInt: String(value + 1) }],
      isMonotonic: true,
      aggregationTemporality: 2,
    });
    const metrics = [
      { name: 'a', unit: 's', sum: sum(1) },
      { name: 'b', gauge: { dataPoints: [{ asDouble: 0.5 }] } },
      { name: 'c', sum: { ...sum(7), isMonotonic: false } },
    ];
    const decoded = { resourceMetrics: [{ scopeMetrics: [{ metrics }] }] };
    expect(jsonRows('metrics', 'otel_metrics_sum', decoded)).toMatchObject([
      { MetricName: 'a', MetricUnit: 's', Value: 1, IsMonotonic: true, AggregationTemporality: 2 },
      { MetricName: 'a', MetricUnit: 's', Value: 2, IsMonotonic: true, AggregationTemporality: 2 },
      { MetricName: 'c', MetricUnit: '', Value: 7, IsMonotonic: false, AggregationTemporality: 2 },
      { MetricName: 'c', MetricUnit: '', Value: 8, IsMonotonic: false, AggregationTemporality: 2 },
    ]);
    expect(jsonRows('metrics', 'otel_metrics_gauge', decoded)).toMatchObject([{ MetricName: 'b', Value: 0.5 }]);
  });
});
