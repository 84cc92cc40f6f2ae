import { readFile, stat, writeFile } from 'node:fs/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { IdentityStore } from '../../access/identity-repository.ts';
import type { ImportNote, ImportReference } from '../../contract/dashboard-import.ts';
import { AppError } from '../../contract/errors.ts';
import type { Dashboard } from '../../resources/dashboards/dashboard.ts';
import type { DashboardRepository } from '../../resources/dashboards/dashboard-repository.ts';
import type { DashboardImportService } from '../../resources/dashboards/import/dashboard-import-service.ts';
import type { KnownNames } from '../../resources/dashboards/import/import-context.ts';
import { print } from './command-deps.ts';
import { CommandError } from './command-error.ts';
import { findService } from './find-service.ts';
import { findTeam } from './find-team.ts';

/** Dashboards as commands use them, also beside a running server. */
export interface DashboardStore {
  identities: IdentityStore;
  dashboards: Pick<DashboardRepository, 'find' | 'listTexts'>;
  imports: DashboardImportService;
  names: (tenantId: string) => Promise<KnownNames>;
  close(): Promise<void>;
}

export interface DashboardCommandDeps {
  open(): Promise<DashboardStore>;
  /** Standard output. */
  write(text: string): void;
}

interface Options {
  team?: string;
  service?: string;
  json?: boolean;
  name?: string;
  out?: string;
  preview?: boolean;
  source: [string, string][];
  connection: [string, string][];
}

/** As much as the API takes. */
const documentBytesMax = 5 * 1024 * 1024;

/** `signalbox dashboards import|export`. Statements of raw SQL are checked when they run. */
export function registerDashboardCommands(program: Command, deps: DashboardCommandDeps): void {
  const dashboards = program.command('dashboards').description('import and export dashboards');
  const command = (name: string, description: string): Command =>
    dashboards
      .command(name)
      .description(description)
      .option('--team <team>', 'name or id; optional if there is only one team')
      .addOption(new Option('--service <service>', 'id or name (managed)').conflicts('team'));
  command('import', 'create a dashboard from an export of Signalbox, HyperDX or Grafana (ClickHouse data source)')
    .argument('<file>', 'JSON file')
    .option('--name <name>', 'instead of the name in the file')
    .option('--source <its=ours>', 'what a source of the file is here, by name or id; repeatable', pair, [])
    .option('--connection <its=ours>', 'what a connection of the file is here; repeatable', pair, [])
    .option('--preview', 'say what would be imported, and store nothing')
    .option('--json', 'print JSON')
    .action((file: string, options: Options) => importFile(deps, file, options));
  command('export', 'write a dashboard, with the names of what it refers to')
    .argument('<dashboard>', 'name or id')
    .option('--out <file>', 'file to write; otherwise standard output')
    .action((nameOrId: string, options: Options) => exportTo(deps, nameOrId, options));
}

function pair(text: string, before: [string, string][]): [string, string][] {
  const at = text.lastIndexOf('=');
  if (at < 1) throw new InvalidArgumentError('Write it as <name in the file>=<name or id here>.');
  return [...before, [text.slice(0, at), text.slice(at + 1)]];
}

function importFile(deps: DashboardCommandDeps, file: string, options: Options): Promise<void> {
  return withDashboards(deps, options, async ({ imports, names }, tenantId) => {
    const known = await names(tenantId);
    const request = {
      document: await readDocument(file),
      mapping: {
        sources: idsOf(options.source, known.sources, 'source'),
        connections: idsOf(options.connection, known.connections, 'connection'),
      },
      ...(options.name !== undefined && { name: options.name }),
    };
    if (options.preview) {
      const preview = await imports.preview(tenantId, request);
      const { references, notes, errors, dashboard } = preview;
      const head = dashboard
        ? `“${dashboard.name}” would have ${tilesText(dashboard)}.\n`
        : `Nothing can be stored: ${errors.map(({ path, message }) => `${path} ${message}`).join('; ')}\n`;
      print(deps, options, { json: preview, text: head + referencesText(references) + notesText(notes) });
      return;
    }
    const { dashboard, notes } = await imports.create({ tenantId, by: 'command-line' }, request);
    const text = `“${dashboard.name}” (${dashboard.id}): created with ${tilesText(dashboard)}.\n${notesText(notes)}`;
    print(deps, options, { json: { dashboard, notes }, text });
  });
}

function exportTo(deps: DashboardCommandDeps, nameOrId: string, options: Options): Promise<void> {
  return withDashboards(deps, options, async ({ dashboards, imports }, tenantId) => {
    const all = (await dashboards.listTexts(tenantId, {})).map((text): Dashboard => JSON.parse(text));
    const [named, twin] = all.filter(({ name }) => name === nameOrId);
    if (twin) throw new CommandError(`There are several dashboards ${JSON.stringify(nameOrId)}; give the id.`);
    const found = named ?? all.find(({ id }) => id === nameOrId);
    if (!found) throw new CommandError(`There is no dashboard ${JSON.stringify(nameOrId)}.`);
    const text = `${JSON.stringify(await imports.export(tenantId, found), null, 2)}\n`;
    if (options.out === undefined) return deps.write(text);
    await writeFile(options.out, text).catch((error: NodeJS.ErrnoException) => {
      throw new CommandError(`The file ${options.out} can’t be written (${error.code ?? 'unknown error'}).`);
    });
    deps.write(`“${found.name}” was written to ${options.out}.\n`);
  });
}

async function readDocument(file: string): Promise<unknown> {
  const text = await readText(file);
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandError(`${file} is not JSON.`);
  }
}

async function readText(file: string): Promise<string> {
  try {
    if ((await stat(file)).size > documentBytesMax) throw new CommandError(`${file} is larger than 5 MB.`);
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof CommandError) throw error;
    // What the file system throws has a code.
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw new CommandError(`${file} can’t be read (${code}).`);
  }
}

function idsOf(
  pairs: readonly [string, string][],
  known: readonly { id: string; name: string }[],
  what: string,
): Record<string, string> {
  return Object.fromEntries(
    pairs.map(([key, ours]) => {
      const found = known.find(({ name }) => name === ours) ?? known.find(({ id }) => id === ours);
      if (!found) throw new CommandError(`There is no ${what} ${JSON.stringify(ours)}.`);
      return [key, found.id];
    }),
  );
}

function tilesText({ tiles }: { tiles: readonly unknown[] }): string {
  return tiles.length === 1 ? '1 tile' : `${tiles.length} tiles`;
}

function referencesText(references: readonly ImportReference[]): string {
  const open = references.filter(({ id }) => id === null);
  return open.map(({ kind, key }) => `Not mapped: ${kind} “${key}” (--${kind} '${key}=…')\n`).join('');
}

function notesText(notes: readonly ImportNote[]): string {
  const label = { left_out: 'Left out', changed: 'Changed' };
  return notes.map(({ kind, subject, message }) => `${label[kind]}: ${subject}: ${message}\n`).join('');
}

/** Opens the store for one command and closes it whatever happens. @throws {CommandError} */
async function withDashboards(
  deps: DashboardCommandDeps,
  { team, service }: Options,
  work: (store: DashboardStore, tenantId: string) => Promise<void>,
): Promise<void> {
  const store = await deps.open();
  try {
    const { identities } = store;
    const tenant = service === undefined ? await findTeam(identities, team) : await findService(identities, service);
    await work(store, tenant.id);
  } catch (error) {
    if (error instanceof AppError && error.code === 'request_invalid') throw new CommandError(error.publicText);
    throw error;
  } finally {
    await store.close();
  }
}
