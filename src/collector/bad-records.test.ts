import { describe, expect, it } from 'vitest';
import type { Signal } from './signal.ts';
import { decodeJsonText, decodeProtobuf, rowsOf } from './testing/decoders.ts';
import { encodeRequest } from './testing/otlp-oracle.ts';
import type { Row } from './testing/read-native-block.ts';

// Every field of OTLP's records, written down from opentelemetry/proto, with values as OTLP/JSON has them.

type Json = Record<string, unknown>;

const traceId = '5b8efff798038103d269b633813fc60c';
const spanId = 'eee19b7ec3c1b174';
const time = '1760000000000000000';
const anyValues = [
  { stringValue: 's' },
  { boolValue: true },
  { intValue: '5' },
  { doubleValue: 1.5 },
  { bytesValue: 'AAEC' },
  { arrayValue: { values: [{ intValue: '1' }] } },
  { kvlistValue: { values: [{ key: 'k', value: { stringValue: 'v' } }] } },
];
const attributes = anyValues.map((value, index) => ({ key: `k${index}`, value }));
const exemplars = [{ timeUnixNano: time, asDouble: 1.5, spanId, traceId, filteredAttributes: attributes }];
const point = { startTimeUnixNano: time, timeUnixNano: time, attributes, flags: 0 };
const summed = { count: '3', sum: 4.5 };
const extremes = { min: 0.5, max: 2.5 };
const buckets = { offset: 1, bucketCounts: ['1', '2'] };

const logRecord = {
  timeUnixNano: time,
  observedTimeUnixNano: time,
  severityNumber: 9,
  severityText: 'INFO',
  body: { kvlistValue: { values: attributes } },
  attributes,
  flags: 1,
  traceId,
  spanId,
  eventName: 'e',
};
const span = {
  traceId,
  spanId,
  traceState: 'a=b',
  parentSpanId: spanId,
  name: 'n',
  kind: 2,
  startTimeUnixNano: time,
  endTimeUnixNano: time,
  attributes,
  events: [{ timeUnixNano: time, name: 'e', attributes }],
  links: [{ traceId, spanId, traceState: 'a=b', attributes }],
  status: { message: 'm', code: 2 },
};
const points: Record<string, Json> = {
  gauge: { ...point, asDouble: 1.5, exemplars },
  sum: { ...point, asInt: '7', exemplars },
  histogram: { ...point, ...summed, ...extremes, bucketCounts: ['1', '2'], explicitBounds: [0.5], exemplars },
  exponentialHistogram: {
    ...point,
    ...summed,
    ...extremes,
    scale: 1,
    zeroCount: '1',
    positive: buckets,
    negative: buckets,
    exemplars,
  },
  summary: { ...point, ...summed, quantileValues: [{ quantile: 0.5, value: 1.5 }] },
};

interface Case {
  name: string;
  signal: Signal;
  record: Json;
  request: (records: unknown[]) => Json;
}

const metricOf = (kind: string, dataPoints: unknown[]) => ({
  name: 'm',
  description: 'd',
  unit: 's',
  [kind]: { dataPoints, ...(kind === 'sum' ? { isMonotonic: true } : {}), aggregationTemporality: 2 },
});
const cases: Case[] = [
  {
    name: 'log record',
    signal: 'logs',
    record: logRecord,
    request: (logRecords) => ({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] }),
  },
  {
    name: 'span',
    signal: 'traces',
    record: span,
    request: (spans) => ({ resourceSpans: [{ scopeSpans: [{ spans }] }] }),
  },
  ...Object.entries(points).map(
    ([kind, record]): Case => ({
      name: kind,
      signal: 'metrics',
      record,
      request: (dataPoints) => ({ resourceMetrics: [{ scopeMetrics: [{ metrics: [metricOf(kind, dataPoints)] }] }] }),
    }),
  ),
];

/** Values that some sender puts where another belongs. */
const oddValues: unknown[] = ['ten', '', '12', 'true', true, 5, -1, 1.5, 1e25, {}, { a: 1 }, [], ['x'], [null], null];

type Path = (string | number)[];

/** Every place in the record: each field, and what is inside of it. */
function placesIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const place = [...path, Array.isArray(value) ? Number(key) : key];
    return [place, ...placesIn(member, place)];
  });
}

function withValueAt(record: unknown, [head, ...rest]: Path, odd: unknown): unknown {
  if (head === undefined) return odd;
  const copy: Json = Array.isArray(record) ? Object([...record]) : { ...Object(record) };
  copy[head] = withValueAt(copy[head], rest, odd);
  return copy;
}

const rowsIn = (decoded: Parameters<typeof rowsOf>[0]): Row[] => Object.values(rowsOf(decoded)).flat();

describe.each(cases)('one bad $name among good ones', { timeout: 60_000 }, ({ signal, record, request }) => {
  const decode = (records: unknown[]) => decodeJsonText(signal, JSON.stringify(request(records)));
  const [good] = rowsIn(decode([record]));
  const isRow = (row: Row | undefined) => JSON.stringify(row, bigints) === JSON.stringify(good, bigints);

  function expectNeighboursStored(decoded: ReturnType<typeof decode>, what: string): void {
    const rows = rowsIn(decoded);
    expect(isRow(rows[0]) && isRow(rows.at(-1)), what).toBe(true);
    expect([rows.length, decoded.accepted + decoded.rejected], what).toEqual([decoded.accepted, 3]);
    expect(decoded.accepted, what).toBeGreaterThanOrEqual(2);
    if (decoded.rejected > 0) expect(decoded.message, what).toMatch(/^1 × /);
  }

  it('affects no other in JSON, whatever the value and field', () => {
    for (const place of [[], ...placesIn(record)]) {
      for (const odd of oddValues) {
        const bad = withValueAt(record, place, odd);
        expectNeighboursStored(decode([record, bad, record]), `${place.join('.')} = ${JSON.stringify(odd)}`);
      }
    }
  });

  it('is rejected in JSON where a field of numbers, words or objects has text that is none', () => {
    for (const place of placesIn(record)) {
      const isText = ['stringValue', 'key', 'severityText', 'eventName', 'traceState', 'name', 'message'];
      if (isText.includes(String(place.at(-1))) || place.at(-1) === 'bytesValue') continue;
      const bad = withValueAt(record, place, '~');
      expect(decode([record, bad, record]), place.join('.')).toMatchObject({ accepted: 2, rejected: 1 });
    }
  });

  it('costs no other in protobuf, whichever of its bytes is wrong', () => {
    const payload = encodeRequest(signal, Object(toOracleJson(request([record, record, record]))));
    const one = encodeRequest(signal, Object(toOracleJson(request([record]))));
    const bytes = recordIn(one, signal === 'metrics' ? 5 : 3);
    const first = payload.indexOf(bytes);
    const middle = payload.indexOf(bytes, first + bytes.length);
    expect(middle).toBeGreaterThan(first);
    for (let at = middle; at < middle + bytes.length; at++) {
      for (const wrong of [0x00, 0x07, 0x7f, 0x80, 0xff, (payload[at] ?? 0) ^ 1]) {
        const broken = Buffer.from(payload);
        broken[at] = wrong;
        expectNeighboursStored(decodeProtobuf(signal, broken), `byte ${at - middle} = ${wrong}`);
      }
    }
  });
});

describe('a bad group', () => {
  const good = { scopeLogs: [{ logRecords: [{ body: { stringValue: 'good' } }] }] };
  const three = [{}, {}, {}];

  it.each([
    ['a resource', { resource: 'x', scopeLogs: [{ logRecords: three }] }, 3],
    ['an attribute of a resource', { resource: { attributes: [5] }, scopeLogs: [{ logRecords: three }] }, 3],
    ['a resource behind its records', { scopeLogs: [{ logRecords: three }, { logRecords: [{}] }], resource: [] }, 4],
    ['a scope', { scopeLogs: [{ scope: { name: 5 }, logRecords: three }] }, 3],
    ['a list of scopes', { scopeLogs: {} }, 1],
    ['null for a group', null, 1],
  ])('costs its own records and no other: %s', (_, bad, rejected) => {
    const decoded = decodeJsonText('logs', JSON.stringify({ resourceLogs: [good, bad, good] }));
    expect(decoded).toMatchObject({ accepted: 2, rejected });
  });

  it('costs its own records and no other: a metric', () => {
    const gauge = { dataPoints: [{ asInt: 1 }, { asInt: 2 }] };
    const metrics = [
      { name: 'a', gauge },
      { name: 5, gauge },
      { name: 'b', gauge },
    ];
    const decoded = decodeJsonText('metrics', JSON.stringify({ resourceMetrics: [{ scopeMetrics: [{ metrics }] }] }));
    expect(decoded).toMatchObject({ accepted: 4, rejected: 2, message: '2 × metrics.name has to be text' });
  });

  it('costs its own records and no other in protobuf: an attribute of a resource', () => {
    const bad = {
      resource: { attributes: [{ key: 'MARK', value: { stringValue: 'x' } }] },
      scopeLogs: [{ logRecords: three }],
    };
    const payload = encodeRequest('logs', { resourceLogs: [good, bad, good] });
    // The key's length now reaches beyond its attribute.
    payload[payload.indexOf('MARK') - 1] = 100;
    const message = '3 × the resource or scope of a record is not valid';
    expect(decodeProtobuf('logs', payload)).toMatchObject({ accepted: 2, rejected: 3, message });
  });

  it('of thousands of bad records is reported in one short message', () => {
    const text = (bad: number) =>
      `{"resourceLogs":[{"scopeLogs":[{"logRecords":[${'1,'.repeat(bad)}{"body":2},{}]}]}]}`;
    expect(decodeJsonText('logs', text(5_000))).toMatchObject({
      accepted: 1,
      rejected: 5_001,
      message: '5000 × logRecords has to be an object; 1 × logRecords.body has to be an object',
    });
    expect(() => decodeJsonText('logs', text(10_000))).toThrow('more than 10000 records are not valid');
  });
});

function bigints(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

/** The content of the last field, `depth` messages down. */
function recordIn(payload: Buffer, depth: number): Buffer {
  let content = payload;
  for (let level = 0; level < depth; level++) {
    const isData = depth === 5 && level === 3;
    content = isData
      ? (fieldsOf(content).find(({ field }) => field >= 5)?.content ?? content)
      : firstMember(content, level);
  }
  return content;
}

function firstMember(content: Buffer, level: number): Buffer {
  const wanted = level === 0 || level === 4 ? 1 : 2;
  return fieldsOf(content).find(({ field }) => field === wanted)?.content ?? content;
}

function fieldsOf(message: Buffer): { field: number; content: Buffer }[] {
  const fields: { field: number; content: Buffer }[] = [];
  for (let at = 0; at < message.length; ) {
    const tag = message[at++] ?? 0;
    if ((tag & 7) === 0) {
      while ((message[at++] ?? 0) > 127);
      continue;
    }
    let length = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = message[at++] ?? 0;
      length |= (byte & 127) << shift;
      if (byte < 128) break;
    }
    fields.push({ field: tag >> 3, content: message.subarray(at, at + length) });
    at += length;
  }
  return fields;
}

/** 64-bit numbers are text, and bytes are Buffers, to the other encoder. */
function toOracleJson(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => toOracleJson(item, key));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toOracleJson(member, name)]));
  }
  if (typeof value !== 'string') return value;
  if (/Id$/.test(key)) return Buffer.from(value, 'hex');
  if (key === 'bytesValue') return Buffer.from(value, 'base64');
  if (!/^[0-9]+$/.test(value)) return value;
  const bits = BigInt(value);
  return { low: Number(bits & 0xffff_ffffn) | 0, high: Number(bits >> 32n) | 0, unsigned: true };
}
