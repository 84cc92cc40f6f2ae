import type { Command } from 'commander';
import { stringify } from 'yaml';
import type { IdentityStore } from '../../access/identity-repository.ts';
import { AppError } from '../../contract/errors.ts';
import type { PipeApplied, PipeService } from '../../resources/pipes/pipe-service.ts';
import { presentPipe } from '../../resources/pipes/present-pipe.ts';
import { ProvisioningError, problemAtPath } from '../provisioning/provisioning-problem.ts';
import { type ReadPipes, readPipesFile } from '../provisioning/read-pipes.ts';
import { locatedError } from '../provisioning/read-provisioning.ts';
import type { EnvLookup } from '../provisioning/resolve-env.ts';
import { print } from './command-deps.ts';
import { CommandError } from './command-error.ts';
import { findService } from './find-service.ts';
import { formatMoment, formatTable } from './format-table.ts';

/** Pipes as commands use them, also beside a running server. */
export interface PipeStore {
  identities: IdentityStore;
  pipes: PipeService;
  /** Commits when `work` resolves, rolls everything back when it throws. */
  transaction<T>(work: (pipes: PipeService) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface PipeCommandDeps {
  open(): Promise<PipeStore>;
  /** Standard output. */
  write(text: string): void;
  /** Values for `{env: NAME}` in the file. */
  lookupEnv: EnvLookup;
}

interface Options {
  service?: string;
  json?: boolean;
}

/** `signalbox pipes apply|list|get|delete`; answers of all of them show the mask in place of secrets. */
export function registerPipeCommands(program: Command, deps: PipeCommandDeps): void {
  const pipes = program.command('pipes').description('apply, list, show and delete the pipes of a service (managed)');
  const command = (name: string, description: string): Command =>
    pipes
      .command(name)
      .description(description)
      .option('--service <service>', 'id or name; optional if there is only one service')
      .option('--json', 'print JSON');
  command('apply', 'create the pipes in a YAML or JSON file, or replace those with the same id')
    .argument('<file>', 'one pipe, a list of pipes, or an object with `pipes`, as in the provisioning file')
    .action((file: string, options: Options) => applyPipes(deps, file, options));
  command('list', 'list the pipes').action((options: Options) => listPipes(deps, options));
  command('get', 'show one pipe')
    .argument('<id>')
    .action((id: string, options: Options) => getPipe(deps, id, options));
  command('delete', 'delete one pipe')
    .argument('<id>')
    .action((id: string, options: Options) => deletePipe(deps, id, options));
}

function applyPipes(deps: PipeCommandDeps, file: string, options: Options): Promise<void> {
  return withPipes(deps, options, async (store, serviceId) => {
    const read = await readPipesFile(file, deps.lookupEnv);
    const applied = await store.transaction((pipes) => applyAll(pipes, serviceId, read));
    const json = applied.map(({ kind, pipe }) => ({ outcome: kind, pipe: presentPipe(serviceId, pipe) }));
    const lines = applied.map(({ kind, pipe }) => `${pipe.fields.name} (${pipe.id}): ${kind}\n`);
    print(deps, options, { json, text: lines.join('') });
  });
}

type Written = Exclude<PipeApplied, { kind: 'invalid' }>;

/** @throws {ProvisioningError} naming line and path */
async function applyAll(pipes: PipeService, serviceId: string, { document, entries }: ReadPipes): Promise<Written[]> {
  const written: Written[] = [];
  for (const { entry, path } of entries) {
    const applied = await pipes.apply(serviceId, entry);
    if (applied.kind === 'invalid') throw locatedError(document, problemAtPath(applied.problems[0], path));
    written.push(applied);
  }
  return written;
}

function listPipes(deps: PipeCommandDeps, options: Options): Promise<void> {
  return withPipes(deps, options, async ({ pipes }, serviceId) => {
    const stored = await pipes.list(serviceId);
    const json = stored.map((pipe) => presentPipe(serviceId, pipe));
    const rows = json.map(({ id, name, state, updatedAt }) => [id, name, state, formatMoment(Date.parse(updatedAt))]);
    print(deps, options, { json, text: formatTable(['id', 'name', 'state', 'updated'], rows) });
  });
}

function getPipe(deps: PipeCommandDeps, id: string, options: Options): Promise<void> {
  return withPipes(deps, options, async ({ pipes }, serviceId) => {
    const json = presentPipe(serviceId, await found(id, pipes.get(serviceId, id)));
    print(deps, options, { json, text: stringify(json) });
  });
}

function deletePipe(deps: PipeCommandDeps, id: string, options: Options): Promise<void> {
  return withPipes(deps, options, async ({ pipes }, serviceId) => {
    await found(id, pipes.remove(serviceId, id));
    print(deps, options, { json: { deleted: id.toLowerCase() }, text: `Deleted pipe ${id}.\n` });
  });
}

/** Opens the store for one command and closes it whatever happens. @throws {CommandError} */
async function withPipes(
  deps: PipeCommandDeps,
  { service }: Options,
  work: (store: PipeStore, serviceId: string) => Promise<void>,
): Promise<void> {
  const store = await deps.open();
  try {
    await work(store, (await findService(store.identities, service)).id);
  } catch (error) {
    if (error instanceof ProvisioningError) throw new CommandError(error.message);
    throw error;
  } finally {
    await store.close();
  }
}

async function found<T>(id: string, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    const missing = error instanceof AppError && error.code === 'pipe_not_found';
    throw missing ? new CommandError(`There is no pipe ${JSON.stringify(id)} in this service.`) : error;
  });
}
