import fc from 'fast-check';
import type { Signal } from '../signal.ts';
import { arrivalNano } from './decoders.ts';
import { int64 } from './otlp-oracle.ts';

/** A request as plain objects with OTLP/JSON's names; 64-bit numbers are bigint, bytes are Buffers. */
export type Plain = Record<string, unknown>;

const lastTime = 4_294_967_295_999_999_999n;
const text = fc.oneof(fc.string({ maxLength: 12 }), fc.string({ unit: 'binary', maxLength: 200 }));
const double = fc.double().map((value) => (Object.is(value, -0) ? 0 : value));
const signed64 = fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n);
const unsigned64 = fc.bigInt(0n, 2n ** 64n - 1n);
const time = fc.oneof(
  { weight: 6, arbitrary: fc.bigInt(0n, 10n ** 15n).map((back) => arrivalNano - back) },
  { weight: 1, arbitrary: fc.constantFrom(0n, 1n, lastTime, lastTime + 1n, 2n ** 64n - 1n) },
);

function bytes(size: number): fc.Arbitrary<Buffer> {
  return fc.uint8Array({ minLength: size, maxLength: size }).map((array) => Buffer.from(array));
}

function id(size: number): fc.Arbitrary<Buffer> {
  return fc.oneof(
    { weight: 8, arbitrary: bytes(size) },
    { weight: 1, arbitrary: fc.constantFrom(Buffer.alloc(size), Buffer.alloc(0), Buffer.alloc(size - 1, 7)) },
  );
}

const { anyValue } = fc.letrec<{ anyValue: Plain }>((tie) => ({
  anyValue: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({ stringValue: text }),
    fc.record({ boolValue: fc.boolean() }),
    fc.record({ intValue: signed64 }),
    fc.record({ doubleValue: double }),
    fc.record({ bytesValue: fc.uint8Array({ maxLength: 9 }).map((array) => Buffer.from(array)) }),
    fc.constant({}),
    fc.record({ arrayValue: fc.record({ values: fc.array(tie('anyValue'), { maxLength: 3 }) }) }),
    fc.record({
      kvlistValue: fc.record({
        values: fc.array(fc.record({ key: text, value: tie('anyValue') }), { maxLength: 3 }),
      }),
    }),
  ),
}));
const attributes = fc.array(fc.record({ key: text, value: anyValue }, { requiredKeys: ['key'] }), { maxLength: 4 });

const resourceAttributes = fc
  .tuple(attributes, fc.option(text))
  .map(([others, service]) =>
    service === null ? others : [...others, { key: 'service.name', value: { stringValue: service } }],
  );

function optional(fields: Record<string, fc.Arbitrary<unknown>>, requiredKeys: string[] = []): fc.Arbitrary<Plain> {
  return fc.record(fields, { requiredKeys });
}

const logRecord = optional({
  timeUnixNano: time,
  observedTimeUnixNano: time,
  severityNumber: fc.nat(24),
  severityText: text,
  body: anyValue,
  attributes,
  flags: fc.nat(0xffff),
  traceId: id(16),
  spanId: id(8),
  eventName: text,
});

const span = optional(
  {
    traceId: id(16),
    spanId: id(8),
    traceState: text,
    parentSpanId: id(8),
    name: text,
    kind: fc.nat(6),
    startTimeUnixNano: time,
    endTimeUnixNano: time,
    attributes,
    events: fc.array(optional({ timeUnixNano: time, name: text, attributes }), { maxLength: 3 }),
    links: fc.array(optional({ traceId: id(16), spanId: id(8), traceState: text, attributes }), { maxLength: 3 }),
    status: optional({ code: fc.nat(3), message: text }),
  },
  ['traceId', 'spanId'],
);

const exemplar = fc
  .tuple(
    optional({ timeUnixNano: time, spanId: id(8), traceId: id(16), filteredAttributes: attributes }),
    fc.oneof(fc.record({ asDouble: double }), fc.record({ asInt: signed64 })),
  )
  .map(([rest, value]): Plain => ({ ...rest, ...value }));
const exemplars = fc.array(exemplar, { maxLength: 2 });
const pointFields = {
  startTimeUnixNano: time,
  timeUnixNano: time,
  attributes,
  flags: fc.nat(1),
};
const numberPoint = fc
  .tuple(
    optional({ ...pointFields, exemplars }),
    fc.oneof(fc.record({ asDouble: double }), fc.record({ asInt: signed64 }), fc.constant({})),
  )
  .map(([rest, value]): Plain => ({ ...rest, ...value }));
const histogramPoint = fc
  .tuple(
    optional({ ...pointFields, exemplars, count: unsigned64, sum: double, min: double, max: double }),
    fc.array(double, { maxLength: 4 }),
    fc.array(unsigned64, { minLength: 5, maxLength: 5 }),
    fc.constantFrom(0, 1),
  )
  .map(([rest, explicitBounds, counts, missing]): Plain => {
    return { ...rest, explicitBounds, bucketCounts: counts.slice(0, explicitBounds.length + 1 - missing) };
  });
const buckets = optional({ offset: fc.integer(), bucketCounts: fc.array(unsigned64, { maxLength: 4 }) });
const exponentialPoint = optional({
  ...pointFields,
  exemplars,
  count: unsigned64,
  sum: double,
  min: double,
  max: double,
  scale: fc.integer(),
  zeroCount: unsigned64,
  positive: buckets,
  negative: buckets,
});
const summaryPoint = optional({
  ...pointFields,
  count: unsigned64,
  sum: double,
  quantileValues: fc.array(optional({ quantile: double, value: double }), { maxLength: 3 }),
});

function data(point: fc.Arbitrary<Plain>, extra: Record<string, fc.Arbitrary<unknown>> = {}): fc.Arbitrary<Plain> {
  return optional({ dataPoints: fc.array(point, { maxLength: 3 }), ...extra });
}

const aggregationTemporality = fc.nat(2);
const metric = fc
  .tuple(
    optional({ name: text, description: text, unit: text }),
    fc.oneof(
      fc.record({ gauge: data(numberPoint) }),
      fc.record({ sum: data(numberPoint, { aggregationTemporality, isMonotonic: fc.boolean() }) }),
      fc.record({ histogram: data(histogramPoint, { aggregationTemporality }) }),
      fc.record({ exponentialHistogram: data(exponentialPoint, { aggregationTemporality }) }),
      fc.record({ summary: data(summaryPoint) }),
      fc.constant({}),
    ),
  )
  .map(([rest, kind]): Plain => ({ ...rest, ...kind }));

/** Names of the three levels of an export request. */
export const levels: Readonly<Record<Signal, { resources: string; scopes: string; records: string }>> = {
  logs: { resources: 'resourceLogs', scopes: 'scopeLogs', records: 'logRecords' },
  traces: { resources: 'resourceSpans', scopes: 'scopeSpans', records: 'spans' },
  metrics: { resources: 'resourceMetrics', scopes: 'scopeMetrics', records: 'metrics' },
};
const records: Readonly<Record<Signal, fc.Arbitrary<Plain>>> = { logs: logRecord, traces: span, metrics: metric };

/** Export requests with everything that OTLP permits, and some of what it does not. */
export function randomRequest(signal: Signal): fc.Arbitrary<Plain> {
  const names = levels[signal];
  const scope = optional({ name: text, version: text, attributes, droppedAttributesCount: fc.nat(9) });
  const scopes = optional({ scope, schemaUrl: text, [names.records]: fc.array(records[signal], { maxLength: 4 }) });
  const resource = optional({ attributes: resourceAttributes });
  const resources = optional({ resource, schemaUrl: text, [names.scopes]: fc.array(scopes, { maxLength: 3 }) });
  return fc.record({ [names.resources]: fc.array(resources, { maxLength: 3 }) });
}

/** The same request as the oracle's encoder takes it. */
export function toOracle(value: unknown): unknown {
  if (typeof value === 'bigint') return int64(value);
  if (Array.isArray(value)) return value.map(toOracle);
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, toOracle(member)]));
}

/** The same request as OTLP/JSON, parsed: ids hex, other bytes base64, 64-bit numbers as text. */
export function toJson(value: unknown, key = ''): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (Buffer.isBuffer(value)) return value.toString(key.endsWith('Id') ? 'hex' : 'base64');
  if (Array.isArray(value)) return value.map((item) => toJson(item, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toJson(member, name)]));
}
