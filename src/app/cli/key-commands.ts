import { type Command, Option } from 'commander';
import type { IdentityStore } from '../../access/identity-repository.ts';
import { type KeyOwner, KeyService, type KeyTerms } from '../../access/key-service.ts';
import type { Tenant } from '../../access/tenants.ts';
import { type CommandDeps, print, withStore } from './command-deps.ts';
import { CommandError } from './command-error.ts';
import { findService } from './find-service.ts';
import { findTeam, findUser } from './find-team.ts';
import { formatTable } from './format-table.ts';
import { expiryOf, keyMoments, printNewKey, registerRotateAndRevoke } from './key-changes.ts';

interface ListOptions {
  team?: string;
  service?: string;
  json?: boolean;
}

interface CreateOptions extends ListOptions {
  kind?: 'personal' | 'ingestion';
  user?: string;
  role: 'admin' | 'read';
  expires?: string;
}

const teamHelp = 'name or id; optional if there is only one team';
const serviceHelp = 'id or name; manages the ingestion keys of a service (for its API keys, use `api-keys`)';

/** `signalbox keys list|create|rotate|revoke`: personal keys of teams, ingestion keys of teams and services. */
export function registerKeyCommands(program: Command, deps: CommandDeps): void {
  const keys = program.command('keys').description('list, create, rotate and revoke personal and ingestion keys');
  keys
    .command('list')
    .description('list the keys of a team or service; never shows the keys themselves')
    .option('--team <team>', teamHelp)
    .addOption(new Option('--service <service>', serviceHelp).conflicts('team'))
    .option('--json', 'print JSON')
    .action((options: ListOptions) => listKeys(deps, options));
  keys
    .command('create')
    .description('create a key and print it, once')
    .argument('<name>')
    .addOption(
      new Option('--kind <kind>', 'kind of key (default: personal; ingestion with --service)').choices([
        'personal',
        'ingestion',
      ]),
    )
    .option('--team <team>', teamHelp)
    .addOption(new Option('--service <service>', serviceHelp).conflicts(['team', 'user']))
    .option('--user <email>', 'user the personal key belongs to (default: the owner of the team)')
    .addOption(new Option('--role <role>', 'permissions of a personal key').choices(['admin', 'read']).default('admin'))
    .option('--expires <duration>', 'time until it expires, for example 90d')
    .option('--json', 'print JSON')
    .action((name: string, options: CreateOptions) => createNamedKey(deps, name, options));
  registerRotateAndRevoke(keys, deps);
}

function listKeys(deps: CommandDeps, options: ListOptions): Promise<void> {
  return withStore(deps, async ({ identities }) => {
    const tenant = await findTenant(identities, options);
    const users = await identities.listUsers(tenant.id);
    const emails = new Map(users.map(({ id, email }) => [id, email ?? '(owner)']));
    const keys = await new KeyService(identities, deps).list({ tenantId: tenant.id });
    const json = keys.map(({ userId = '', ...key }) => ({ ...key, user: emails.get(userId) ?? null }));
    const rows = json.map((key) => [
      ...[key.id, key.kind, key.name, key.user ?? '-', key.role, key.state],
      ...keyMoments(key),
    ]);
    const headings = ['id', 'kind', 'name', 'user', 'role', 'state', 'expires', 'last used'];
    print(deps, options, { json, text: formatTable(headings, rows) });
  });
}

function createNamedKey(deps: CommandDeps, text: string, options: CreateOptions): Promise<void> {
  const name = text.trim();
  if (name === '' || name.length > 256) throw new CommandError('The name of a key must have 1 to 256 characters.');
  const terms: KeyTerms = { name, role: options.role, ...expiryOf(deps, options) };
  return withStore(deps, async ({ identities }) => {
    const owner = await ownerOf(identities, options);
    printNewKey(deps, options, await new KeyService(identities, deps).create(owner, terms));
  });
}

function findTenant(identities: IdentityStore, { team, service }: ListOptions): Promise<Tenant> {
  return service === undefined ? findTeam(identities, team) : findService(identities, service);
}

async function ownerOf(identities: IdentityStore, options: CreateOptions): Promise<KeyOwner> {
  const kind = options.kind ?? (options.service === undefined ? 'personal' : 'ingestion');
  if (kind === 'ingestion') return { kind, tenantId: (await findTenant(identities, options)).id };
  if (options.service !== undefined) {
    throw new CommandError('A service has no personal keys; create an API key with: signalbox api-keys create <name>');
  }
  const user =
    options.user === undefined ? await ownerOfTeam(identities, options) : await findUser(identities, options.user);
  if (options.team !== undefined && (await findTeam(identities, options.team)).id !== user.tenantId) {
    throw new CommandError(`${options.user} is not in team ${JSON.stringify(options.team)}.`);
  }
  return { kind: 'personal', tenantId: user.tenantId, userId: user.id };
}

async function ownerOfTeam(identities: IdentityStore, options: CreateOptions) {
  const team = await findTeam(identities, options.team);
  const owner = await identities.findOwner(team.id);
  if (!owner)
    throw new CommandError(`Team ${team.name} has no user yet; create one with: signalbox users create <email>`);
  return owner;
}
