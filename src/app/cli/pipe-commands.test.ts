import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SecretBox } from '../../access/secret-box.ts';
import { FakeClock } from '../../kernel/fake-clock.ts';
import { randomIds } from '../../kernel/ids.ts';
import { silentLogger } from '../../kernel/logger.ts';
import { type MetadataStore, openMetadata } from '../../metadata/open-metadata.ts';
import { FakeConnector } from '../../pipes/fake-connector.ts';
import { connectorsOf } from '../../pipes/run-check.ts';
import { SourceError } from '../../pipes/source-port.ts';
import type { PipeEvent } from '../../resources/pipes/pipe-transitions.ts';
import { inIdentityTransaction } from '../identity-transactions.ts';
import { pipeLifecycle, pipeService } from '../pipe-service.ts';
import { registerPipeCommands } from './pipe-commands.ts';
import type { PipeStore } from './with-pipes.ts';

const serviceId = '0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d';
const pipeId = '11111111-2222-4333-8444-555555555555';
const otherPipeId = '11111111-2222-4333-8444-666666666666';
const secrets = new SecretBox('a secret key for tests');
const clock = new FakeClock();

let folder: string;
let server: MetadataStore;
let opened: number;
let connector: FakeConnector;
let progress: string;
let exitCode: number;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-pipe-commands-'));
  server = await openStore();
  await addService(serviceId, 'live');
  opened = 0;
  connector = new FakeConnector();
  progress = '';
  exitCode = 0;
});
afterEach(async () => {
  expect(opened).toBe(0);
  await server.close();
  rmSync(folder, { recursive: true });
});

function openStore(): Promise<MetadataStore> {
  const location = { kind: 'embedded', file: join(folder, 'metadata.db') } as const;
  return openMetadata({ location, clock, logger: silentLogger });
}

async function addService(id: string, name: string): Promise<void> {
  const organizationId = '6f1c2a5e-0d0b-4f6e-9d0e-3a1b2c4d5e6f';
  await server.identities.saveOrganization({ id: organizationId, name: 'Acme' }, 0);
  const telemetryDatabase = `otel_${name}`;
  await server.identities.insertTenant({ id, kind: 'service', name, organizationId, telemetryDatabase }, 0);
}

/** A separate store connection for each command, beside the one that stays open: as beside a running server. */
async function open(): Promise<PipeStore> {
  const metadata = await openStore();
  opened++;
  const parts = { pipes: metadata.pipes, runs: metadata.pipeRuns, secrets, clock };
  const tenants = { find: async () => undefined, list: async () => [] };
  return {
    identities: metadata.identities,
    pipes: pipeService(parts),
    lifecycle: pipeLifecycle({
      ...{ ...parts, tenants, ids: randomIds, logger: silentLogger },
      connectors: connectorsOf([connector]),
    }),
    transaction: (work) =>
      inIdentityTransaction(metadata, ({ pipes, pipeRuns: runs }) =>
        work(pipeService({ pipes, runs, secrets, clock })),
      ),
    close: async () => {
      opened--;
      await metadata.close();
    },
  };
}

async function run(...argv: string[]): Promise<string> {
  let printed = '';
  const program = new Command().exitOverride().configureOutput({ writeErr: () => {} });
  const write = (text: string): void => {
    printed += text;
  };
  registerPipeCommands(program, {
    ...{ open, write, clock },
    lookupEnv: (name) => (name === 'PASSWORD' ? 'planted' : undefined),
    writeProgress: (text) => {
      progress += text;
    },
    exitWith: (code) => {
      exitCode = code;
    },
  });
  await program.parseAsync(['pipes', ...argv], { from: 'user' });
  return printed;
}

function file(text: string): string {
  const path = join(folder, 'pipes.yaml');
  writeFileSync(path, text);
  return path;
}

const one = `
id: ${pipeId}
name: orders
state: Running
source:
  kafka: { topics: orders, credentials: { password: { env: PASSWORD } } }
`;

describe('signalbox pipes apply', () => {
  it('creates a pipe that the server sees immediately, then reports what changed', async () => {
    expect(await run('apply', file(one))).toBe(`orders (${pipeId}): created\n`);
    expect((await server.pipes.find(serviceId, pipeId))?.fields.state).toBe('Running');
    expect(await run('apply', file(one))).toBe(`orders (${pipeId}): unchanged\n`);
    const changed = JSON.parse(await run('apply', file(one.replace('Running', 'Stopped')), '--json'));
    expect(changed).toMatchObject([{ outcome: 'changed', pipe: { id: pipeId, serviceId, state: 'Stopped' } }]);
  });

  it.each([
    ['a list', `[{ id: ${pipeId}, name: a }, { id: ${otherPipeId}, name: b }]`],
    ['pipes: as in the provisioning file', `pipes: [{ id: ${pipeId}, name: a }, { id: ${otherPipeId}, name: b }]`],
  ])('takes %s, in its order', async (_, text) => {
    expect(await run('apply', file(text))).toBe(`a (${pipeId}): created\nb (${otherPipeId}): created\n`);
    expect(JSON.parse(await run('list', '--json'))).toMatchObject([{ name: 'a' }, { name: 'b' }]);
  });

  it.each([
    [
      'one bad pipe',
      `- { id: ${pipeId}, name: a }\n- { id: ${otherPipeId}, name: b, scaling: { replicas: 41 } }`,
      /line 2, 1\.scaling\.replicas: must be 1 to 40/,
    ],
    [
      'the same id twice',
      `- { id: ${pipeId}, name: a }\n- { id: ${pipeId}, name: b }`,
      /line 2, 1\.id: another pipe in the file/,
    ],
    [
      'an unset variable',
      `- { id: ${pipeId}, name: a }\n- { id: ${otherPipeId}, name: { env: NONE } }`,
      /NONE that it names is not set/,
    ],
    ['no YAML', '{', /not valid YAML at line 1/],
    ['nothing', '', /id: is required|must be an object/],
  ])('writes nothing with %s', async (_, text, message) => {
    await expect(run('apply', file(text))).rejects.toThrow(message);
    expect(await server.pipes.list(serviceId)).toEqual([]);
  });

  it('needs a file that can be read, and one service', async () => {
    await expect(run('apply', join(folder, 'none.yaml'))).rejects.toThrow(/none\.yaml can't be read/);
    await addService(otherPipeId, 'second');
    await expect(run('apply', file(one))).rejects.toThrow(/name one with --service/);
    await run('apply', file(one), '--service', 'second');
    expect(await server.pipes.find(otherPipeId, pipeId)).toBeDefined();
  });
});

describe('signalbox pipes list, get, delete', () => {
  it('show no secret and follow the service', async () => {
    await run('apply', file(one));
    const shown = [
      await run('list'),
      await run('list', '--json'),
      await run('get', pipeId),
      await run('get', pipeId, '--json'),
    ];
    for (const text of shown) {
      expect(text).toContain(pipeId);
      expect(text).not.toMatch(/planted|credentials/);
    }
    await addService(otherPipeId, 'second');
    expect(JSON.parse(await run('list', '--service', otherPipeId, '--json'))).toEqual([]);
    await expect(run('get', pipeId, '--service', otherPipeId)).rejects.toThrow(/There is no pipe/);
    await expect(run('delete', pipeId, '--service', otherPipeId)).rejects.toThrow(/There is no pipe/);
    await expect(run('list', '--service', 'none')).rejects.toThrow(/There is no service "none"/);
  });

  it('what get prints can be applied again', async () => {
    await run('apply', file(`{ id: ${pipeId}, name: orders, scaling: { replicaMemoryGb: 0.5 } }`));
    expect(await run('apply', file(await run('get', pipeId)))).toBe(`orders (${pipeId}): unchanged\n`);
  });

  it('delete removes the pipe from the server immediately, and only once', async () => {
    await run('apply', file(one));
    expect(await run('delete', pipeId.toUpperCase(), '--json')).toContain(pipeId);
    expect(await server.pipes.find(serviceId, pipeId)).toBeUndefined();
    await expect(run('delete', pipeId)).rejects.toThrow(/There is no pipe/);
  });
});

const stored = `
id: ${pipeId}
name: orders
state: Stopped
source:
  objectStorage: { url: 'https://lake.example.com/*.json', type: s3, format: JSONEachRow, accessKey: { accessKeyId: planted, secretKey: planted } }
destination: { table: orders, columns: [{ name: id, type: UInt64 }] }
`;

describe('signalbox pipes status, start, stop, resync', () => {
  /** What the process that runs the pipe finds out, as the store has it. */
  async function move(event: PipeEvent, reason?: string): Promise<void> {
    const owner = 'supervisor';
    const times = { nowMs: clock.nowMs(), leaseUntilMs: clock.nowMs() + 10_000 };
    await server.pipeLeases.claimDue({ owner, ...times, max: 10 });
    const move = { owner, pipeId, event, nowMs: clock.nowMs(), ...(reason !== undefined && { reason }) };
    expect(await server.pipeLeases.move(move)).toBe('moved');
  }

  /** Lets a command that waits look again, until it has ended. */
  async function ended(work: Promise<string>): Promise<string> {
    let isOver = false;
    const over = () => {
      isOver = true;
    };
    work.then(over, over);
    while (!isOver) await clock.advance(1_000);
    return work;
  }

  it('start and stop answer with the first state; what is not possible is a sentence', async () => {
    await run('apply', file(stored));
    expect(await run('start', 'orders')).toBe(`orders (${pipeId}): Provisioning\n`);
    await expect(run('start', pipeId)).rejects.toThrow(
      /The pipe is Provisioning, so it cannot start; it is possible in/,
    );
    expect(JSON.parse(await run('stop', pipeId, '--json'))).toEqual({ id: pipeId, name: 'orders', state: 'Stopping' });
    await expect(run('resync', 'orders')).rejects.toThrow(/this kind of source has no such command/);
    await expect(run('start', 'none')).rejects.toThrow(/There is no pipe "none"/);
    await addService(otherPipeId, 'second');
    await expect(run('stop', pipeId, '--service', 'second')).rejects.toThrow(/There is no pipe/);
  });

  it('--wait prints the changes of state, and ends when the pipe runs', async () => {
    await run('apply', file(stored));
    const started = run('start', 'orders', '--wait');
    await expect.poll(() => progress).toContain('Provisioning');
    await move('trouble', 'The object storage does not answer.');
    await clock.advance(1_000);
    await expect.poll(() => progress).toContain('Degraded: The object storage does not answer.');
    await move('flow');
    expect(await ended(started)).toBe(`orders (${pipeId}): Running\n`);
    expect(
      progress
        .trim()
        .split('\n')
        .map((line) => line.split('  ')[1]),
    ).toEqual(['Provisioning', 'Degraded: The object storage does not answer.', 'Running']);
    expect(exitCode).toBe(0);
    const stopped = run('stop', 'orders', '--wait', '--json');
    await expect.poll(() => progress).toContain('Stopping');
    await move('halt');
    expect(JSON.parse(await ended(stopped))).toMatchObject({ name: 'orders', state: 'Stopped' });
  });

  it('--wait fails with the reason of a pipe that fails, and with code 3 when the time is over', async () => {
    await run('apply', file(stored));
    expect(await ended(run('start', 'orders', '--wait', '--timeout', '2'))).toContain('Provisioning');
    expect([exitCode, progress]).toEqual([3, expect.stringContaining('still Provisioning after 2 s')]);
    await move('fail', 'The object storage denies access.');
    const restarted = run('start', 'orders', '--wait');
    restarted.catch(() => {});
    await expect.poll(() => progress.match(/Provisioning\n/g)).toHaveLength(2);
    await move('fail', 'The object storage denies access.');
    await expect(ended(restarted)).rejects.toThrow('The pipe orders is Failed: The object storage denies access.');
    await expect(run('stop', 'orders', '--timeout', '5')).rejects.toThrow(/only with --wait/);
    await expect(run('start', 'orders', '--wait', '--timeout', 'x')).rejects.toThrow(/whole number of seconds/);
  });

  it('--until-completed waits while the pipe runs', async () => {
    await run('apply', file(stored));
    const imported = run('start', 'orders', '--until-completed');
    await expect.poll(() => progress).toContain('Provisioning');
    await move('flow');
    await clock.advance(1_000);
    await expect.poll(() => progress).toContain('Running');
    await move('complete');
    expect(await ended(imported)).toBe(`orders (${pipeId}): Completed\n`);
  });

  it('wait follows a pipe that was applied as running, from before any process has seen it', async () => {
    await run('apply', file(stored.replace('Stopped', 'Running')));
    const waited = run('wait', 'orders');
    await clock.advance(1_000);
    await server.pipeLeases.adopt({ nowMs: clock.nowMs(), max: 10 });
    await move('setup');
    await clock.advance(1_000);
    await expect.poll(() => progress).toContain('Setup');
    await move('flow');
    expect(await ended(waited)).toBe(`orders (${pipeId}): Running\n`);
    expect(await ended(run('wait', pipeId))).toContain('Running');
    await run('stop', 'orders');
    await move('halt');
    await expect(run('wait', 'orders')).rejects.toThrow('The pipe orders is Stopped.');
  });

  it('status shows state, reason, totals and the latest changes, without secrets', async () => {
    await run('apply', file(stored));
    await run('start', 'orders');
    await move('fail', 'The object storage denies access.');
    const text = await run('status', 'orders');
    expect(text).toMatch(/^state +Failed\nreason +The object storage denies access\.$/m);
    expect(text).toMatch(/Failed +supervisor +The object storage denies access\.\n.*Provisioning +client/);
    const json = JSON.parse(await run('status', pipeId, '--json'));
    expect(json).toMatchObject({ id: pipeId, name: 'orders', state: 'Failed', rows: 0, errors: 0 });
    expect(text + JSON.stringify(json)).not.toContain('planted');
    expect(await run('list')).toMatch(/Failed +0 +- +-/);
  });
});

describe('signalbox pipes check', () => {
  it('lists what the source has, and stores nothing', async () => {
    connector.append('a.json', 'b.json');
    expect(await run('check', file(stored))).toBe('The source can be read.\n  a.json\n  b.json\n');
    expect([exitCode, await server.pipes.list(serviceId)]).toEqual([0, []]);
  });

  it('answers code 1 and the reason when the source cannot be read, and rejects what is no pipe', async () => {
    connector.openError = new SourceError('rejected', 'The object storage denies access.');
    expect(JSON.parse(await run('check', file(stored), '--json'))).toMatchObject({
      ok: false,
      message: 'The object storage denies access.',
    });
    expect(exitCode).toBe(1);
    await expect(run('check', file('name: x'))).rejects.toThrow(/^source: is required/);
    await expect(run('check', file('[{ name: a }, { name: b }]'))).rejects.toThrow(/must describe one pipe/);
  });
});
