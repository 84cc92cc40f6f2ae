import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import avro from 'avsc';
import type { Dispatcher } from 'undici';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PipeInput } from '../../src/contract/pipe-input.ts';
import { guardedAgent } from '../../src/notify/guarded-agent.ts';
import { SsrfGuard } from '../../src/notify/target-guard.ts';
import { kinesisProblems } from '../../src/pipes/kinesis/kinesis-settings.ts';
import { afterFile } from '../support/after-file.ts';
import { KinesisServer, kinesisKey, type TestStream } from '../support/kinesis-server.ts';
import { KinesisRun } from './kinesis-run.ts';
import { randomOf } from './mortal.ts';
import type { SourceRunOptions } from './source-run.ts';

type KinesisInput = NonNullable<NonNullable<PipeInput['source']>['kinesis']>;

const seed = Number(process.env.SIGNALBOX_TEST_SEED ?? Date.now() % 2 ** 31);

let server: KinesisServer;
let agent: Dispatcher;
let names = 0;
let name: string;
beforeAll(async () => {
  server = await KinesisServer.start();
  const guarded = guardedAgent(new SsrfGuard(['127.0.0.1']), 5_000);
  afterFile(() => guarded.destroy());
  agent = guarded;
});

beforeEach(() => {
  name = `stream-${++names}`;
  server.failures.clear();
  server.now = Date.now;
});

const line = (id: number) => JSON.stringify({ id });
const lines = (from: number, count: number) => Array.from({ length: count }, (_, index) => line(from + index));

function run(change: KinesisInput = {}, options: SourceRunOptions = {}): KinesisRun {
  return new KinesisRun({ server, agent }, { streamName: name, ...change }, options);
}

async function readAll(pipe: KinesisRun, rows: number): Promise<void> {
  await pipe.read(() => pipe.lines.length + pipe.unreadable.size >= rows);
}

describe('shards', () => {
  it('of every page are read, over several answers each', async () => {
    const stream = server.create(name, 8);
    for (let shard = 0; shard < 8; shard++) stream.put(shard, lines(shard * 200, 200));
    const pipe = run({}, { lanes: 3 });
    await readAll(pipe, 1_600);
    expect(pipe.lines).toEqual(lines(0, 1_600).toSorted());
    await pipe.read(() => true);
    expect(pipe.lines).toHaveLength(1_600);
    expect(pipe.lagMs).toBe(0);
  });

  it.each([1, 4])(
    'that are split and merged: parents are written to their end before children (%i lanes)',
    async (lanes) => {
      const stream = server.create(name, 2);
      stream.put(0, lines(0, 120));
      stream.split(0);
      stream.put(1, lines(120, 120));
      const pipe = run({}, { lanes });
      const reading = pipe.read(() => pipe.lines.length >= 600);
      stream.put(1, lines(240, 60));
      stream.merge(0, 1);
      stream.put(0, lines(300, 100));
      stream.split(0);
      stream.put(0, lines(400, 100));
      stream.put(1, lines(500, 100));
      await reading;
      expect(pipe.lines).toEqual(lines(0, 600).toSorted());
      const parentsOf = new Map(stream.shards.map(({ id, parents }) => [id, parents]));
      const ended = new Set<string>();
      for (const { positions } of pipe.batches) {
        for (const { key, position } of positions.filter((entry) => entry.key.startsWith('shard '))) {
          const shard = key.slice('shard '.length);
          for (const parent of parentsOf.get(shard) ?? []) expect(pipe.ledger.get(`shard ${parent}`)).toBe('end');
          if (position === 'end') ended.add(shard);
        }
      }
      expect(ended.size).toBeGreaterThan(0);
    },
  );

  it('whose parents have expired are read', async () => {
    const stream = server.create(name, 2);
    stream.merge(0, 1);
    stream.expireClosed();
    stream.put(0, lines(0, 3));
    const pipe = run();
    await readAll(pipe, 3);
    expect(pipe.lines).toEqual(lines(0, 3));
  });
});

describe('a stream that is read for the first time', () => {
  const hour = 3_600_000;

  function aged(): TestStream {
    const stream = server.create(name, 2);
    stream.put(0, lines(0, 2), { arrivalMs: Date.now() - 2 * hour });
    stream.split(0);
    stream.put(1, lines(2, 2), { arrivalMs: Date.now() - hour });
    stream.put(0, lines(4, 2), { arrivalMs: Date.now() - 60_000 });
    return stream;
  }

  it.each<[string, KinesisInput, number]>([
    ['its beginning, as TRIM_HORIZON', { iteratorType: 'TRIM_HORIZON' }, 0],
    ['its beginning, when nothing else is said', {}, 0],
    ['a timestamp', { iteratorType: 'AT_TIMESTAMP', timestamp: Math.floor((Date.now() - hour - 5_000) / 1000) }, 2],
    ['LATEST', { iteratorType: 'LATEST' }, 6],
  ])('begins at %s', async (_, start, first) => {
    const stream = aged();
    const pipe = run(start);
    await pipe.read(() => pipe.lines.length >= 6 - first);
    stream.put(0, lines(6, 2));
    await pipe.read(() => pipe.lines.length >= 8 - first);
    expect(pipe.lines).toEqual(lines(first, 8 - first));
  });

  it('LATEST holds from the first run on, also when that was interrupted before it read anything', async () => {
    const stream = server.create(name, 1);
    stream.put(0, lines(0, 2), { arrivalMs: Date.now() - hour });
    const pipe = run({ iteratorType: 'LATEST' });
    server.fail('GetRecords', 'AccessDeniedException');
    await expect(pipe.read(() => false)).rejects.toThrow('denies access');
    server.failures.clear();
    stream.put(0, lines(2, 2));
    await readAll(pipe, 2);
    expect(pipe.lines).toEqual(lines(2, 2));
  });

  it('rejects a moment that is still to come', async () => {
    server.create(name, 1);
    const timestamp = Math.floor(Date.now() / 1000) + 3_600;
    await expect(run({ timestamp }).read(() => true)).rejects.toThrow('must not be in the future');
  });
});

describe('records', () => {
  it('say where they come from', async () => {
    const stream = server.create(name, 1);
    stream.put(0, [line(1)], { key: 'a"b', arrivalMs: Date.UTC(2026, 0, 2, 3, 4, 5, 678) });
    const pipe = run({}, { columns: ['id', '_stream', '_shard', '_sequence_number', '_timestamp', '_key'] });
    await readAll(pipe, 1);
    expect(JSON.parse(pipe.lines[0] ?? '')).toEqual({
      id: 1,
      _stream: name,
      _shard: 'shardId-000000000000',
      _sequence_number: expect.stringMatching(/^\d{56}$/),
      _timestamp: '2026-01-02 03:04:05.678',
      _key: 'a"b',
    });
  });

  it('that cannot be read are set aside with their place, the others flow', async () => {
    const stream = server.create(name, 1);
    stream.put(0, [line(0), 'no json', '', gzipSync(line(1)), Buffer.from([0x1f, 0x8b, 1]), `${line(2)}\n${line(3)}`]);
    const pipe = run();
    await readAll(pipe, 6);
    expect(pipe.lines).toEqual(lines(0, 4));
    expect([...pipe.unreadable.values()]).toEqual([
      { position: expect.stringMatching(/^shardId-0{12}:\d{56}$/), reason: expect.any(String), record: 'no json' },
      expect.objectContaining({ reason: expect.stringContaining('cannot be decompressed'), record: 'base64:H4sB' }),
    ]);
  });

  it("of Amazon's producer library are unpacked; what only looks like them is a record", async () => {
    const stream = server.create(name, 1);
    const packed = aggregated([
      ['key-a', line(1)],
      ['key-b', 'no json'],
      ['key-a', line(2)],
    ]);
    const broken = Buffer.from(packed);
    broken[broken.length - 1] = (broken.at(-1) ?? 0) ^ 1;
    stream.put(0, [packed, broken]);
    const pipe = run({}, { columns: ['id', '_key'] });
    await readAll(pipe, 4);
    expect(pipe.lines).toEqual(['{"_key":"key-a","id":1}', '{"_key":"key-a","id":2}']);
    expect([...pipe.unreadable.keys()]).toEqual([
      expect.stringMatching(/^shardId-0{12}:\d{56}\/1$/),
      expect.stringMatching(/^shardId-0{12}:\d{56}$/),
    ]);
  });

  it('may be Avro containers', async () => {
    const stream = server.create(name, 1);
    const type = avro.Type.forSchema({ type: 'record', name: 'R', fields: [{ name: 'id', type: 'long' }] });
    stream.put(0, [await container(type, [{ id: 1 }, { id: 2 }])]);
    const pipe = run({ format: 'Avro' });
    await readAll(pipe, 2);
    expect(pipe.lines).toEqual(lines(1, 2));
  });
});

describe('the service', () => {
  it.each([
    ['is asked too often', 'GetRecords', 'ProvisionedThroughputExceededException', 400],
    ['fails for a moment', 'GetRecords', 'InternalFailure', 500],
    ['fails to give an iterator', 'GetShardIterator', 'ServiceUnavailable', 503],
  ])('%s: it is asked again', async (_, operation, type, status) => {
    const stream = server.create(name, 2);
    stream.put(0, lines(0, 60));
    stream.put(1, lines(60, 60));
    server.fail(operation, type, 3, status);
    const pipe = run();
    await readAll(pipe, 120);
    expect(pipe.lines).toEqual(lines(0, 120).toSorted());
  });

  it('lets iterators expire: reading goes on where it was', async () => {
    const stream = server.create(name, 1);
    stream.put(0, lines(0, 200));
    const pipe = run({}, { batchBytesMax: 300 });
    await pipe.read(() => {
      server.expireIterators();
      return pipe.lines.length >= 200;
    });
    expect(pipe.lines).toEqual(lines(0, 200).toSorted());
  });

  it.each<[string, string, string, number, string, string]>([
    [
      'an unknown access key',
      'DescribeStream',
      'UnrecognizedClientException',
      400,
      'rejected',
      'does not know the access key',
    ],
    ['no rights', 'GetRecords', 'AccessDeniedException', 400, 'rejected', 'needs kinesis:DescribeStream'],
    ['a key for encryption', 'GetRecords', 'KMSDisabledException', 400, 'rejected', 'encrypts the stream'],
    ['an unknown stream', 'DescribeStream', 'ResourceNotFoundException', 400, 'away', 'There is no stream'],
    ['anything else', 'ListShards', 'SomethingException', 400, 'rejected', 'SomethingException'],
    ['nothing', 'ListShards', '', 500, 'away', 'status 500'],
  ])('answers with %s: a sentence of ours', async (_, operation, type, status, kind, part) => {
    server.create(name, 1).put(0, lines(0, 1));
    server.fail(operation, type, Number.POSITIVE_INFINITY, status);
    const error = await run()
      .read(() => false)
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ kind, message: expect.stringContaining(part) });
    expect(String(error)).not.toMatch(/123456789012|A text of AWS|127\.0\.0\.1/);
  });

  it('rejects the signature of a wrong secret', async () => {
    server.create(name, 1);
    const accessKey = { ...kinesisKey, secretKey: 'another-secret' };
    await expect(run({ accessKey }).read(() => true)).rejects.toThrow('check its secretKey and region');
  });

  it('is reached only at addresses that the guard allows', async () => {
    server.create(name, 1);
    const strict = guardedAgent(new SsrfGuard([]), 5_000);
    const pipe = new KinesisRun({ server, agent: strict }, { streamName: name });
    await expect(pipe.read(() => true)).rejects.toMatchObject({
      kind: 'rejected',
      message: expect.stringContaining('The address of the stream cannot be used'),
    });
    await strict.destroy();
  });
});

describe('what is lost is said once', () => {
  it('a stream that was made anew is read from its beginning', async () => {
    server.create(name, 2).put(0, lines(0, 3));
    const pipe = run({ iteratorType: 'LATEST' });
    await pipe.read(() => true);
    server.create(name, 2).put(0, lines(3, 3), { arrivalMs: Date.now() - 60_000 });
    await expect(pipe.read(() => false)).rejects.toMatchObject({
      kind: 'away',
      message: expect.stringContaining('made anew'),
    });
    await pipe.read(() => pipe.lines.includes(line(5)));
    expect(pipe.lines).toEqual(expect.arrayContaining(lines(3, 3)));
  });

  it('shards that retention removed before their end', async () => {
    const stream = server.create(name, 2);
    stream.put(0, lines(0, 100));
    stream.put(1, lines(100, 1));
    const pipe = run({}, { batchBytesMax: 50 });
    await pipe.read(() => true);
    stream.merge(0, 1);
    stream.expireClosed();
    stream.put(0, lines(200, 3));
    const before = pipe.lines;
    await expect(pipe.read(() => false)).rejects.toThrow(/removed [12] shards before they were read/);
    await pipe.read(() => pipe.lines.length >= before.length + 3);
    expect(pipe.lines).toEqual([...before, ...lines(200, 3)].toSorted());
  });

  it('a pipe that was stopped for longer than the stream keeps records', async () => {
    const stream = server.create(name, 1);
    stream.put(0, lines(0, 2));
    const pipe = run();
    await pipe.read(() => pipe.lines.length >= 2 && pipe.ledger.has('caught up'));
    server.now = () => Date.now() + 25 * 3_600_000;
    stream.put(0, lines(2, 2));
    await expect(pipe.read(() => false)).rejects.toThrow('longer than the 24 hours');
    await readAll(pipe, 4);
    expect(pipe.lines).toEqual(lines(0, 4));
  });

  it('records of an interrupted batch that are gone when it is repeated', async () => {
    const stream = server.create(name, 1);
    stream.put(0, lines(0, 10));
    const pipe = run();
    await pipe.read(() => false, 1);
    pipe.rows.clear();
    stream.trim(0, 4);
    stream.put(0, lines(10, 1));
    await expect(pipe.read(() => false)).rejects.toThrow('4 records of a batch that was interrupted');
    await readAll(pipe, 7);
    expect(pipe.lines).toEqual([...lines(4, 6), ...lines(10, 1)].toSorted());
  });
});

it(`a run that dies at any moment leaves nothing out and nothing twice, while shards come and go (seed ${seed})`, async () => {
  const random = randomOf(seed);
  const stream = server.create(name, 3);
  const pipe = run({}, { lanes: 2, batchBytesMax: 400 });
  let rows = 0;
  const some = () => {
    const count = Math.floor(random() * 40);
    stream.put(Math.floor(random() * 9), lines(rows, count));
    rows += count;
  };
  for (let death = 0; death < 30; death++) {
    for (let put = 0; put < 3; put++) some();
    if (random() < 0.3) stream.split(Math.floor(random() * stream.open.length));
    else if (random() < 0.4 && stream.open.length > 1) stream.merge(0, stream.open.length - 1);
    const wanted = rows;
    await pipe.read(() => pipe.lines.length >= wanted, 1 + Math.floor(random() * 6));
  }
  if (pipe.lines.length < rows) await readAll(pipe, rows);
  expect(pipe.lines).toEqual(lines(0, rows).toSorted());
});

describe('settings that cannot be run', () => {
  const fine: KinesisInput = {
    region: 'us-gov-west-1',
    streamName: 'orders.v-1_a',
    authentication: 'IAM_USER',
    accessKey: kinesisKey,
    format: 'JSONEachRow',
  };
  const problems = (kinesis: KinesisInput, settings = {}) =>
    kinesisProblems({ id: '', name: '', source: { kinesis }, settings }).map(
      ({ path, message }) => `${path}: ${message}`,
    );

  it('are none where everything can', () => {
    expect(problems(fine)).toEqual([]);
    expect(problems({ ...fine, useEnhancedFanOut: false, iteratorType: 'AT_TIMESTAMP', timestamp: 1 })).toEqual([]);
  });

  it.each<[string, KinesisInput, string]>([
    [
      'a region that is a host',
      { region: 'evil.example/eu-central-1' },
      'source.kinesis.region: must be an AWS region',
    ],
    ['an ARN', { streamName: 'arn:aws:kinesis:eu:1:stream/a' }, 'source.kinesis.streamName: must be the name'],
    ['a role', { authentication: 'IAM_ROLE', iamRole: 'arn' }, 'source.kinesis.authentication: cloud roles'],
    ['a role beside', { iamRole: 'arn' }, 'source.kinesis.iamRole: cloud roles'],
    ['half a key', { accessKey: { accessKeyId: 'a' } }, 'source.kinesis.accessKey: must have'],
    ['credentials', { credentials: { a: 'planted' } }, 'source.kinesis.credentials: is not used'],
    ['enhanced fan-out', { useEnhancedFanOut: true }, 'source.kinesis.useEnhancedFanOut: enhanced fan-out'],
    ['Protobuf', { format: 'Protobuf' }, 'source.kinesis.format: Protobuf'],
    ['a moment that is not used', { iteratorType: 'LATEST', timestamp: 1 }, 'source.kinesis.timestamp: has no meaning'],
    ['AvroConfluent alone', { format: 'AvroConfluent' }, 'source.kinesis.schemaRegistry: is required'],
  ])('%s', (_, change, start) => {
    const found = problems({ ...fine, ...change });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(new RegExp(`^${start.replaceAll('.', '\\.')}`));
    expect(found.join()).not.toContain('planted');
  });

  it('settings of other sources', () => {
    expect(problems(fine, { kafka_read_committed: true, object_storage_max_file_count: 1 })).toEqual([
      'settings.object_storage_max_file_count: is not a setting of kinesis sources; omit it',
      'settings.kafka_read_committed: is not a setting of kinesis sources; omit it',
    ]);
  });
});

/** As the producer library packs records: keys, then records that point to them. */
function aggregated(records: readonly [key: string, value: string][]): Buffer {
  const keys = [...new Set(records.map(([key]) => key))];
  const field = (number: number, bytes: Buffer) =>
    Buffer.concat([Buffer.from([(number << 3) | 2, bytes.length]), bytes]);
  const message = Buffer.concat([
    ...keys.map((key) => field(1, Buffer.from(key))),
    ...records.map(([key, value]) =>
      field(3, Buffer.concat([Buffer.from([1 << 3, keys.indexOf(key)]), field(3, Buffer.from(value))])),
    ),
  ]);
  const digest = createHash('md5').update(message).digest();
  return Buffer.concat([Buffer.from([0xf3, 0x89, 0x9a, 0xc2]), message, digest]);
}

async function container(type: avro.Type, values: readonly object[]): Promise<Buffer> {
  const encoder = new avro.streams.BlockEncoder(type);
  for (const value of values) encoder.write(value);
  encoder.end();
  const parts: Buffer[] = [];
  for await (const part of encoder) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
