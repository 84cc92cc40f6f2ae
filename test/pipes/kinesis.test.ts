import { beforeAll, expect, it, vi } from 'vitest';
import type { PipeInput } from '../../src/contract/pipe-input.ts';
import { randomIds } from '../../src/kernel/ids.ts';
import { TelemetryError } from '../../src/telemetry/ports.ts';
import { KinesisServer, kinesisKey } from '../support/kinesis-server.ts';
import { openEngine } from '../support/start-engine.ts';
import { Mortal, momentOf, randomOf } from './mortal.ts';
import { PipeWorld, type ProcessDeps } from './pipe-world.ts';

const kills = Number(process.env.SIGNALBOX_TEST_PIPE_KILLS ?? 5);
const seed = Number(process.env.SIGNALBOX_TEST_SEED ?? Date.now() % 2 ** 31);

let kinesis: KinesisServer;
let world: PipeWorld;
beforeAll(async () => {
  kinesis = await KinesisServer.start();
  world = new PipeWorld(await openEngine(), { kinesisUrl: kinesis.url });
});

function fields(name: string, change: Pick<PipeInput, 'settings' | 'scaling'> = {}): Omit<PipeInput, 'id' | 'name'> {
  return {
    destination: {
      table: name,
      columns: [
        { name: 'id', type: 'UInt64' },
        { name: 'name', type: 'String' },
        { name: '_shard', type: 'LowCardinality(String)' },
        { name: '_timestamp', type: 'DateTime64(3)' },
      ],
    },
    source: {
      kinesis: {
        ...{ region: 'eu-central-1', streamName: name, authentication: 'IAM_USER', accessKey: kinesisKey },
        ...{ format: 'JSONEachRow', iteratorType: 'TRIM_HORIZON' },
      },
    },
    settings: { streaming_max_insert_wait_ms: 500, ...change.settings },
    ...(change.scaling && { scaling: change.scaling }),
  };
}

const line = (id: number) => JSON.stringify({ id, name: `n${id}` });
const lines = (from: number, count: number) => Array.from({ length: count }, (_, index) => line(from + index));
const sums = (rows: number) => [rows, rows, (rows * (rows - 1)) / 2];
const stored = (table: string) => world.ask('count(), uniqExact(id), sum(id)', table).catch(() => []);

it('rows flow while good ones are among bad ones, and source and target go away and come back', async () => {
  const stream = kinesis.create('kinesis_flow', 2);
  stream.put(0, [...lines(0, 3), '{"id":"x"}', 'no json', line(3)]);
  stream.put(1, lines(4, 3), { arrivalMs: Date.UTC(2026, 0, 2, 3, 4, 5, 678) });
  const id = await world.create(fields('kinesis_flow'));
  const state = async () => (await world.run(id))?.state;
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
    await expect.poll(() => stored('kinesis_flow')).toEqual(sums(7));
    expect(await world.ask('argMax(_timestamp, id), argMax(_shard, id)', 'kinesis_flow')).toEqual([
      '2026-01-02 03:04:05.678',
      'shardId-000000000001',
    ]);
    const errors = "count(), countIf(position LIKE 'shardId-000000000000:%'), countIf(reason = '')";
    expect(await world.ask(errors, 'kinesis_flow_pipe_errors')).toEqual([2, 2, 0]);
    await expect.poll(state).toBe('Running');

    isAway = true;
    stream.put(0, lines(7, 3));
    await expect.poll(state).toBe('Degraded');
    isAway = false;
    await expect.poll(() => stored('kinesis_flow')).toEqual(sums(10));
    await expect.poll(state).toBe('Running');

    await kinesis.close();
    await expect.poll(state, { timeout: 60_000 }).toBe('Degraded');
    expect((await world.run(id))?.reason).toBe('The stream cannot be reached, or the connection broke.');
    await kinesis.listen();
    stream.split(1);
    stream.put(2, lines(10, 3));
    await expect.poll(() => stored('kinesis_flow')).toEqual(sums(13));
    await expect.poll(state).toBe('Running');
    await world.command(id, 'stop');
    await expect.poll(state).toBe('Stopped');
  } finally {
    await supervisor.stop();
    await dispatcher.destroy();
  }
});

it(`a process killed ${kills} times while shards split and merge loses no row and doubles none (seed ${seed})`, async () => {
  const random = randomOf(seed);
  const stream = kinesis.create('kinesis_killed', 5);
  kinesis.recordsMax = 2_000;
  let rows = 0;
  const some = (count: number) => {
    stream.put(Math.floor(random() * 12), lines(rows, count));
    rows += count;
  };
  for (let batch = 0; batch < 60; batch++) some(1_000);
  stream.put(0, ['no json']);
  const settings = { engine_min_insert_block_size_bytes: 1_048_576 };
  const id = await world.create(fields('kinesis_killed', { settings, scaling: { replicas: 2 } }));
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
    if (random() < 0.5) stream.split(Math.floor(random() * stream.open.length));
    else stream.merge(0, stream.open.length - 1);
    const wanted = sums(rows);
    const done = vi.waitUntil(async () => String(await stored('kinesis_killed')) === String(wanted), {
      timeout: 60_000,
    });
    await Promise.race([mortal.died.then(() => deaths++), done.catch(() => {})]);
    // As when the lease of the dead process runs out.
    await world.runs.release(owner, id);
  }
  // Else it was not tested.
  expect(deaths).toBeGreaterThan(kills / 2);
  world.start();
  await expect.poll(() => stored('kinesis_killed')).toEqual(sums(rows));
  expect(await world.ask('count(), any(record)', 'kinesis_killed_pipe_errors')).toEqual([1, 'no json']);
});
