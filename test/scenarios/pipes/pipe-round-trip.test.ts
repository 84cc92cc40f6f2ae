import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { registerPipeCommands } from '../../../src/app/cli/pipe-commands.ts';
import { inIdentityTransaction } from '../../../src/app/identity-transactions.ts';
import { pipeLifecycle, pipeService } from '../../../src/app/pipe-service.ts';
import { applyProvisioning } from '../../../src/app/provisioning/apply-provisioning.ts';
import { provisioningStore } from '../../../src/app/provisioning/provisioning-store.ts';
import { readProvisioning } from '../../../src/app/provisioning/read-provisioning.ts';
import { organizationId, serviceId } from '../../../src/http/testing.ts';
import { FakeClock } from '../../../src/kernel/fake-clock.ts';
import { randomIds } from '../../../src/kernel/ids.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import type { MetadataStore } from '../../../src/metadata/open-metadata.ts';
import { connectorsOf } from '../../../src/pipes/run-check.ts';
import { openTestMetadata } from '../../support/metadata-stores.ts';
import { pipeArbitrary } from '../../support/pipe-arbitrary.ts';
import { PipeApi, secrets } from './pipe-api.ts';
import { asWritten, pipeId } from './pipe-fixtures.ts';

let folder: string;
let metadata: MetadataStore;
let api: PipeApi;
const clock = new FakeClock();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-pipes-'));
  metadata = await openTestMetadata({ kind: 'embedded', file: join(folder, 'metadata.db') });
  api = new PipeApi({ pipes: metadata.pipes });
  await provision(JSON.stringify(fileWith([])));
});
afterAll(async () => {
  await metadata.close();
  rmSync(folder, { recursive: true });
});

function fileWith(pipes: object[]) {
  return { organizations: [{ id: organizationId, name: 'Acme', services: [{ id: serviceId, name: 'live', pipes }] }] };
}

async function provision(text: string): Promise<void> {
  const read = readProvisioning('file', text, () => undefined);
  const store = provisioningStore({ metadata, secrets, ids: randomIds, clock });
  const targets = { check: async () => ({ ok: true }) as const };
  await applyProvisioning(read, 'managed', { store, targets, ids: randomIds, clock, firstDatabase: 'otel' });
}

async function runPipes(...argv: string[]): Promise<string> {
  let printed = '';
  const program = new Command().exitOverride();
  const parts = { pipes: metadata.pipes, runs: metadata.pipeRuns, secrets, clock };
  const tenants = { find: async () => undefined, list: async () => [] };
  const connectors = connectorsOf([]);
  registerPipeCommands(program, {
    open: async () => ({
      identities: metadata.identities,
      pipes: pipeService(parts),
      lifecycle: pipeLifecycle({ ...parts, connectors, tenants, ids: randomIds, logger: silentLogger }),
      transaction: (work) =>
        inIdentityTransaction(metadata, ({ pipes, pipeRuns: runs }) =>
          work(pipeService({ pipes, runs, secrets, clock })),
        ),
      close: async () => {},
    }),
    write: (text) => {
      printed += text;
    },
    lookupEnv: () => undefined,
    clock,
    writeProgress: () => {},
    exitWith: () => {},
  });
  await program.parseAsync(['pipes', ...argv], { from: 'user' });
  return printed;
}

type Pipe = Record<string, unknown> & { source?: Record<string, object> };

/** What the answer must hold: the pipe as given, and the mask where a connection string was written. */
function expectedOf(pipe: Pipe): object {
  const { source } = pipe;
  const objectStorage = source?.objectStorage && { ...source.objectStorage, connectionString: '********' };
  return { ...pipe, ...(source && { source: { ...source, ...(objectStorage && { objectStorage }) } }) };
}

async function shown(): Promise<object> {
  const answer = await api.send('GET', `/pipes/${pipeId}`);
  const { id, serviceId: owner, createdAt, updatedAt, ...result } = api.unwrap(answer) as Record<string, unknown>;
  expect([id, owner]).toEqual([pipeId, serviceId]);
  expect([createdAt, updatedAt].map((moment) => Number.isNaN(Date.parse(String(moment))))).toEqual([false, false]);
  expect(answer.body).not.toContain('planted');
  return result;
}

it('any valid pipe in the provisioning file is answered with order and absence preserved', async () => {
  await fc.assert(
    fc.asyncProperty(pipeArbitrary, async (pipe) => {
      await provision(JSON.stringify(fileWith([asWritten(pipe)])));
      expect(await shown()).toEqual(expectedOf(pipe));
    }),
    { numRuns: 100 },
  );
});

it('any valid pipe of a YAML file goes through the command line to the API and back', async () => {
  const file = join(folder, 'pipe.yaml');
  await fc.assert(
    fc.asyncProperty(pipeArbitrary, async (pipe) => {
      writeFileSync(file, stringify(asWritten(pipe)));
      const applied = JSON.parse(await runPipes('apply', file, '--service', serviceId, '--json'));
      expect(await shown()).toEqual(expectedOf(pipe));
      expect(applied).toMatchObject([{ pipe: expectedOf(pipe) }]);
      expect(JSON.parse(await runPipes('get', pipeId, '--json'))).toMatchObject(expectedOf(pipe));
      expect(await runPipes('apply', file)).toMatch(/: unchanged\n$/);
    }),
    { numRuns: 50 },
  );
});
