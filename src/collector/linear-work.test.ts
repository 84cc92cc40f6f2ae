import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Signal } from './signal.ts';
import { WorkCounter } from './testing/count-work.ts';
import { signals } from './testing/decoders.ts';
import { encodeRequest } from './testing/otlp-oracle.ts';
import { levels, type Plain } from './testing/random-requests.ts';

const traceId = Buffer.alloc(16, 7);
const spanId = Buffer.alloc(8, 7);

/** How often each part of a request is there. */
interface Shape {
  resources: number;
  resourceAttributes: number;
  scopes: number;
  scopeAttributes: number;
  records: number;
  recordAttributes: number;
  /** Events and links of spans, exemplars of points, items of a log's body. */
  parts: number;
  /** Buckets, quantiles, nested values. */
  numbers: number;
  textLength: number;
}

const times = <Item>(count: number, make: (index: number) => Item) =>
  Array.from({ length: count }, (_, at) => make(at));

function attributes(count: number, { textLength }: Shape): Plain[] {
  const value = { stringValue: 'v'.repeat(textLength) };
  return times(count, (index) => ({ key: `k${index}`, value }));
}

function logRecord(shape: Shape): Plain {
  const item = { kvlistValue: { values: attributes(2, shape) } };
  const numbers = { arrayValue: { values: times(shape.numbers, (index) => ({ intValue: index })) } };
  return {
    body: { arrayValue: { values: [numbers, ...times(shape.parts, () => item)] } },
    attributes: attributes(shape.recordAttributes, shape),
  };
}

function span(shape: Shape): Plain {
  const event = { name: 'e', attributes: attributes(1, shape) };
  const link = { traceId, spanId, attributes: attributes(1, shape) };
  return {
    traceId,
    spanId,
    attributes: attributes(shape.recordAttributes, shape),
    events: times(shape.parts, () => event),
    links: times(shape.numbers, () => link),
  };
}

function metric(shape: Shape, index: number): Plain {
  const exemplars = times(shape.parts, () => ({ asDouble: 1, filteredAttributes: attributes(1, shape) }));
  const point = { attributes: attributes(shape.recordAttributes, shape) };
  const bounds = times(shape.numbers, (at) => at);
  const kinds: Plain[] = [
    { gauge: { dataPoints: [{ ...point, asDouble: 1, exemplars }] } },
    { sum: { dataPoints: [{ ...point, asDouble: 1, exemplars }] } },
    { histogram: { dataPoints: [{ ...point, exemplars, explicitBounds: bounds, bucketCounts: [...bounds, 1] }] } },
    { exponentialHistogram: { dataPoints: [{ ...point, exemplars, positive: { bucketCounts: bounds } }] } },
    {
      summary: { dataPoints: [{ ...point, quantileValues: times(shape.numbers, () => ({ quantile: 1, value: 1 })) }] },
    },
  ];
  return { name: `m${index}`, ...kinds[index % kinds.length] };
}

const members: Readonly<Record<Signal, (shape: Shape, index: number) => Plain>> = {
  logs: logRecord,
  traces: span,
  metrics: metric,
};

function requestOf(signal: Signal, shape: Shape): Plain {
  const names = levels[signal];
  const member = times(shape.records, (index) => members[signal](shape, index));
  const scopes = times(shape.scopes, (index) => ({
    scope: { name: `s${index}`, attributes: attributes(shape.scopeAttributes, shape) },
    [names.records]: member,
  }));
  const resource = { attributes: attributes(shape.resourceAttributes, shape) };
  return { [names.resources]: times(shape.resources, () => ({ resource, [names.scopes]: scopes })) };
}

const encodings = {
  protobuf: {
    bytes: (signal: Signal, request: Plain) => encodeRequest(signal, request),
    decode: (signal: Signal, bytes: Buffer) => decodeProtobuf(signal, bytes),
  },
  json: {
    bytes: (_: Signal, request: Plain) =>
      Buffer.from(
        JSON.stringify(request, (key, value) =>
          key.endsWith('Id') ? Buffer.from(Object(value).data ?? value).toString('hex') : value,
        ),
      ),
    decode: (signal: Signal, bytes: Buffer) => decodeJsonText(signal, bytes.toString()),
  },
};

/** Parts of a request differ in what a byte of them costs; work that multiplies would cost twice as much per byte. */
const perByteGrowthMax = 1.8;

let counter: WorkCounter;
let decodeProtobuf: typeof import('./testing/decoders.ts').decodeProtobuf;
let decodeJsonText: typeof import('./testing/decoders.ts').decodeJsonText;

beforeAll(async () => {
  counter = new WorkCounter();
  // Code that was compiled before counts nothing.
  vi.resetModules();
  ({ decodeProtobuf, decodeJsonText } = await import('./testing/decoders.ts'));
});
afterAll(() => counter.stop());

function workOn(signal: Signal, encoding: keyof typeof encodings, bytes: Buffer): number {
  return counter.count(() => void encodings[encoding].decode(signal, bytes));
}

const count = fc.integer({ min: 1, max: 5 });
const many = fc.integer({ min: 20, max: 40 });
const dimensions = [
  'resources',
  'resourceAttributes',
  'scopes',
  'scopeAttributes',
  'records',
  'recordAttributes',
  'parts',
  'numbers',
  'textLength',
] as const;

/** Few of everything, and many of two things: where these meet, work might multiply. */
const shape: fc.Arbitrary<[Shape, (typeof dimensions)[number][]]> = fc
  .tuple(
    fc.record({
      resources: fc.constant(1),
      resourceAttributes: count,
      scopes: fc.constant(1),
      scopeAttributes: fc.constant(1),
      records: fc.constant(1),
      recordAttributes: count,
      parts: count,
      numbers: count,
      textLength: count,
    }),
    fc.uniqueArray(fc.constantFrom(...dimensions), { minLength: 1, maxLength: 2 }),
    many,
  )
  .map(([few, grown, size]) => [{ ...few, ...Object.fromEntries(grown.map((name) => [name, size])) }, grown]);

describe.each(signals)('the work on %s grows with their bytes', { timeout: 60_000 }, (signal) => {
  it.each(['protobuf', 'json'] as const)('in %s, whatever there is more of', (encoding) => {
    const { bytes } = encodings[encoding];
    fc.assert(
      fc.property(shape, ([once, grown]) => {
        const twice = { ...once, ...Object.fromEntries(grown.map((name) => [name, once[name] * 2])) };
        const [small, large] = [bytes(signal, requestOf(signal, once)), bytes(signal, requestOf(signal, twice))];
        const perByte = workOn(signal, encoding, small) / small.length;
        expect(workOn(signal, encoding, large)).toBeLessThanOrEqual(perByte * large.length * perByteGrowthMax);
      }),
      { numRuns: 12 },
    );
  });

  it.each(['protobuf', 'json'] as const)('in %s, with one resource of many scopes', (encoding) => {
    const small: Shape = {
      resources: 1,
      resourceAttributes: 300,
      scopes: 300,
      scopeAttributes: 0,
      records: 1,
      recordAttributes: 0,
      parts: 0,
      numbers: 0,
      textLength: 1,
    };
    const large = { ...small, resourceAttributes: 600, scopes: 600 };
    const [few, many] = [small, large].map((each) => encodings[encoding].bytes(signal, requestOf(signal, each)));
    if (!few || !many) throw new Error('two requests were made');
    expect(workOn(signal, encoding, many)).toBeLessThan(workOn(signal, encoding, few) * 2.5);
  });
});

describe('rows of a request', () => {
  const bytesOf = (blocks: readonly { bytes: Uint8Array }[]) =>
    blocks.reduce((sum, { bytes }) => sum + bytes.length, 0);

  it.each([
    ['empty log records', 'logs', Buffer.from([0x12, 0x00])],
    ['log records with an empty attribute', 'logs', Buffer.from([0x12, 0x02, 0x32, 0x00])],
    ['metrics without anything', 'metrics', Buffer.from([0x12, 0x00])],
    ['spans without anything', 'traces', Buffer.from([0x12, 0x00])],
  ] as const)('are bounded by its bytes: %s', (_, signal, member) => {
    const group = Buffer.alloc(3_000_000, member);
    const payload = delimited(1, Buffer.concat([delimited(1, Buffer.alloc(0)), delimited(2, group)]));
    const { accepted, rejected, blocks } = decodeProtobuf(signal, payload);
    expect(accepted + rejected).toBe(group.length / member.length);
    expect(accepted).toBeLessThan(250_000);
    expect(bytesOf(blocks)).toBeLessThan(64 << 20);
  });

  it('are stored when they are 135,000 in one request', () => {
    const records = times(135_000, (index) =>
      Buffer.from([0x09, ...nanoBytes(1_700_000_000_000_000_000n + BigInt(index) * 3_000_000_000n)]),
    );
    const group = Buffer.concat(records.map((record) => delimited(2, record)));
    expect(decodeProtobuf('logs', delimited(1, delimited(2, group)))).toMatchObject({ accepted: 135_000, rejected: 0 });
  });

  it('of a large resource are bounded by the bytes of both', () => {
    const resource = { attributes: attributes(3000, { textLength: 4 } as Shape) };
    const scopeLogs = times(6000, () => ({ logRecords: [{}] }));
    const payload = encodeRequest('logs', { resourceLogs: [{ resource, scopeLogs }] });
    const { accepted, rejected, blocks } = decodeProtobuf('logs', payload);
    expect(accepted + rejected).toBe(6000);
    expect(bytesOf(blocks)).toBeLessThan((8 << 20) + payload.length * 80);
  });
});

function nanoBytes(nano: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(nano);
  return bytes;
}

function delimited(field: number, content: Buffer): Buffer {
  const size: number[] = [];
  let rest = content.length;
  for (; rest > 127; rest >>= 7) size.push((rest & 127) | 128);
  return Buffer.concat([Buffer.from([(field << 3) | 2, ...size, rest]), content]);
}
