import { gzipSync } from 'node:zlib';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AzureServer, accessSignature, accountKey } from '../support/azure-server.ts';
import { openEngine } from '../support/start-engine.ts';
import { lines, ObjectPipes, settings } from './object-pipes.ts';
import { PipeWorld } from './pipe-world.ts';

let world: PipeWorld;
let azure: AzureServer;
let pipes: ObjectPipes;

beforeAll(async () => {
  azure = await AzureServer.start();
  world = new PipeWorld(await openEngine());
  world.start();
  pipes = new ObjectPipes(world, 'blobs');
});

beforeEach(() => {
  azure.blobs.clear();
  azure.status = undefined;
});

const place = () => ({
  type: 'azureblobstorage' as const,
  authentication: 'CONNECTION_STRING' as const,
  connectionString: azure.connectionString,
  azureContainerName: 'lake',
});

const create = (source: object, more?: object) => pipes.create({ ...place(), ...source }, more);

describe('Azure Blob Storage', () => {
  it('reads the blobs that match, page by page, each once; folders and other names are left out', async () => {
    for (let at = 0; at < 20; at++) azure.put(`in/day ${at}+ü'/a&b (1).json`, lines(at * 10, at * 10 + 10));
    azure.put('in/day 1/b.txt', 'no json');
    azure.put('out/a.json', lines(0, 10));
    const { id, table } = await create({ path: '/in/**/*.json' });
    expect((await pipes.until(id, 'Completed'))?.progress).toMatchObject({ rows: 200, errors: 0 });
    expect(await pipes.counted(table)).toEqual([200, 200, 19_900]);
    azure.put('in/new.json', lines(200, 201));
    azure.put("in/day 0+ü'/a&b (1).json", lines(201, 203));
    await world.command(id, 'start');
    await pipes.rowsUntil(table, 203);
    await pipes.until(id, 'Completed');
  });

  it('a shared access signature serves as well as the key', async () => {
    azure.put('a.json', lines(0, 5));
    const connectionString = `BlobEndpoint=${azure.endpoint}/;SharedAccessSignature=?${accessSignature}`;
    // As clients send it whose url is not optional.
    const { id, table } = await create({ path: '*.json', connectionString, url: '' });
    await pipes.until(id, 'Completed');
    expect(await pipes.counted(table)).toEqual([5, 5, 10]);
  });

  it('large blobs are written in parts, compressed or not', async () => {
    azure.put('a.json', lines(0, 100_000));
    azure.put('b.json.gz', gzipSync(lines(100_000, 200_000)));
    const more = { settings: { ...settings, engine_min_insert_block_size_bytes: 1_048_576 } };
    const { id, table } = await create({ path: '*' }, more);
    expect((await pipes.until(id, 'Completed'))?.progress.batches).toBeGreaterThan(4);
    expect(await pipes.counted(table)).toEqual([200_000, 200_000, 19_999_900_000]);
  });

  it('new blobs are followed; the store goes away and comes back; startAfter and skipInitialLoad hold', async () => {
    azure.put('a.json', lines(0, 5));
    azure.put('b.json', lines(5, 10));
    const all = await create({ path: '*.json', isContinuous: true });
    const some = await create({ path: '*.json', isContinuous: true, startAfter: 'a.json' });
    const fresh = await create({ path: '*.json', isContinuous: true, skipInitialLoad: true });
    await pipes.rowsUntil(all.table, 10);
    await pipes.rowsUntil(some.table, 5);
    for (const { id } of [all, some, fresh]) await pipes.until(id, 'Running');
    azure.status = 503;
    await pipes.until(all.id, 'Degraded');
    azure.status = undefined;
    azure.put('c.json', lines(10, 11));
    await pipes.rowsUntil(all.table, 11);
    await pipes.rowsUntil(some.table, 6);
    await pipes.rowsUntil(fresh.table, 1);
    expect(await pipes.counted(all.table)).toEqual([11, 11, 55]);
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
    const run = await pipes.until(id, 'Failed');
    expect(run?.reason).toMatch(reason);
    const shown = JSON.stringify([run, world.logger.lines]);
    for (const secret of ['planted', accountKey]) expect(shown).not.toContain(secret);
  });
});
