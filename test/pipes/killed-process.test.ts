import { gzipSync } from 'node:zlib';
import { beforeAll, expect, it, vi } from 'vitest';
import { randomIds } from '../../src/kernel/ids.ts';
import { accessKey, S3Server } from '../support/s3-server.ts';
import { openEngine } from '../support/start-engine.ts';
import { Mortal, momentOf, randomOf } from './mortal.ts';
import { PipeWorld, type ProcessDeps } from './pipe-world.ts';

const kills = Number(process.env.SIGNALBOX_TEST_PIPE_KILLS ?? 20);
const seed = Number(process.env.SIGNALBOX_TEST_SEED ?? Date.now() % 2 ** 31);

let s3: S3Server;
let world: PipeWorld;
beforeAll(async () => {
  s3 = await S3Server.start();
  world = new PipeWorld(await openEngine());
});

const line = (id: number) => `{"id":${id},"name":"${'x'.repeat(30)}"}\n`;

/** Objects of every size, some compressed, with bad records among the good ones; how many rows they hold. */
function fill(): number {
  let next = 0;
  const some = (count: number) => Array.from({ length: count }, () => line(next++)).join('');
  for (let at = 0; at < 40; at++) s3.put(`small/${at}.json`, some(20));
  s3.put('large/a.json', some(60_000));
  s3.put('large/b.json.gz', gzipSync(some(60_000)));
  s3.put('bad.json', `${some(10)}broken\n${some(10)}`);
  return next;
}

it(`a process killed ${kills} times loses no row and doubles none (seed ${seed})`, { timeout: 120_000 }, async () => {
  const random = randomOf(seed);
  const rows = fill();
  const id = await world.create({
    destination: {
      table: 'killed',
      columns: [
        { name: 'id', type: 'UInt64' },
        { name: 'name', type: 'String' },
      ],
    },
    scaling: { replicas: 2 },
    settings: { engine_min_insert_block_size_bytes: 1_048_576, object_storage_max_file_count: 6 },
    source: {
      objectStorage: { type: 's3', authentication: 'IAM_USER', accessKey, format: 'JSONEachRow', url: `${s3.url}/**` },
    },
  });
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
    const completed = vi.waitFor(async () => expect((await world.run(id))?.state).toBe('Completed'), 60_000);
    await Promise.race([mortal.died.then(() => deaths++), completed.catch(() => {})]);
    // As when the lease of the dead process runs out.
    await world.runs.release(owner, id);
  }
  // Else it was not tested.
  expect(deaths).toBeGreaterThan(kills / 2);
  world.start();
  await vi.waitFor(async () => expect((await world.run(id))?.state).toBe('Completed'), { timeout: 60_000 });
  expect(await world.ask('count(), uniqExact(id), sum(id)', 'killed')).toEqual([rows, rows, (rows * (rows - 1)) / 2]);
  expect(await world.ask('count(), any(position)', 'killed_pipe_errors')).toEqual([1, 'bad.json, record 11']);
});
