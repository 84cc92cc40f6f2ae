import type { Command } from 'commander';
import { createTeam } from '../create-team.ts';
import { type CommandDeps, print, withStore } from './command-deps.ts';
import { CommandError } from './command-error.ts';
import { findTeam } from './find-team.ts';
import { formatTable } from './format-table.ts';

interface Options {
  json?: boolean;
}

/** `signalbox teams list|create|rename` */
export function registerTeamCommands(program: Command, deps: CommandDeps): void {
  const teams = program.command('teams').description('list, create and rename teams');
  const list = (options: Options): Promise<void> => listTeams(deps, options);
  teams.command('list').description('list all teams').option('--json', 'print JSON').action(list);
  teams
    .command('create')
    .description('create a team with its default sources')
    .argument('<name>')
    .option('--json', 'print JSON')
    .action((name: string, options: Options) => createNamedTeam(deps, name, options));
  teams
    .command('rename')
    .description('rename a team')
    .argument('<team>', 'name or id')
    .argument('<new-name>')
    .action((team: string, name: string) => renameTeam(deps, team, name));
}

function listTeams(deps: CommandDeps, options: Options): Promise<void> {
  return withStore(deps, async ({ identities }) => {
    const teams = (await identities.listTenants()).filter(({ kind }) => kind === 'team');
    const json = teams.map(({ id, name, telemetryDatabase }) => ({ id, name, telemetryDatabase }));
    const rows = json.map(({ id, name, telemetryDatabase }) => [id, name, telemetryDatabase]);
    print(deps, options, { json, text: formatTable(['id', 'name', 'telemetry database'], rows) });
  });
}

function createNamedTeam(deps: CommandDeps, text: string, options: Options): Promise<void> {
  const name = checkName(text);
  return withStore(deps, async ({ transactions, firstDatabase }) => {
    const { id } = await transactions.transaction((scope) => createTeam(scope, { ...deps, firstDatabase }, name));
    print(deps, options, { json: { id, name }, text: `Created team ${name} (${id}).\n` });
  });
}

function renameTeam(deps: CommandDeps, nameOrId: string, text: string): Promise<void> {
  const name = checkName(text);
  return withStore(deps, async ({ identities }) => {
    const team = await findTeam(identities, nameOrId);
    const named = await identities.findTeamByName(name);
    if (named && named.id !== team.id) throw new CommandError(`A team named ${JSON.stringify(name)} already exists.`);
    await identities.renameTenant(team.id, name);
    deps.write(`Renamed team ${team.name} to ${name}.\n`);
  });
}

function checkName(text: string): string {
  const name = text.trim();
  if (name === '' || name.length > 256) throw new CommandError('The name of a team must have 1 to 256 characters.');
  return name;
}
