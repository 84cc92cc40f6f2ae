import { deflateSync, gzipSync } from 'node:zlib';
import { lz4Of, type Step, snappyOf } from '../../src/collector/testing/compressed-steps.ts';
import type { Attack } from './attack.ts';
import { exportGrpc, exportHttp, type Signal } from './target.ts';
import { field, fixed64, nested, repeat, zstdBomb } from './wire.ts';

const signals: readonly Signal[] = ['logs', 'traces', 'metrics'];
const protobuf = { 'content-type': 'application/x-protobuf' };
const json = { 'content-type': 'application/json' };
const empty = Buffer.alloc(0);

const attribute = (key: string, value: Buffer) =>
  field(1, Buffer.concat([field(1, Buffer.from(key)), field(2, value)]));
const text = (value: string) => field(1, Buffer.from(value));

const shortAttribute = field(1, field(1, Buffer.from('k')));

/**
 * Half of it a resource of many short attributes, half scopes of one empty record: a decoder that reads the resource again
 * for each scope reads the square.
 */
function manyScopes(bytes: number): Buffer {
  const attributes = repeat(shortAttribute, Math.floor(bytes / 2 / shortAttribute.length));
  const scope = field(2, field(2, empty));
  return field(1, Buffer.concat([field(1, attributes), repeat(scope, Math.floor(bytes / 2 / scope.length))]));
}

/** Scopes of one record each, and a resource that is long: it belongs to every row. */
function longResource(bytes: number): Buffer {
  const resource = attribute('filler', text('x'.repeat(bytes / 2)));
  const scope = field(2, field(2, fixed64(1, nowNano())));
  return field(1, Buffer.concat([field(1, resource), repeat(scope, Math.floor(bytes / 2 / scope.length))]));
}

const nowNano = () => BigInt(Date.now()) * 1_000_000n;
const inLog = (record: Buffer) => field(1, field(2, field(2, record)));

/** More than a packet of records, each in a different second. */
function distinctSeconds(records: number): Buffer {
  const now = nowNano();
  const all = Array.from({ length: records }, (_, index) => field(2, fixed64(1, now - BigInt(index) * 1_000_000_000n)));
  return field(1, field(2, Buffer.concat(all)));
}

interface Sent {
  name: string;
  signal?: Signal;
  body: () => Buffer;
  headers?: Record<string, string>;
  pack?: (body: Buffer) => Buffer;
  expected?: readonly number[];
  kind?: 'A' | 'C';
  heavy?: true;
}

function overHttp({
  name,
  signal = 'logs',
  body,
  headers = protobuf,
  pack,
  expected,
  kind = 'A',
  heavy,
}: Sent): Attack {
  const content = (pack ?? ((plain) => plain))(body());
  return {
    ...{ kind, name: `${name} (HTTP, ${signal})`, wireBytes: content.length },
    ...(expected && { expected }),
    ...(heavy && { heavy }),
    run: (target) => exportHttp(target, signal, content, headers),
  };
}

function overGrpc({ name, signal = 'logs', body, kind = 'A', heavy }: Sent): Attack {
  const content = body();
  return {
    ...{ kind, name: `${name} (gRPC, ${signal})`, wireBytes: gzipSync(content).length },
    ...(heavy && { heavy }),
    run: (target) => exportGrpc(target, signal, content),
  };
}

const gzipped = { pack: (body: Buffer) => gzipSync(body), headers: { ...protobuf, 'content-encoding': 'gzip' } };
const gzippedJson = { pack: (body: Buffer) => gzipSync(body), headers: { ...json, 'content-encoding': 'gzip' } };
const zeros = (count: number): Step[] => [{ literal: Buffer.alloc(1) }, { back: 0, count: count - 1 }];
const megabytes = (count: number) => count * 1_000_000;
const kilobytes = (count: number) => count * 1_000;

function squares(): Attack[] {
  return signals.flatMap((signal) =>
    [51, 102, 205].flatMap((size) => {
      const sent: Sent = {
        name: `a resource of many attributes and many scopes, ${size} kB`,
        signal,
        body: () => manyScopes(kilobytes(size)),
      };
      return [overHttp({ ...sent, ...gzipped }), overGrpc(sent)];
    }),
  );
}

function expansions(): Attack[] {
  const brackets = () => Buffer.alloc(megabytes(50), '[');
  const emptyObjects = (count: number) => () =>
    Buffer.from(`{"resourceLogs":[{"scopeLogs":[{"logRecords":[${'{},'.repeat(count)}{}]}]}]}`);
  const emptyRecords = (count: number) => () => field(1, field(2, repeat(field(2, empty), count)));
  const refused = { expected: [400, 413, 415] };
  return [
    overHttp({ name: '50 MB of [', body: brackets, ...gzippedJson, ...refused }),
    overHttp({ name: '{}, a million times', body: emptyObjects(1_000_000), ...gzippedJson }),
    overHttp({ name: '{}, 300,000 times', body: emptyObjects(300_000), ...gzippedJson }),
    overHttp({ name: 'ten million empty records', body: emptyRecords(10_000_000), ...gzipped }),
    overHttp({ name: '300,000 empty records, uncompressed', body: emptyRecords(300_000) }),
    overGrpc({ name: 'ten million empty records', body: emptyRecords(10_000_000) }),
    overHttp({ name: '60 MB of zeros', body: () => Buffer.alloc(megabytes(60)), ...gzipped, ...refused }),
    overHttp({
      ...{ name: '60 MB of zeros, zstd', body: () => zstdBomb(0, megabytes(60)), ...refused },
      headers: { ...protobuf, 'content-encoding': 'zstd' },
    }),
    ...Object.entries({ snappy: snappyOf, lz4: lz4Of }).map(([encoding, encode]) =>
      overHttp({
        ...{ name: `60 MB of zeros, ${encoding}`, body: () => encode(zeros(megabytes(60))), ...refused },
        headers: { ...protobuf, 'content-encoding': encoding },
      }),
    ),
    overHttp({
      ...{ name: '60 MB of zeros, deflate', body: () => deflateSync(Buffer.alloc(megabytes(60))), ...refused },
      headers: { ...protobuf, 'content-encoding': 'deflate' },
    }),
    overHttp({
      ...{ name: 'gzip of gzip of 60 MB', body: () => gzipSync(gzipSync(Buffer.alloc(megabytes(60)))), ...refused },
      headers: { ...protobuf, 'content-encoding': 'gzip, gzip' },
    }),
    overHttp({
      name: 'a million attributes of one record',
      body: () => inLog(repeat(field(6, field(1, Buffer.from('k'))), 1_000_000)),
      ...gzipped,
    }),
    overHttp({
      name: 'a million attributes of one record, JSON',
      body: () =>
        Buffer.from(
          `{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"attributes":[${'{"key":"k"},'.repeat(1_000_000)}{"key":"k"}]}]}]}]}`,
        ),
      ...gzippedJson,
    }),
    overHttp({
      name: 'four million buckets of one histogram',
      signal: 'metrics',
      body: () => {
        const point = field(6, Buffer.alloc(8 * 4_000_000));
        const metric = Buffer.concat([field(1, Buffer.from('wide')), field(9, field(1, point))]);
        return field(1, field(2, field(2, metric)));
      },
      ...gzipped,
    }),
  ];
}

function depths(): Attack[] {
  const deepValue = (levels: number) => nested(5, 1, nested(1, levels * 2, empty));
  const deepJson = (levels: number) =>
    Buffer.from(
      `{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":${'{"arrayValue":{"values":['.repeat(levels)}{"intValue":1}${']}}'.repeat(levels)}}]}]}]}`,
    );
  return [
    overHttp({ name: 'a body 100,000 lists deep', body: () => inLog(deepValue(100_000)) }),
    overHttp({ name: 'a body 20,000 lists deep, JSON', body: () => deepJson(20_000), headers: json }),
    overHttp({ name: 'a body 2,500 lists deep, JSON', body: () => deepJson(2_500), headers: json }),
    overHttp({ name: 'a million scopes inside each other', body: () => field(1, nested(2, 200_000, empty)) }),
    overHttp({
      name: 'brackets 10,000 deep, JSON',
      body: () => Buffer.from(`{"resourceLogs":${'['.repeat(10_000)}${']'.repeat(10_000)}}`),
      headers: json,
    }),
  ];
}

/** Attacks by a sender of telemetry on the collector. */
export function otlpAttacks(): Attack[] {
  return [
    ...squares(),
    overHttp({
      name: 'one resource of 100 kB, a record in each scope',
      body: () => longResource(kilobytes(200)),
    }),
    ...expansions(),
    ...depths(),
    overHttp({
      ...{ name: '135,000 records of distinct seconds', body: () => distinctSeconds(135_000), ...gzipped },
      ...{ kind: 'C', expected: [200] },
    }),
  ];
}
