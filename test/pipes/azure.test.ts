import { gzipSync } from 'node:zlib';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { AzureServer, accessSignature, accountKey } from '../support/azure-server.ts';
import { openEngine } from '../support/start-engine.ts';
import { PipeWorld } from './pipe-world.ts';

let world: PipeWorld;
let azure: AzureServer;
let tables = 0;

beforeAll(async () => {
  azure = await AzureServer.start();
  world = new PipeWorld(await openEngine());
  world.start();
});

beforeEach(() => {
  azure.blobs.clear();
  azure.status = undefined;
});

const columns = [
  { name: 'id', type: 'UInt64' },
  { name: 'name', type: 'String' },
];
const settings = { object_storage_polling_interval_ms: 100 };
const place = () => ({
  type: 'azureblobstorage' as const,
  authentication: 'CONNECTION_STRING' as const,
  connectionString: azure.connectionString,
  azureContainerName: 'lake',
});

async function create(source: object, more: object = {}): Promise<{ id: string; table: string }> {
  const table = `blobs_${++tables}`;
  const objectStorage = { format: 'JSONEachRow', ...place(), ...source };
  const id = await world.create({ destination: { table, columns }, settings, source: { objectStorage }, ...more });
  return { id, table };
}

const lines = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `{"id":${from + index},"name":"n"}\n`).join('');

async function until(id: string, state: string) {
  await vi.waitFor(
    async () => {
      const run = await world.run(id);
      expect(`${run?.state} ${run?.reason ?? ''}`).toMatch(new RegExp(`^${state} `));
    },
    { timeout: 20_000, interval: 10 },
  );
  return world.run(id);
}

const counted = (table: string) => world.ask('count(), uniqExact(id), sum(id)', table);
const rowsUntil = (table: string, count: number) =>
  vi.waitFor(async () => expect((await counted(table).catch(() => []))[0]).toBe(count), {
    timeout: 20_000,
    interval: 20,
  });

describe('Azure Blob Storage', () => {
  it('reads the blobs that match, page by page, each once; folders and other names are left out', async () => {
    for (let at = 0; at < 20; at++) azure.put(`in/day ${at}+ü'/a&b (1).json`, lines(at * 10, at * 10 + 10));
    azure.put('in/day 1/b.txt', 'no json');
    azure.put('out/a.json', lines(0, 10));
    const { id, table } = await create({ path: '/in/**/*.json' });
    expect((await until(id, 'Completed'))?.progress).toMatchObject({ rows: 200, errors: 0 });
    expect(await counted(table)).toEqual([200, 200, 19_900]);
    azure.put('in/new.json', lines(200, 201));
    azure.put("in/day 0+ü'/a&b (1).json", lines(201, 203));
    await world.command(id, 'start');
    await rowsUntil(table, 203);
    await until(id, 'Completed');
  });

  it('a shared access signature serves as well as the key', async () => {
    azure.put('a.json', lines(0, 5));
    const connectionString = `BlobEndpoint=${azure.endpoint}/;SharedAccessSignature=?${accessSignature}`;
    // As clients send it whose url is not optional.
    const { id, table } = await create({ path: '*.json', connectionString, url: '' });
    await until(id, 'Completed');
    expect(await counted(table)).toEqual([5, 5, 10]);
  });

  it('large blobs are written in parts, compressed or not', async () => {
    azure.put('a.json', lines(0, 100_000));
    azure.put('b.json.gz', gzipSync(lines(100_000, 200_000)));
    const more = { settings: { ...settings, engine_min_insert_block_size_bytes: 1_048_576 } };
    const { id, table } = await create({ path: '*' }, more);
    expect((await until(id, 'Completed'))?.progress.batches).toBeGreaterThan(4);
    expect(await counted(table)).toEqual([200_000, 200_000, 19_999_900_000]);
  });

  it('new blobs are followed; the store goes away and comes back; startAfter and skipInitialLoad hold', async () => {
    azure.put('a.json', lines(0, 5));
    azure.put('b.json', lines(5, 10));
    const all = await create({ path: '*.json', isContinuous: true });
    const some = await create({ path: '*.json', isContinuous: true, startAfter: 'a.json' });
    const fresh = await create({ path: '*.json', isContinuous: true, skipInitialLoad: true });
    await rowsUntil(all.table, 10);
    await rowsUntil(some.table, 5);
    for (const { id } of [all, some, fresh]) await until(id, 'Running');
    azure.status = 503;
    await until(all.id, 'Degraded');
    azure.status = undefined;
    azure.put('c.json', lines(10, 11));
    await rowsUntil(all.table, 11);
    await rowsUntil(some.table, 6);
    await rowsUntil(fresh.table, 1);
    expect(await counted(all.table)).toEqual([11, 11, 55]);
    for (const { id } of [all, some, fresh]) await world.command(id, 'stop');
  });

  it.each<[string, () => object, RegExp]>([
    [
      'a wrong key',
      () => ({
        connectionString: azure.connectionString.replace(accountKey, Buffer.from('planted').toString('base64')),
      }),
      /denies access/,
    ],
    ['another container', () => ({ azureContainerName: 'other' }), /no such container/],
    ['an unreadable connection string', () => ({ connectionString: 'planted' }), /connectionString: must have/],
    ['no way to log in', () => ({ authentication: undefined }), /authentication: must be CONNECTION_STRING/],
    ['no path', () => ({ path: undefined }), /path: must be names/],
    ['a URL beside it', () => ({ url: 'https://example.com/a.json' }), /url: is not for type azureblobstorage/],
    [
      'a queue',
      () => ({ queueUrl: 'https://sqs.eu-central-1.amazonaws.com/1/q', isContinuous: true }),
      /queueUrl: is not/,
    ],
  ])('%s fails with a sentence and without a secret', async (_, change, reason) => {
    azure.put('a.json', lines(0, 1));
    const { id } = await create({ path: '*.json', ...change() });
    const run = await until(id, 'Failed');
    expect(run?.reason).toMatch(reason);
    const shown = JSON.stringify([run, world.logger.lines]);
    for (const secret of ['planted', accountKey]) expect(shown).not.toContain(secret);
  });
});
