import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { PipeInput } from '../../src/contract/pipe-input.ts';
import { PipeWorld } from '../pipes/pipe-world.ts';
import { closeFile } from '../support/after-file.ts';
import { openEngine } from '../support/start-engine.ts';
import { cacheFolder, type FoundTool, lastLine, pythonWith, whyMissing } from './interop-cache.ts';

const run = promisify(execFile);
const moto = await pythonWith('moto', ['moto[server]==5.2.5', 'boto3==1.44.8']);
const azurite = await azuriteWith('3.37.0', '12.33.0');
const accessKey = { accessKeyId: 'AKIDOFTHETEST0000001', secretKey: 'a-secret-of-the-test' };
const settings = { object_storage_polling_interval_ms: 200 };
const columns = [
  { name: 'id', type: 'UInt64' },
  { name: 'name', type: 'String' },
];
const sums = (rows: number) => [rows, rows, (rows * (rows - 1)) / 2];

/** The emulator of Azure's storage and the client library that fills it. */
async function azuriteWith(version: string, clientVersion: string): Promise<FoundTool> {
  const folder = cacheFolder('azurite');
  const file = join(folder, 'node_modules/azurite/dist/src/blob/main.js');
  try {
    const packages = [`azurite@${version}`, `@azure/storage-blob@${clientVersion}`];
    const quiet = ['--no-audit', '--no-fund', '--no-save', '--prefix', folder];
    if (!existsSync(file)) await run('npm', ['install', ...quiet, ...packages], { cwd: folder });
    return { kind: 'found', file };
  } catch (error) {
    return { kind: 'missing', reason: `npm can't install azurite: ${lastLine(error)}` };
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function started(file: string, argv: readonly string[], url: string): Promise<ChildProcess> {
  const child = spawn(file, argv, { stdio: 'ignore' });
  await vi.waitUntil(
    () =>
      fetch(url).then(
        () => true,
        () => false,
      ),
    { timeout: 60_000, interval: 50 },
  );
  return child;
}

type Source = NonNullable<PipeInput['source']>;

async function create(world: PipeWorld, table: string, source: Source): Promise<string> {
  return world.create({ destination: { table, columns }, settings: source.kinesis ? {} : settings, source });
}

async function holds(world: PipeWorld, id: string, table: string, rows: number): Promise<void> {
  await vi.waitFor(
    async () => {
      const { state, reason } = (await world.run(id)) ?? {};
      const stored = await world.ask('count(), uniqExact(id), sum(id)', table).catch(() => []);
      expect([stored, state, reason]).toEqual([sums(rows), expect.stringMatching(/^(Running|Completed)$/), undefined]);
    },
    { timeout: 50_000, interval: 50 },
  );
}

describe.skipIf(moto.kind === 'missing')(`S3, SQS and Kinesis as moto has them${whyMissing(moto)}`, () => {
  const python = moto.kind === 'found' ? moto.file : '';
  let server: ChildProcess;
  let endpoint: string;
  let world: PipeWorld;
  let queue: string;

  const fill = async (...step: (string | number)[]): Promise<Record<string, unknown>> => {
    const argv = [join(import.meta.dirname, 'aws-data.py'), endpoint, ...step.map(String)];
    return JSON.parse((await run(python, argv)).stdout);
  };

  beforeAll(async () => {
    const port = await freePort();
    endpoint = `http://127.0.0.1:${port}`;
    server = await started(python, ['-m', 'moto.server', '-p', String(port)], endpoint);
    world = new PipeWorld(await openEngine(), { kinesisUrl: endpoint });
    world.start();
    queue = String((await fill('bucket')).queue);
  });
  afterAll(async () => {
    await closeFile();
    server?.kill('SIGKILL');
  });

  const objects = (change: object = {}): Source => {
    const url = `${endpoint}/lake/in/**/*.json`;
    const access = { type: 's3' as const, authentication: 'IAM_USER' as const, accessKey };
    return { objectStorage: { ...access, url, format: 'JSONEachRow', isContinuous: true, ...change } };
  };

  it('objects are read once, by listings and by the notifications of a queue, which is empty afterwards', async () => {
    await fill('objects', 0, 20, 50);
    const listed = await create(world, 'moto_listed', objects());
    const notified = await create(world, 'moto_queue', objects({ queueUrl: queue }));
    await holds(world, listed, 'moto_listed', 1_000);
    await holds(world, notified, 'moto_queue', 1_000);
    await fill('objects', 1_000, 5, 50);
    await holds(world, listed, 'moto_listed', 1_250);
    await holds(world, notified, 'moto_queue', 1_250);
    await vi.waitFor(async () => expect(await fill('left', queue)).toEqual({ messages: 0 }), { timeout: 30_000 });
  });

  it('records of all shards of a stream', async () => {
    await fill('stream');
    await fill('records', 0, 400);
    const access = { region: 'us-east-1', authentication: 'IAM_USER' as const, accessKey };
    const kinesis = { ...access, streamName: 'clicks', format: 'JSONEachRow' as const };
    const id = await create(world, 'moto_stream', { kinesis });
    await holds(world, id, 'moto_stream', 400);
    await fill('records', 400, 300);
    await holds(world, id, 'moto_stream', 700);
  });
});

describe.skipIf(azurite.kind === 'missing')(`Azure Blob Storage as azurite has it${whyMissing(azurite)}`, () => {
  const account = 'lakeaccount';
  const key = Buffer.from('a key of the test').toString('base64');
  let server: ChildProcess;
  let connectionString: string;
  let world: PipeWorld;

  /** The client library of the service, run where it is installed; what the script answers. */
  const client = async (script: string, ...argv: string[]): Promise<string> => {
    const begin = `import { BlobServiceClient, ContainerSASPermissions } from '@azure/storage-blob';
      const service = BlobServiceClient.fromConnectionString(process.argv[1]);
      const container = service.getContainerClient('lake');`;
    const whole = ['--input-type=module', '-e', begin + script, connectionString, ...argv];
    return (await run('node', whole, { cwd: cacheFolder('azurite') })).stdout.trim();
  };
  const upload = (first: number, count: number) =>
    client(
      `await container.createIfNotExists();
      for (let at = 0; at < ${count}; at++) {
        const body = Array.from({ length: 50 }, (_, index) => JSON.stringify({ id: ${first} + at * 50 + index, name: 'n' }) + '\\n').join('');
        await container.getBlockBlobClient("in/day " + (${first} + at) + "+ü'/a&b (1).json").upload(body, Buffer.byteLength(body));
      }`,
    );

  beforeAll(async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const file = azurite.kind === 'found' ? azurite.file : '';
    process.env.AZURITE_ACCOUNTS = `${account}:${key}`;
    const quiet = ['--silent', '--disableTelemetry', '--inMemoryPersistence', '--skipApiVersionCheck'];
    server = await started('node', [file, ...quiet, '--blobHost', '127.0.0.1', '--blobPort', String(port)], url);
    connectionString = `DefaultEndpointsProtocol=http;AccountName=${account};AccountKey=${key};BlobEndpoint=${url}/${account};`;
    world = new PipeWorld(await openEngine());
    world.start();
  });
  afterAll(async () => {
    await closeFile();
    server?.kill('SIGKILL');
  });

  const blobs = (change: object = {}): Source => {
    const place = { azureContainerName: 'lake', path: 'in/**/*.json', connectionString };
    const access = { type: 'azureblobstorage' as const, authentication: 'CONNECTION_STRING' as const };
    return { objectStorage: { ...access, ...place, format: 'JSONEachRow', isContinuous: true, ...change } };
  };

  it('blobs are read once, by the key of the account and by a shared access signature', async () => {
    await upload(0, 20);
    const sas = await client(`const expiresOn = new Date(Date.now() + 3_600_000);
      const permissions = ContainerSASPermissions.parse('rl');
      console.log(await container.generateSasUrl({ permissions, expiresOn }));`);
    const { origin, search } = new URL(sas);
    const signed = `BlobEndpoint=${origin}/${account};SharedAccessSignature=${search.slice(1)}`;
    const byKey = await create(world, 'azurite_key', blobs());
    const bySignature = await create(world, 'azurite_sas', blobs({ connectionString: signed }));
    await holds(world, byKey, 'azurite_key', 1_000);
    await holds(world, bySignature, 'azurite_sas', 1_000);
    await upload(1_000, 3);
    await holds(world, byKey, 'azurite_key', 1_150);
    await holds(world, bySignature, 'azurite_sas', 1_150);
  });
});
