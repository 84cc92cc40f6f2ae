import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeFile } from '../support/after-file.ts';
import { KafkaServer } from '../support/kafka-server.ts';
import { startPostgresServer } from '../support/postgres-server.ts';
import { accessKey, S3Server } from '../support/s3-server.ts';
import type { RunningProgram } from '../support/start-program.ts';
import { ids } from '../support/two-tenancies.ts';
import { CloudCli, findCloudCli } from './cloud-cli.ts';
import { askTables, key, startPipesProgram } from './managed-program.ts';

const found = await findCloudCli();
/** Shown beside the skipped tests in the report. */
const why = found.kind === 'missing' ? ` (skipped: ${found.reason})` : '';

const often = { interval: 20, timeout: 30_000 };
const columns = ['--column', 'id:UInt64', '--column', 'name:String'];
const lines = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => JSON.stringify({ id: from + index, name: `n${from + index}` }));
/** Rows, different ones, and the sum of their ids, when ids count from 0. */
const sums = (rows: number) => [rows, rows, (rows * (rows - 1)) / 2];

describe.skipIf(found.kind === 'missing')(`pipes with the published cloud command line client${why}`, () => {
  let program: RunningProgram;
  let cli: CloudCli;

  beforeAll(async () => {
    program = await startPipesProgram();
    if (found.kind === 'found') cli = new CloudCli(found.file, program.addresses.api, key);
  });
  afterAll(async () => {
    await program?.stop();
    await closeFile();
  });

  const run = (argv: readonly string[], body?: unknown) =>
    cli.run(['clickpipe', ...argv, '--org-id', ids.organization], body);
  const succeed = async (argv: readonly string[], body?: unknown) => {
    const { code, json } = await run(argv, body);
    expect(code, JSON.stringify(json)).toBe(0);
    return json;
  };
  const get = (id: string) => succeed(['get', ids.service, id]);
  const state = async (id: string) => (await get(id)).state;
  const until = (id: string, wanted: string) => expect.poll(() => state(id), often).toBe(wanted);
  const rows = (table: string) => askTables(program, 'count(), uniqExact(id), sum(id)', table);

  it('an object storage: create, running, rows, edit, scale, stop, start, delete', async () => {
    const s3 = await S3Server.start();
    s3.put('in/a.json', lines(0, 1_000).join('\n'));
    const source = ['--source-url', `${s3.url}/in/*.json`, '--format', 'JSONEachRow', '--continuous'];
    const created = await succeed([
      ...['create', 'object-storage', ids.service, '--name', 'orders', ...source],
      ...['--access-key-id', accessKey.accessKeyId, '--secret-key', accessKey.secretKey],
      ...['--database', 'default', '--table', 'orders', ...columns],
      ...['--object-storage-polling-interval-ms', '100'],
    ]);
    expect(created).toMatchObject({ name: 'orders', state: 'Provisioning', serviceId: ids.service });
    expect(JSON.stringify(created)).not.toContain(accessKey.secretKey);
    const { id } = created;
    await until(id, 'Running');
    await expect.poll(() => rows('orders'), often).toEqual(sums(1_000));
    const running = await get(id);
    expect(Date.parse(running.updatedAt)).toBeGreaterThan(Date.parse(created.updatedAt));
    expect(await succeed(['list', ids.service])).toEqual([running]);

    await succeed(['update', ids.service, id, '--file', '-'], { name: 'orders of today' });
    await succeed(['settings', 'update', ids.service, id, '--object-storage-polling-interval-ms', '200']);
    expect(await succeed(['settings', 'get', ids.service, id])).toMatchObject({
      object_storage_polling_interval_ms: 200,
    });
    await succeed(['scale', ids.service, id, '--replicas', '2']);
    await until(id, 'Running');
    const edited = await get(id);
    expect(edited).toMatchObject({ name: 'orders of today', scaling: { replicas: 2 } });
    expect(Date.parse(edited.updatedAt)).toBeGreaterThan(Date.parse(running.updatedAt));

    expect((await succeed(['stop', ids.service, id])).state).toBe('Stopping');
    await until(id, 'Stopped');
    s3.put('in/b.json', lines(1_000, 500).join('\n'));
    const refused = await run(['resync', ids.service, id]);
    expect([refused.code, refused.json.error.message]).toEqual([1, expect.stringMatching(/cannot resync/)]);
    expect(await rows('orders')).toEqual(sums(1_000));
    expect((await succeed(['start', ids.service, id])).state).toBe('Provisioning');
    await until(id, 'Running');
    await expect.poll(() => rows('orders'), often).toEqual(sums(1_500));

    await succeed(['delete', ids.service, id]);
    expect((await run(['get', ids.service, id])).json.error.message).toBe('NOT_FOUND: Pipe not found');
    expect(await succeed(['list', ids.service])).toEqual([]);
    expect(await rows('orders')).toEqual(sums(1_500));
  });

  it('a pipe that begins paused reads nothing until it is started, and completes', async () => {
    const s3 = await S3Server.start();
    s3.isPublic = true;
    s3.put('in/a.json', lines(0, 10).join('\n'));
    const { id } = await succeed([
      ...['create', 'object-storage', ids.service, '--name', 'paused', '--start-paused'],
      ...['--source-url', `${s3.url}/in/*.json`, '--format', 'JSONEachRow'],
      ...['--database', 'default', '--table', 'paused', ...columns],
    ]);
    expect([await state(id), s3.requests]).toEqual(['Stopped', 0]);
    await succeed(['start', ids.service, id]);
    await until(id, 'Completed');
    expect(await rows('paused')).toEqual(sums(10));
    await succeed(['delete', ids.service, id]);
  });

  it('trouble shows as Degraded, what someone has to change as Failed, and the client sees both', async () => {
    const s3 = await S3Server.start();
    s3.put('in/a.json', lines(0, 10).join('\n'));
    const { id } = await succeed([
      ...['create', 'object-storage', ids.service, '--name', 'troubled', '--continuous'],
      ...['--source-url', `${s3.url}/in/*.json`, '--format', 'JSONEachRow'],
      ...['--access-key-id', accessKey.accessKeyId, '--secret-key', accessKey.secretKey],
      ...['--database', 'default', '--table', 'troubled', ...columns, '--object-storage-polling-interval-ms', '100'],
    ]);
    await until(id, 'Running');
    s3.status = 503;
    await until(id, 'Degraded');
    s3.status = undefined;
    await until(id, 'Running');
    s3.status = 403;
    await until(id, 'Failed');
    await succeed(['delete', ids.service, id]);
  });

  it('a topic of Kafka', async () => {
    const kafka = await KafkaServer.start();
    const topic = kafka.createTopic('orders', 3);
    topic.partitions.forEach((partition, index) => {
      partition.append(lines(index * 100, 100));
    });
    const { id } = await succeed([
      ...['create', 'kafka', ids.service, '--name', 'topic', '--brokers', kafka.address, '--topics', 'orders'],
      ...['--format', 'JSONEachRow', '--database', 'default', '--table', 'topic', ...columns],
      ...['--streaming-max-insert-wait-ms', '500'],
    ]);
    await until(id, 'Running');
    await expect.poll(() => rows('topic').catch(() => []), often).toEqual(sums(300));
    await succeed(['stop', ids.service, id]);
    await until(id, 'Stopped');
    await succeed(['delete', ids.service, id]);
  });

  it('tables of PostgreSQL: snapshot, changes, pause, resync', async () => {
    const server = await startPostgresServer({ isLogical: true });
    const { hostname, port, username, password } = new URL(server.url);
    const client = new pg.Client(server.url);
    await client.connect();
    await client.query('CREATE TABLE orders (id bigint PRIMARY KEY, name text)');
    await client.query("INSERT INTO orders SELECT id, 'n' || id FROM generate_series(0, 99) AS id");
    const { id } = await succeed([
      ...['create', 'postgres', ids.service, '--name', 'tables', '--host', hostname, '--port', port],
      ...['--pg-database', 'postgres', '--username', username, '--password', password, '--disable-tls'],
      ...['--table-mapping', 'public.orders:tables', '--sync-interval-seconds', '1'],
    ]);
    await until(id, 'Running');
    const final = () => rows('tables FINAL').catch(() => []);
    await expect.poll(final, often).toEqual(sums(100));
    await client.query("INSERT INTO orders SELECT id, 'n' || id FROM generate_series(100, 149) AS id");
    await expect.poll(final, often).toEqual(sums(150));
    expect((await succeed(['stop', ids.service, id])).state).toBe('Pausing');
    await until(id, 'Paused');
    expect((await succeed(['resync', ids.service, id])).state).toBe('Resync');
    await until(id, 'Running');
    await expect.poll(final, often).toEqual(sums(150));
    await succeed(['delete', ids.service, id]);
    const slots = await client.query('SELECT slot_name FROM pg_replication_slots');
    expect(slots.rows).toEqual([]);
    await client.end();
    await server.stop();
  });
});
