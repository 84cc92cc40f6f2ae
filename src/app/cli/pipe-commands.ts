import type { Command } from 'commander';
import { stringify } from 'yaml';
import { AppError } from '../../contract/errors.ts';
import type { PipeApplied, PipeService } from '../../resources/pipes/pipe-service.ts';
import { presentPipe } from '../../resources/pipes/present-pipe.ts';
import { problemAtPath } from '../provisioning/provisioning-problem.ts';
import { type ReadPipes, readPipesFile } from '../provisioning/read-pipes.ts';
import { locatedError } from '../provisioning/read-provisioning.ts';
import { print } from './command-deps.ts';
import { CommandError } from './command-error.ts';
import { formatCount, formatIso, formatLag } from './format-pipe.ts';
import { formatTable } from './format-table.ts';
import { type PipeRunDeps, registerPipeRunCommands } from './pipe-run-commands.ts';
import { type PipeCommandDeps, type PipeOptions, withPipes } from './with-pipes.ts';

/** `signalbox pipes …`; answers of all of them show the mask in place of secrets. */
export function registerPipeCommands(program: Command, deps: PipeCommandDeps & PipeRunDeps): void {
  const pipes = program
    .command('pipes')
    .description('apply, list, show, run and delete the pipes of a service (managed)')
    .addHelpText('after', '\nExample:\n  signalbox pipes list --service production');
  const command = (name: string, description: string): Command =>
    pipes
      .command(name)
      .description(description)
      .option('--service <service>', 'id or name; optional if there is only one service')
      .option('--json', 'print JSON');
  command('apply', 'create the pipes in a YAML or JSON file, or replace those with the same id')
    .argument('<file>', 'one pipe, a list of pipes, or an object with `pipes`, as in the provisioning file')
    .action((file: string, options: PipeOptions) => applyPipes(deps, file, options));
  command('list', 'list the pipes').action((options: PipeOptions) => listPipes(deps, options));
  command('get', 'show one pipe')
    .argument('<id>')
    .action((id: string, options: PipeOptions) => getPipe(deps, id, options));
  command('delete', 'delete one pipe')
    .argument('<id>')
    .action((id: string, options: PipeOptions) => deletePipe(deps, id, options));
  registerPipeRunCommands(command, deps);
}

function applyPipes(deps: PipeCommandDeps, file: string, options: PipeOptions): Promise<void> {
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

function listPipes(deps: PipeCommandDeps, options: PipeOptions): Promise<void> {
  return withPipes(deps, options, async ({ pipes }, serviceId) => {
    const stored = await pipes.list(serviceId);
    const json = stored.map((pipe) => presentPipe(serviceId, pipe));
    const rows = stored.map(({ id, fields, run }) => {
      const { rows: count = 0, lastSuccessAt, ...lag } = run?.progress ?? {};
      return [
        id,
        fields.name,
        run?.state ?? fields.state,
        formatCount(count),
        formatLag(lag),
        formatIso(lastSuccessAt),
      ];
    });
    print(deps, options, { json, text: formatTable(['id', 'name', 'state', 'rows', 'lag', 'last success'], rows) });
  });
}

function getPipe(deps: PipeCommandDeps, id: string, options: PipeOptions): Promise<void> {
  return withPipes(deps, options, async ({ pipes }, serviceId) => {
    const json = presentPipe(serviceId, await found(id, pipes.get(serviceId, id)));
    print(deps, options, { json, text: stringify(json) });
  });
}

function deletePipe(deps: PipeCommandDeps, id: string, options: PipeOptions): Promise<void> {
  return withPipes(deps, options, async ({ pipes }, serviceId) => {
    await found(id, pipes.remove(serviceId, id));
    print(deps, options, { json: { deleted: id.toLowerCase() }, text: `Deleted pipe ${id}.\n` });
  });
}

async function found<T>(id: string, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    const missing = error instanceof AppError && error.code === 'pipe_not_found';
    throw missing ? new CommandError(`There is no pipe ${JSON.stringify(id)} in this service.`) : error;
  });
}
