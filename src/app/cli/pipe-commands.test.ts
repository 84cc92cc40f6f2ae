import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SecretBox } from '../../access/secret-box.ts';
import { FakeClock } from '../../kernel/fake-clock.ts';
import { silentLogger } from '../../kernel/logger.ts';
import { type MetadataStore, openMetadata } from '../../metadata/open-metadata.ts';
import { inIdentityTransaction } from '../identity-transactions.ts';
import { pipeService } from '../pipe-service.ts';
import { type PipeStore, registerPipeCommands } from './pipe-commands.ts';

const serviceId = '0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d';
const pipeId = '11111111-2222-4333-8444-555555555555';
const otherPipeId = '11111111-2222-4333-8444-666666666666';
const secrets = new SecretBox('a secret key for tests');
const clock = new FakeClock();

let folder: string;
let server: MetadataStore;
let opened: number;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-pipe-commands-'));
  server = await openStore();
  await addService(serviceId, 'live');
  opened = 0;
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
  return {
    identities: metadata.identities,
    pipes: pipeService({ pipes: metadata.pipes, runs: metadata.pipeRuns, secrets, clock }),
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
  registerPipeCommands(program, { open, write, lookupEnv: (name) => (name === 'PASSWORD' ? 'planted' : undefined) });
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
