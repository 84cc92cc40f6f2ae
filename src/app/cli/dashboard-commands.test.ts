import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../kernel/fake-clock.ts';
import { randomIds as ids } from '../../kernel/ids.ts';
import { silentLogger } from '../../kernel/logger.ts';
import { type MetadataStore, openMetadata } from '../../metadata/open-metadata.ts';
import { knownNames } from '../../resources/dashboards/import/known-names.ts';
import { createTeam } from '../create-team.ts';
import { dashboardImports } from '../dashboard-imports.ts';
import { identityTransactions } from '../identity-transactions.ts';
import { CommandError } from './command-error.ts';
import { type DashboardStore, registerDashboardCommands } from './dashboard-commands.ts';

const clock = new FakeClock();
let folder: string;
let server: MetadataStore;
let opened: number;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-dashboard-commands-'));
  server = await openStore();
  opened = 0;
  await addTeam('Shop');
});
afterEach(async () => {
  expect(opened).toBe(0);
  await server.close();
  rmSync(folder, { recursive: true });
});

function openStore(): Promise<MetadataStore> {
  return openMetadata({
    location: { kind: 'embedded', file: join(folder, 'metadata.db') },
    clock,
    logger: silentLogger,
  });
}

async function addTeam(name: string): Promise<void> {
  const transactions = identityTransactions({ metadata: server, ids, clock });
  await transactions.transaction((scope) => createTeam(scope, { ids, clock, firstDatabase: 'otel' }, name));
}

async function open(): Promise<DashboardStore> {
  const metadata = await openStore();
  opened++;
  return {
    identities: metadata.identities,
    dashboards: metadata.dashboards,
    imports: dashboardImports(metadata, ids, clock),
    names: (tenantId) => knownNames(metadata, tenantId),
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
  registerDashboardCommands(program, { open, write });
  await program.parseAsync(['dashboards', ...argv], { from: 'user' });
  return printed;
}

function file(content: unknown): string {
  const path = join(folder, 'dashboard.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const tile = (name: string, source: string) => ({
  config: { name, source, displayType: 'line', select: [{ aggFn: 'count', valueExpression: '' }], where: '' },
});
const exported = { version: '0.1.0', name: 'Payments', tiles: [tile('Lines', 'Logs'), tile('Old', 'Archive')] };

describe('signalbox dashboards import', () => {
  it('stores what can be taken over, and says what can not', async () => {
    expect(await run('import', file(exported))).toMatch(
      /^“Payments” \([0-9a-f]{24}\): created with 1 tile\.\nLeft out: Tile “Old”: Its source “Archive” is not mapped/,
    );
    const [tenant] = await server.identities.listTenants();
    expect(await server.dashboards.findByName(tenant?.id ?? '', 'Payments')).toBeDefined();
  });

  it('maps by name, takes another name, and prints JSON', async () => {
    const printed = await run('import', file(exported), '--source', 'Archive=Traces', '--name', 'Here', '--json');
    expect(JSON.parse(printed)).toMatchObject({ dashboard: { name: 'Here', tiles: [{}, { name: 'Old' }] }, notes: [] });
  });

  it('previews without storing', async () => {
    expect(await run('import', file(exported), '--preview')).toMatch(
      /^“Payments” would have 1 tile\.\nNot mapped: source “Archive” \(--source 'Archive=…'\)\nLeft out: /,
    );
    const [tenant] = await server.identities.listTenants();
    expect(await server.dashboards.findByName(tenant?.id ?? '', 'Payments')).toBeUndefined();
  });

  it.each([
    ['no file', async () => run('import', join(folder, 'none.json')), 'can’t be read (ENOENT)'],
    ['no JSON', async () => run('import', file('{')), 'is not JSON'],
    ['a large file', async () => run('import', file(' '.repeat(5 * 1024 * 1024 + 1))), 'larger than 5 MB'],
    ['no dashboard', async () => run('import', file({})), 'The document is no dashboard'],
    ['an unknown source', async () => run('import', file(exported), '--source', 'Archive=X'), 'There is no source "X"'],
    ['another team', async () => run('import', file(exported), '--team', 'X'), 'There is no team "X"'],
    ['an unknown dashboard', async () => run('export', 'X'), 'There is no dashboard "X"'],
    [
      'no folder',
      async () => {
        await run('import', file(exported));
        return run('export', 'Payments', '--out', join(folder, 'none', 'a.json'));
      },
      'can’t be written (ENOENT)',
    ],
  ])('with %s fails with a sentence', async (_title, command, sentence) => {
    const failure = await command().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(CommandError);
    expect(String(failure)).toContain(sentence);
  });

  it('a mapping without = is a wrong option', async () => {
    await expect(run('import', file(exported), '--source', 'Archive')).rejects.toThrow('Write it as');
  });
});

describe('signalbox dashboards export', () => {
  it('writes what import takes, here and in another team', async () => {
    await run('import', file(exported));
    const out = join(folder, 'out.json');
    expect(await run('export', 'Payments', '--out', out)).toBe(`“Payments” was written to ${out}.\n`);
    expect(readFileSync(out, 'utf8')).toBe(await run('export', 'Payments'));
    await addTeam('Other');
    const printed = await run('import', out, '--team', 'Other', '--json');
    expect(JSON.parse(printed)).toMatchObject({
      dashboard: { name: 'Payments', tiles: [{ name: 'Lines' }] },
      notes: [],
    });
  });
});
