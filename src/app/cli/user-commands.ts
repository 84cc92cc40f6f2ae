import type { Command } from 'commander';
import { addUser } from '../../access/add-user.ts';
import { hashPassword, passwordProblem } from '../../access/passwords.ts';
import { type CommandDeps, print, withStore } from './command-deps.ts';
import { CommandError } from './command-error.ts';
import { findTeam, findUser } from './find-team.ts';
import { formatMoment, formatTable } from './format-table.ts';

interface Options {
  team?: string;
  name?: string;
  json?: boolean;
}

/** `signalbox users list|create|set-password` */
export function registerUserCommands(program: Command, deps: CommandDeps): void {
  const users = program.command('users').description('list and create users, set passwords');
  users
    .command('list')
    .description('list the users of a team')
    .option('--team <team>', 'name or id; optional if there is only one team')
    .option('--json', 'print JSON')
    .action((options: Options) => listUsers(deps, options));
  users
    .command('create')
    .description('add a user; the first one of a team becomes its owner')
    .argument('<email>')
    .option('--team <team>', 'name or id; optional if there is only one team')
    .option('--name <name>', 'name shown to others')
    .option('--json', 'print JSON')
    .action((email: string, options: Options) => createUser(deps, email, options));
  users
    .command('set-password')
    .description('set a password; prompts on a terminal, otherwise reads standard input')
    .argument('<email>')
    .action((email: string) => setPassword(deps, email));
}

function listUsers(deps: CommandDeps, options: Options): Promise<void> {
  return withStore(deps, async ({ identities }) => {
    const team = await findTeam(identities, options.team);
    const users = await identities.listUsers(team.id);
    const json = users.map(({ id, email, name, role, passwordHash, createdAtMs }) => ({
      id,
      email: email ?? null,
      name: name ?? null,
      role,
      hasPassword: passwordHash !== undefined,
      createdAt: new Date(createdAtMs).toISOString(),
    }));
    const rows = users.map(({ id, email, name, role, passwordHash, createdAtMs }) => [
      ...[id, email ?? '-', name ?? '-', role],
      ...[passwordHash === undefined ? 'none' : 'set', formatMoment(createdAtMs)],
    ]);
    print(deps, options, { json, text: formatTable(['id', 'email', 'name', 'role', 'password', 'created'], rows) });
  });
}

function createUser(deps: CommandDeps, email: string, options: Options): Promise<void> {
  if (!/^[^@\s]+@[^@\s]+$/.test(email) || email.length > 320) {
    throw new CommandError(`${JSON.stringify(email)} is not an email address.`);
  }
  return withStore(deps, async ({ identities }) => {
    const team = await findTeam(identities, options.team);
    const person = { tenantId: team.id, email, ...(options.name === undefined ? {} : { name: options.name }) };
    const user = await identities.transaction((store) => addUser(store, deps, person));
    if (user === 'emailTaken')
      throw new CommandError(`A user with the email address ${JSON.stringify(email)} already exists.`);
    const json = { id: user.id, email: user.email, role: user.role, team: { id: team.id, name: team.name } };
    print(deps, options, { json, text: `Created ${user.role} ${user.email} of team ${team.name} (${user.id}).\n` });
  });
}

function setPassword(deps: CommandDeps, email: string): Promise<void> {
  return withStore(deps, async ({ identities }) => {
    const user = await findUser(identities, email);
    const password = await deps.readPassword(`New password for ${user.email}: `);
    const problem = await passwordProblem(password, user.email);
    if (problem) throw new CommandError(`The password ${problem}.`);
    await identities.updateUser(user.id, { passwordHash: await hashPassword(password) });
    deps.write(`Set the password of ${user.email}.\n`);
  });
}
