import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeClock } from '../../src/kernel/fake-clock.ts';
import { randomIds } from '../../src/kernel/ids.ts';
import { ObjectEvents } from '../../src/pipes/object-storage/object-events.ts';
import { createdObjects } from '../../src/pipes/object-storage/s3-notification.ts';
import { objectStorageProblems } from '../../src/pipes/object-storage/settings-check.ts';
import { accessKey, S3Server } from '../support/s3-server.ts';
import { createdEvent, fromSns, SqsServer } from '../support/sqs-server.ts';
import { openEngine } from '../support/start-engine.ts';
import { Mortal, momentOf, randomOf } from './mortal.ts';
import { PipeWorld } from './pipe-world.ts';

const kills = Number(process.env.SIGNALBOX_TEST_PIPE_KILLS ?? 5);
const seed = Number(process.env.SIGNALBOX_TEST_SEED ?? Date.now() % 2 ** 31);

let world: PipeWorld;
let s3: S3Server;
let sqs: SqsServer;
let tables = 0;

beforeAll(async () => {
  s3 = await S3Server.start();
  sqs = await SqsServer.start();
  world = new PipeWorld(await openEngine());
});

beforeEach(() => {
  s3.objects.clear();
  sqs.messages = [];
  sqs.failures.clear();
  sqs.asked.length = 0;
});

const lines = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `{"id":${from + index}}\n`).join('');

/** Stored, with the message that S3 sends about it. */
function put(key: string, body: string): object {
  s3.put(key, body);
  const eTag = s3.objects.get(key)?.etag.replaceAll('"', '') ?? '';
  return createdEvent([{ key, eTag, size: body.length }]);
}

async function create(change: object = {}): Promise<{ id: string; table: string }> {
  const table = `queue_${++tables}`;
  const objectStorage = {
    ...{ type: 's3', authentication: 'IAM_USER', accessKey, format: 'JSONEachRow', url: `${s3.url}/in/**/*.json` },
    ...{ isContinuous: true, queueUrl: sqs.queueUrl, ...change },
  } as const;
  const id = await world.create({
    destination: { table, columns: [{ name: 'id', type: 'UInt64' }] },
    settings: { object_storage_polling_interval_ms: 100 },
    source: { objectStorage },
  });
  return { id, table };
}

const sums = (rows: number) => [rows, rows, (rows * (rows - 1)) / 2];
const stored = (table: string) => world.ask('count(), uniqExact(id), sum(id)', table).catch(() => []);

async function running(test: (pipe: { id: string; table: string }) => Promise<void>, change: object = {}) {
  const pipe = await create(change);
  const { supervisor, dispatcher } = world.launch(world.deps, randomIds.uuid());
  try {
    await test(pipe);
  } finally {
    // The queue belongs to one pipe at a time.
    await world.command(pipe.id, 'stop');
    await expect.poll(async () => (await world.run(pipe.id))?.state).toBe('Stopped');
    await supervisor.stop();
    await dispatcher.destroy();
  }
}

describe('a pipe with a queue', () => {
  it('reads what was there, then what messages name, and removes them when rows are durable', async () => {
    s3.put('in/old.json', lines(0, 10));
    await running(async ({ id, table }) => {
      await expect.poll(() => stored(table)).toEqual(sums(10));
      sqs.send(put('in/a b+ü/1.json', lines(10, 20)));
      sqs.send(fromSns(put('in/2.json', lines(20, 30))));
      sqs.send(createdEvent([{ key: 'in/3.json' }]));
      s3.put('in/3.json', lines(30, 40));
      await expect.poll(() => stored(table)).toEqual(sums(40));
      await expect.poll(() => sqs.messages).toEqual([]);
      await expect.poll(async () => (await world.run(id))?.state).toBe('Running');
    });
  });

  it('reads no version twice, whatever is delivered again, and every version of an object', async () => {
    await running(async ({ table }) => {
      const first = put('in/a.json', lines(0, 5));
      for (let copy = 0; copy < 3; copy++) sqs.send(first);
      await expect.poll(() => stored(table)).toEqual(sums(5));
      sqs.send(put('in/a.json', lines(5, 8)));
      sqs.send(first);
      await expect.poll(() => stored(table)).toEqual(sums(8));
      await expect.poll(() => sqs.messages).toEqual([]);
      expect(await stored(table)).toEqual(sums(8));
    });
  });

  it('removes messages about objects that it is not for, and leaves those of others', async () => {
    s3.put('out/a.json', lines(0, 5));
    await running(async ({ table }) => {
      const { Records } = createdEvent([{ key: 'in/gone.json', eTag: 'x', size: 1 }]) as { Records: object[] };
      const removed = { Records: Records.map((record) => ({ ...record, eventName: 'ObjectRemoved:Delete' })) };
      sqs.send(removed);
      sqs.send({ Service: 'Amazon S3', Event: 's3:TestEvent', Bucket: 'lake' });
      sqs.send(createdEvent([{ key: 'out/a.json', eTag: 'x', size: 1 }]));
      sqs.send(createdEvent([{ key: 'in/gone.json', eTag: 'x', size: 1 }]));
      sqs.send('no JSON');
      sqs.send(createdEvent([{ key: 'in/a.json', eTag: 'x', size: 1, bucket: 'another' }]));
      sqs.send(put('in/b.json', lines(0, 3)));
      await expect.poll(() => stored(table)).toEqual(sums(3));
      await expect.poll(() => sqs.messages.map(({ body }) => body.slice(0, 7))).toEqual(['no JSON', '{"Recor']);
    });
  });

  it('with skipInitialLoad reads only what messages name', async () => {
    s3.put('in/old.json', lines(100, 110));
    await running(
      async ({ table }) => {
        sqs.send(put('in/new.json', lines(0, 10)));
        await expect.poll(() => stored(table)).toEqual(sums(10));
      },
      { skipInitialLoad: true },
    );
  });

  it.each([
    ['ReceiveMessage', 'QueueDoesNotExist', 'Degraded', 'There is no queue at source.objectStorage.queueUrl.'],
    ['ReceiveMessage', 'AccessDeniedException', 'Failed', 'AWS denies access to the queue; the access key needs sqs:'],
    [
      'DeleteMessageBatch',
      'AccessDeniedException',
      'Failed',
      'AWS denies access to the queue; the access key needs sqs:',
    ],
  ])('%s answers %s: %s', async (operation, failure, state, reason) => {
    sqs.failures.set(operation, failure);
    await running(async ({ id, table }) => {
      sqs.send(put('in/a.json', lines(0, 3)));
      await expect.poll(async () => (await world.run(id))?.state).toBe(state);
      expect((await world.run(id))?.reason).toContain(reason);
      if (state === 'Failed') return;
      sqs.failures.clear();
      await expect.poll(() => stored(table)).toEqual(sums(3));
    });
  });

  it(`killed ${kills} times, it loses no object and reads none twice (seed ${seed})`, async () => {
    const random = randomOf(seed);
    let [rows, files] = [0, 0];
    const some = () => {
      const count = 1 + Math.floor(random() * 400);
      const event = put(`in/${files++}.json`, lines(rows, rows + count));
      sqs.send(random() < 0.5 ? event : fromSns(event));
      if (random() < 0.2) sqs.send(event);
      rows += count;
    };
    const { id, table } = await create();
    let deaths = 0;
    for (let kill = 0; kill < kills; kill++) {
      for (let file = 0; file < 30; file++) some();
      const mortal = new Mortal(momentOf(random));
      const owner = randomIds.uuid();
      const { leases, ledger, statements } = world.deps;
      const wrapped = {
        leases: mortal.wrap(leases),
        ledger: mortal.wrap(ledger),
        statements: mortal.wrap(statements),
      };
      world.launch(wrapped, owner);
      const wanted = sums(rows);
      const done = vi.waitUntil(async () => String(await stored(table)) === String(wanted), { timeout: 60_000 });
      await Promise.race([mortal.died.then(() => deaths++), done.catch(() => {})]);
      // As when leases and times of hidden messages run out.
      await world.runs.release(owner, id);
      sqs.reappear();
    }
    expect(deaths).toBeGreaterThan(0);
    world.start();
    await expect.poll(() => stored(table)).toEqual(sums(rows));
    await expect.poll(() => sqs.messages).toEqual([]);
    expect(await stored(table)).toEqual(sums(rows));
  });
});

describe('messages that are held', () => {
  it('are hidden again while their objects are written, and given back when the pipe stops', async () => {
    const clock = new FakeClock();
    const hidden: [number, number][] = [];
    const removed: string[] = [];
    let messages = [
      {
        receipt: 'r',
        body: JSON.stringify(
          createdEvent([
            { key: 'a', eTag: 'x', size: 1 },
            { key: 'b', eTag: 'y', size: 1 },
          ]),
        ),
      },
    ];
    const events = new ObjectEvents({
      queue: {
        receive: async () => messages.splice(0),
        remove: async (receipts) => void removed.push(...receipts),
        hide: async (receipts, seconds) => void hidden.push([receipts.length, seconds]),
      },
      ...{ bucket: 'lake', isWanted: () => true, look: async () => undefined, objectsMax: 10, waitSeconds: 1, clock },
      signal: new AbortController().signal,
    });
    const [a, b] = await events.receive(true);
    await clock.advance(90_000);
    expect(hidden).toEqual([
      [1, 120],
      [1, 120],
    ]);
    if (a) events.settle(a);
    await events.flush();
    expect(removed).toEqual([]);
    if (b) events.settle(b);
    await events.flush();
    expect(removed).toEqual(['r']);
    messages = [{ receipt: 's', body: JSON.stringify(createdEvent([{ key: 'c', eTag: 'z', size: 1 }])) }];
    await events.receive(true);
    await events.close();
    expect(hidden.at(-1)).toEqual([1, 0]);
  });
});

describe('notifications', () => {
  it('of EventBridge name their object as it is', () => {
    const detail = { bucket: { name: 'lake' }, object: { key: 'a+b c', etag: 'x', size: 2 } };
    const event = { source: 'aws.s3', 'detail-type': 'Object Created', time: '2026-01-02T03:04:05Z', detail };
    const createdMs = Date.UTC(2026, 0, 2, 3, 4, 5);
    expect(createdObjects(JSON.stringify(event), 'lake')).toEqual([{ key: 'a+b c', etag: '"x"', size: 2, createdMs }]);
    expect(createdObjects(JSON.stringify({ ...event, 'detail-type': 'Object Deleted' }), 'lake')).toEqual([]);
    expect(createdObjects(JSON.stringify(event), 'other')).toBeUndefined();
  });

  it.each(['', '[]', 'null', '{"Records":[]}', '{"Records":[{}]}', '{"Message":"{}"}', '{"Message":"x"}'])(
    '%s is none',
    (text) => expect(createdObjects(text, 'lake')).toBeUndefined(),
  );
});

describe('settings that cannot be run', () => {
  const source = {
    ...{ type: 's3', authentication: 'IAM_USER', accessKey, format: 'JSONEachRow', isContinuous: true },
    ...{ url: 'https://lake.s3.eu-central-1.amazonaws.com/a/*.json' },
    queueUrl: 'https://sqs.eu-central-1.amazonaws.com/123456789012/q',
  } as const;
  const problems = (change: object) =>
    objectStorageProblems({ id: '', name: '', source: { objectStorage: { ...source, ...change } } }, undefined).map(
      ({ path, message }) => `${path}: ${message}`,
    );

  it('are none where everything can', () => expect(problems({})).toEqual([]));

  it.each([
    ['a name', { queueUrl: 'q' }, 'must be the URL of a queue'],
    ['a FIFO queue', { queueUrl: `${source.queueUrl}.fifo` }, 'must be a standard queue'],
    ['once only', { isContinuous: false }, 'needs isContinuous: true'],
    ['another store', { type: 'gcs' }, 'needs objects of type s3'],
  ])('%s', (_, change, message) => {
    expect(problems(change)).toEqual([expect.stringContaining(`source.objectStorage.queueUrl: ${message}`)]);
  });
});
