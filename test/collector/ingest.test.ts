import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OtlpHttpServer } from '../../src/collector/otlp-http.ts';
import type { Signal } from '../../src/collector/signal.ts';
import { ingestionKey, serverOptions } from '../../src/collector/testing/collector-fixture.ts';
import { arrivalNano, signals } from '../../src/collector/testing/decoders.ts';
import { encodeRequest } from '../../src/collector/testing/otlp-oracle.ts';
import { levels, type Plain, randomRequest, toJson, toOracle } from '../../src/collector/testing/random-requests.ts';
import type { Row } from '../../src/collector/testing/read-native-block.ts';
import { referenceRows } from '../../src/collector/testing/reference-rows.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { randomIds } from '../../src/kernel/ids.ts';
import { BatchWriter } from '../../src/telemetry/batch-writer.ts';
import { ClickHouseTelemetryDatabases } from '../../src/telemetry/schema/telemetry-databases.ts';
import { openEngine, type TestEngine } from '../support/start-engine.ts';

const database = 'otel_team';
/** Long enough that nothing expires while the test looks. */
const retention = { logs: 3650, traces: 3650, metrics: 3650 };
const seed = Number(process.env.SEED ?? Date.now());

let engine: TestEngine;
let url: string;

beforeAll(async () => {
  engine = await openEngine();
  await new ClickHouseTelemetryDatabases(engine.client, { kind: 'embedded' }, retention).ensure(database);
  const writer = new BatchWriter({ inserter: engine.inserter, clock: systemClock, ids: randomIds });
  const server = new OtlpHttpServer(serverOptions(writer).options);
  url = (await server.start()).address;
  afterAll(() => server.stop());
});

async function send(signal: Signal, request: Plain, encoding: 'json' | 'protobuf'): Promise<void> {
  const response = await fetch(`${url}/v1/${signal}`, {
    method: 'POST',
    headers: {
      authorization: ingestionKey,
      'content-type': encoding === 'json' ? 'application/json' : 'application/x-protobuf',
    },
    body:
      encoding === 'json'
        ? JSON.stringify(toJson(request))
        : new Uint8Array(encodeRequest(signal, Object(toOracle(request)))),
  });
  expect(response.status).toBe(200);
}

/** Moves every time into the last days, where partitions are few. */
function recent(value: unknown, key = ''): unknown {
  if (typeof value === 'bigint' && key.endsWith('UnixNano')) return arrivalNano - (value % 10n ** 14n);
  if (Array.isArray(value)) return value.map((item) => recent(item, key));
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, recent(member, name)]));
}

/** A column as SQL that gives it exactly in JSON: 64 bits as text, doubles as their bits, maps as pairs. */
function exactSql(type: string, value: string, depth = 0): string {
  const item = `x${depth}`;
  const array = /^Array\((.*)\)$/.exec(type);
  if (array) return `arrayMap(${item} -> ${exactSql(array[1] ?? '', item, depth + 1)}, ${value})`;
  if (type.startsWith('Map('))
    return `arrayMap(${item} -> [toString(${item}.1), ${item}.2], CAST(${value}, 'Array(Tuple(String, String))'))`;
  if (type.startsWith('DateTime64')) return `toString(toUnixTimestamp64Nano(${value}))`;
  if (type === 'Float64') return `toString(reinterpretAsUInt64(${value}))`;
  return type === 'UInt64' ? `toString(${value})` : value;
}

/** The same for a value of the reference. */
function exactValue(type: string, value: unknown): unknown {
  const array = /^Array\((.*)\)$/.exec(type);
  if (array && Array.isArray(value)) return value.map((item) => exactValue(array[1] ?? '', item));
  if (type === 'Float64') return String(new BigUint64Array(new Float64Array([Number(value)]).buffer)[0]);
  return typeof value === 'bigint' ? String(value) : value;
}

async function columnTypes(table: string, names: readonly string[]): Promise<[name: string, type: string][]> {
  const schema = await engine.tableSchemas.describe(database, table);
  return names.map((name) => [name, schema?.columns.get(name) ?? 'missing']);
}

/** Rows as sorted text: the engine keeps them in its own order. */
async function storedRows(table: string, types: [string, string][]): Promise<string[]> {
  const columns = types.map(([name, type]) => exactSql(type, `\`${name}\``)).join(', ');
  const { columns: values, rows } = await engine.client.query(`SELECT ${columns} FROM ${database}.${table}`, {
    timeoutMs: 20_000,
  });
  return Array.from({ length: rows }, (_, row) => JSON.stringify(values.map((column) => column[row]))).sort();
}

describe.each(signals)('what was sent as %s', (signal) => {
  it(`is what SQL reads back, column for column and bit for bit (seed ${seed})`, async () => {
    const requests = fc
      .sample(randomRequest(signal), { numRuns: 60, seed })
      .map((request): Plain => Object(recent(request)));
    const expected = new Map<string, Row[]>();
    await Promise.all(
      requests.map(async (request, index) => {
        await send(signal, request, index % 2 === 0 ? 'protobuf' : 'json');
        for (const [table, rows] of Object.entries(referenceRows(signal, request).tables)) {
          expected.set(table, [...(expected.get(table) ?? []), ...rows]);
        }
      }),
    );
    expect(expected.size).toBe(signal === 'metrics' ? 5 : 1);
    for (const [table, rows] of expected) {
      const types = await columnTypes(table, Object.keys(rows[0] ?? {}));
      const sent = rows.map((row) => JSON.stringify(types.map(([name, type]) => exactValue(type, row[name])))).sort();
      expect(await storedRows(table, types)).toEqual(sent);
    }
  });

  it('with nothing in it is accepted', async () => {
    await send(signal, { [levels[signal].resources]: [] }, 'json');
  });
});
