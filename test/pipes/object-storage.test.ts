import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { afterFile } from '../support/after-file.ts';
import { accessKey, S3Server } from '../support/s3-server.ts';
import { openEngine } from '../support/start-engine.ts';
import { columns, lines, ObjectPipes, settings } from './object-pipes.ts';
import { PipeWorld } from './pipe-world.ts';

let world: PipeWorld;
let s3: S3Server;
let folder: string;
let pipes: ObjectPipes;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-pipe-files-'));
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  s3 = await S3Server.start();
  world = new PipeWorld(await openEngine(), { filesFolder: folder });
  world.start();
  pipes = new ObjectPipes(world, 'objects');
});

beforeEach(() => {
  s3.objects.clear();
  s3.status = undefined;
  s3.isPublic = false;
});

const signed = { type: 's3', authentication: 'IAM_USER', accessKey };

describe('one-off', () => {
  it('reads what matches, page by page, each object once, and is Completed', async () => {
    for (let at = 0; at < 20; at++) s3.put(`in/day ${at}+ü/a&b.json`, lines(at * 10, at * 10 + 10));
    s3.put('in/day 1/b.txt', 'no json');
    s3.put('out/a.json', lines(0, 10));
    const { id, table } = await pipes.create({ ...signed, url: `${s3.url}/in/**/*.json` });
    expect((await pipes.until(id, 'Completed'))?.progress).toMatchObject({ rows: 200, errors: 0 });
    expect(await pipes.counted(table)).toEqual([200, 200, 19_900]);
  });

  it('started again, it reads only what is new, and what has changed', async () => {
    s3.put('a.json', lines(0, 5));
    const { id, table } = await pipes.create({ ...signed, url: `${s3.url}/*.json` });
    await pipes.until(id, 'Completed');
    s3.put('a.json', lines(5, 8));
    s3.put('b.json', lines(8, 10));
    await world.command(id, 'start');
    await pipes.rowsUntil(table, 10);
    await pipes.until(id, 'Completed');
    expect(await pipes.counted(table)).toEqual([10, 10, 45]);
  });

  it.each([
    ['gzip by name', 'a.json.gz', gzipSync, undefined],
    ['brotli by name', 'a.json.br', brotliCompressSync, undefined],
    ['gzip by its setting', 'a.bin', gzipSync, 'gzip'],
    ['none, by its setting', 'a.gz', (text: string) => Buffer.from(text), 'none'],
  ])('%s', async (_, key, compress, compression) => {
    s3.put(key, compress(lines(0, 100)));
    const chosen = compression === undefined ? {} : { compression };
    const { id, table } = await pipes.create({ ...signed, url: `${s3.url}/a*`, ...chosen });
    await pipes.until(id, 'Completed');
    expect(await pipes.counted(table)).toEqual([100, 100, 4_950]);
  });

  it('large objects are written in parts, compressed or not', async () => {
    s3.put('a.json', lines(0, 100_000));
    s3.put('b.json.gz', gzipSync(lines(100_000, 200_000)));
    const more = { settings: { ...settings, engine_min_insert_block_size_bytes: 1_048_576 }, scaling: { replicas: 2 } };
    const { id, table } = await pipes.create({ ...signed, url: `${s3.url}/*` }, more);
    expect((await pipes.until(id, 'Completed'))?.progress.batches).toBeGreaterThan(4);
    expect(await pipes.counted(table)).toEqual([200_000, 200_000, 19_999_900_000]);
  });

  it('CSV with headers that differ, quoted line ends and a delimiter', async () => {
    s3.put('a.csv', 'id;name\n1;"a\nb"\n2;c');
    s3.put('b.csv', 'name;skipped;id\n"d;e";x;3\n');
    const { id, table } = await pipes.create({
      ...signed,
      url: `${s3.url}/*.csv`,
      format: 'CSVWithNames',
      delimiter: ';',
    });
    await pipes.until(id, 'Completed');
    expect(await world.ask('groupArray(name), sum(id)', `${table}`)).toEqual([
      expect.arrayContaining(['a\nb', 'c', 'd;e']),
      6,
    ]);
  });

  it('lists of JSON objects and tab-separated text', async () => {
    s3.put('a.json', '[{"id":1},\n {"id":2}]');
    const list = await pipes.create({ ...signed, url: `${s3.url}/a.json` });
    await pipes.until(list.id, 'Completed');
    expect(await pipes.counted(list.table)).toEqual([2, 2, 3]);
    s3.put('a.tsv', 'name\tid\nx\t1\ny\t2\n');
    const tabs = await pipes.create({ ...signed, url: `${s3.url}/a.tsv`, format: 'TabSeparatedWithNames' });
    await pipes.until(tabs.id, 'Completed');
    expect(await pipes.counted(tabs.table)).toEqual([2, 2, 3]);
  });

  it('poisoned records are set aside with the object and the number of the record', async () => {
    s3.put('a.json', '{"id":1}\nbroken\n{"id":3}\n');
    s3.put('b.json', '{"id":4}\n{"id":"five"}\n');
    const { id, table } = await pipes.create({ ...signed, url: `${s3.url}/*.json` });
    expect((await pipes.until(id, 'Completed'))?.progress).toMatchObject({ rows: 3, errors: 2 });
    expect(await pipes.counted(table)).toEqual([3, 3, 8]);
    const positions = await world.ask('arraySort(groupArray(position))', `${table}_pipe_errors`);
    expect(positions).toEqual([['a.json, record 2', 'b.json, record 2']]);
  });

  it('web servers: single URLs, and braces for several', async () => {
    s3.isPublic = true;
    for (const at of [1, 2, 3]) s3.put(`part-${at}.json`, lines(at, at + 1));
    const { id, table } = await pipes.create({ url: `${s3.url}/part-{1..3}.json` });
    await pipes.until(id, 'Completed');
    expect(await pipes.counted(table)).toEqual([3, 3, 6]);
  });

  it('files of the folder that the operator allows, and no others, links included', async () => {
    mkdirSync(join(folder, 'x'), { recursive: true });
    writeFileSync(join(folder, 'x/a.json'), lines(0, 3));
    const outside = mkdtempSync(join(tmpdir(), 'signalbox-outside-'));
    writeFileSync(join(outside, 'b.json'), lines(3, 6));
    symlinkSync(join(outside, 'b.json'), join(folder, 'x/b.json'));
    const { id, table } = await pipes.create({ url: `file://${folder}/**/*.json` });
    await pipes.until(id, 'Completed');
    expect(await pipes.counted(table)).toEqual([3, 3, 3]);
    rmSync(outside, { recursive: true });
    const other = await pipes.create({ url: 'file:///etc/*.conf' });
    expect((await pipes.until(other.id, 'Failed'))?.reason).toMatch(/inside the folder/);
    const above = await pipes.create({ url: `file://${folder}/../*.json` });
    await pipes.until(above.id, 'Failed');
  });
});

describe('continuous', () => {
  it('reads new objects as they come; skipInitialLoad and startAfter leave others', async () => {
    s3.put('b.json', lines(0, 5));
    const all = await pipes.create({ ...signed, url: `${s3.url}/*.json`, isContinuous: true });
    const later = await pipes.create({ ...signed, url: `${s3.url}/*.json`, isContinuous: true, skipInitialLoad: true });
    const after = await pipes.create({ ...signed, url: `${s3.url}/*.json`, isContinuous: true, startAfter: 'b.json' });
    await pipes.rowsUntil(all.table, 5);
    await vi.waitFor(async () => expect((await world.run(later.id))?.progress.lagMs).toBe(0), { timeout: 20_000 });
    s3.put('a.json', lines(5, 6));
    s3.put('c.json', lines(6, 8));
    await pipes.rowsUntil(all.table, 8);
    await pipes.rowsUntil(later.table, 3);
    await pipes.rowsUntil(after.table, 2);
    for (const { id } of [all, later, after]) {
      await pipes.until(id, 'Running');
      await world.command(id, 'stop');
      await pipes.until(id, 'Stopped');
    }
    expect(await pipes.counted(later.table)).toEqual([3, 3, 18]);
    expect(await pipes.counted(after.table)).toEqual([2, 2, 13]);
  });

  it('source away and back: Degraded, then Running, every row once', async () => {
    s3.put('a.json', lines(0, 5));
    const { id, table } = await pipes.create({ ...signed, url: `${s3.url}/*.json`, isContinuous: true });
    await pipes.rowsUntil(table, 5);
    await s3.close();
    await pipes.until(id, 'Degraded');
    s3.put('b.json', lines(5, 10));
    await s3.listen();
    await pipes.rowsUntil(table, 10);
    s3.status = 503;
    await pipes.until(id, 'Degraded');
    s3.status = undefined;
    s3.put('c.json', lines(10, 11));
    await pipes.rowsUntil(table, 11);
    await pipes.until(id, 'Running');
    expect(await pipes.counted(table)).toEqual([11, 11, 55]);
    await world.command(id, 'stop');
    await pipes.until(id, 'Stopped');
  });
});

describe('what cannot be read fails with a sentence', () => {
  it.each([
    ['a wrong secret', { accessKey: { ...accessKey, secretKey: 'wrong-planted-key' } }, /denies access/],
    ['cloud roles', { iamRole: 'arn:aws:iam::1:role/x', authentication: 'IAM_ROLE' }, /cloud roles/],
    ['queues', { queueUrl: 'https://sqs.eu-central-1.amazonaws.com/1/q' }, /queueUrl/],
    ['fields of another service', { azureContainerName: 'lake' }, /azureContainerName: is for type azureblobstorage/],
    ['a compression', { compression: 'LZMA' }, /compression: must be one of/],
  ])('%s', async (_, change, reason) => {
    s3.put('a.json', lines(0, 1));
    const { id } = await pipes.create({ ...signed, url: `${s3.url}/*.json`, ...change });
    const run = await pipes.until(id, 'Failed');
    expect(run?.reason).toMatch(reason);
    expect(JSON.stringify([run, world.logger.lines])).not.toContain('planted');
  });

  it('private addresses, unless the operator lists them', async () => {
    const guarded = new PipeWorld(await openEngine(), { allowedHosts: [] });
    guarded.start();
    const objectStorage = { ...signed, format: 'JSONEachRow', url: `${s3.url}/*.json` };
    const before = s3.requests;
    const id = await guarded.create({ destination: { table: 'guarded', columns }, source: { objectStorage } });
    await vi.waitFor(async () => expect((await guarded.run(id))?.state).toBe('Failed'), { timeout: 20_000 });
    expect((await guarded.run(id))?.reason).toMatch(/private/);
    expect(s3.requests).toBe(before);
    await guarded.stop();
  });
});
