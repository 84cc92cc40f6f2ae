import { beforeAll, expect, it, vi } from 'vitest';
import type { PipeInput } from '../../src/contract/pipe-input.ts';
import { randomIds } from '../../src/kernel/ids.ts';
import { TelemetryError } from '../../src/telemetry/ports.ts';
import { KafkaServer } from '../support/kafka-server.ts';
import { openEngine, type TestEngine } from '../support/start-engine.ts';
import { Mortal, momentOf, randomOf } from './mortal.ts';
import { PipeWorld, type ProcessDeps } from './pipe-world.ts';

const kills = Number(process.env.SIGNALBOX_TEST_PIPE_KILLS ?? 5);
const seed = Number(process.env.SIGNALBOX_TEST_SEED ?? Date.now() % 2 ** 31);

let kafka: KafkaServer;
let engine: TestEngine;
let world: PipeWorld;
beforeAll(async () => {
  kafka = await KafkaServer.start();
  engine = await openEngine();
  world = new PipeWorld(engine);
});

function fields(table: string, change: Pick<PipeInput, 'settings' | 'scaling'> = {}): Omit<PipeInput, 'id' | 'name'> {
  return {
    destination: {
      table,
      columns: [
        { name: 'id', type: 'UInt64' },
        { name: 'name', type: 'String' },
        { name: '_offset', type: 'UInt64' },
        { name: '_timestamp', type: 'DateTime64(3)' },
      ],
    },
    source: { kafka: { brokers: kafka.address, topics: table, format: 'JSONEachRow' } },
    settings: { streaming_max_insert_wait_ms: 500, ...change.settings },
    ...(change.scaling && { scaling: change.scaling }),
  };
}

const line = (id: number) => JSON.stringify({ id, name: `n${id}` });
const lines = (from: number, count: number) => Array.from({ length: count }, (_, index) => line(from + index));
const sums = (rows: number) => [rows, rows, (rows * (rows - 1)) / 2];
const stored = (table: string) => world.ask('count(), uniqExact(id), sum(id)', table).catch(() => []);

it('rows flow while good ones are among bad ones, the target goes away and comes back', async () => {
  const topic = kafka.createTopic('flow', 2);
  topic.partition(0).append([...lines(0, 3), '{"id":"x"}', 'no json', line(3)]);
  topic.partition(1).append(lines(4, 3), { compression: 'gzip', timestampMs: Date.UTC(2026, 0, 2, 3, 4, 5, 678) });
  const id = await world.create(fields('flow'));
  let isAway = false;
  const statements = new Proxy(world.deps.statements, {
    get: (target, name) => {
      if (isAway) throw new TelemetryError('unavailable', 'away');
      const method: unknown = Reflect.get(target, name);
      return typeof method === 'function' ? method.bind(target) : method;
    },
  });
  const { supervisor, dispatcher } = world.launch({ ...world.deps, statements }, randomIds.uuid());
  try {
    await expect.poll(() => stored('flow')).toEqual(sums(7));
    expect(await world.ask('max(id), argMax(_timestamp, id), argMax(_offset, id)', 'flow')).toEqual([
      6,
      '2026-01-02 03:04:05.678',
      2,
    ]);
    const errors = "count(), groupUniqArray(position), countIf(reason = '')";
    expect(await world.ask(errors, 'flow_pipe_errors')).toEqual([
      2,
      expect.arrayContaining(['flow/0:3', 'flow/0:4']),
      0,
    ]);
    await expect.poll(async () => (await world.run(id))?.state).toBe('Running');

    isAway = true;
    topic.partition(0).append(lines(7, 3));
    await expect.poll(async () => (await world.run(id))?.state).toBe('Degraded');
    isAway = false;
    await expect.poll(() => stored('flow')).toEqual(sums(10));
    await expect.poll(async () => (await world.run(id))?.state).toBe('Running');

    await kafka.stop();
    await expect.poll(async () => (await world.run(id))?.state, { timeout: 30_000 }).toBe('Degraded');
    await kafka.start();
    topic.partition(1).append(lines(10, 3));
    await expect.poll(() => stored('flow')).toEqual(sums(13));
    await expect.poll(async () => (await world.run(id))?.state).toBe('Running');
    await world.command(id, 'stop');
    await expect.poll(async () => (await world.run(id))?.state).toBe('Stopped');
  } finally {
    await supervisor.stop();
    await dispatcher.destroy();
  }
});

it(`a process killed ${kills} times loses no row and doubles none (seed ${seed})`, async () => {
  const random = randomOf(seed);
  const topic = kafka.createTopic('killed', 5);
  let rows = 0;
  const some = (count: number) => {
    const partition = topic.partition(Math.floor(random() * 5));
    partition.append(lines(rows, count), { compression: random() < 0.5 ? 'gzip' : 'none' });
    rows += count;
  };
  for (let batch = 0; batch < 60; batch++) some(1_000);
  topic.partition(0).append(['no json']);
  // A batch of the broker fills one of the pipe's no more than by a few.
  const settings = { engine_min_insert_block_size_bytes: 1_048_576 };
  const id = await world.create(fields('killed', { settings, scaling: { replicas: 2 } }));
  let deaths = 0;
  for (let kill = 0; kill < kills; kill++) {
    const mortal = new Mortal(momentOf(random));
    const owner = randomIds.uuid();
    const { leases, ledger, statements } = world.deps;
    const wrapped: ProcessDeps = {
      leases: mortal.wrap(leases),
      ledger: mortal.wrap(ledger),
      statements: mortal.wrap(statements),
    };
    world.launch(wrapped, owner);
    for (let batch = 0; batch < 5; batch++) some(200);
    const wanted = sums(rows);
    const done = vi.waitUntil(async () => String(await stored('killed')) === String(wanted), { timeout: 60_000 });
    await Promise.race([mortal.died.then(() => deaths++), done.catch(() => {})]);
    // As when the lease of the dead process runs out.
    await world.runs.release(owner, id);
  }
  // Else it was not tested.
  expect(deaths).toBeGreaterThan(kills / 2);
  world.start();
  await expect.poll(() => stored('killed')).toEqual(sums(rows));
  expect(await world.ask('count(), any(position)', 'killed_pipe_errors')).toEqual([
    1,
    expect.stringMatching(/^killed\/0:\d+$/),
  ]);
  await expect
    .poll(async () => Object.fromEntries(kafka.committed.get(`clickpipes-${id}`) ?? []))
    .toEqual(Object.fromEntries(topic.partitions.map(({ end }, index) => [`killed/${index}`, end])));
});
