import { type Command, Option } from 'commander';
import type { ApiKey, IdentityStore } from '../../access/identity-repository.ts';
import { isActive } from '../../access/key-lookup.ts';
import { type KeyOwner, KeyService, type KeyTerms, type NewKey } from '../../access/key-service.ts';
import { formatDuration, parseDuration } from '../../kernel/duration.ts';
import { type CommandDeps, print, withStore } from './command-deps.ts';
import { CommandError } from './command-error.ts';
import { findTeam, findUser } from './find-team.ts';
import { formatMoment, formatTable } from './format-table.ts';

interface ListOptions {
  team?: string;
  json?: boolean;
}

interface CreateOptions extends ListOptions {
  kind: 'personal' | 'ingestion';
  user?: string;
  role: 'admin' | 'read';
  expires?: string;
}

interface RotateOptions {
  overlap: string;
  json?: boolean;
}

const teamHelp = 'name or id; may be left out when there is one team';

/** `signalbox keys list|create|rotate|revoke` */
export function registerKeyCommands(program: Command, deps: CommandDeps): void {
  const keys = program.command('keys').description('list, create, rotate and revoke personal and ingestion keys');
  keys
    .command('list')
    .description('list the keys of a team; never shows a key itself')
    .option('--team <team>', teamHelp)
    .option('--json', 'print JSON')
    .action((options: ListOptions) => listKeys(deps, options));
  keys
    .command('create')
    .description('create a key and print it, once')
    .argument('<name>')
    .addOption(new Option('--kind <kind>', 'what it is for').choices(['personal', 'ingestion']).default('personal'))
    .option('--team <team>', teamHelp)
    .option('--user <email>', 'whose personal key; may be left out for the owner of the team')
    .addOption(new Option('--role <role>', 'what a personal key may do').choices(['admin', 'read']).default('admin'))
    .option('--expires <duration>', 'time until it ends, for instance 90d')
    .option('--json', 'print JSON')
    .action((name: string, options: CreateOptions) => createNamedKey(deps, name, options));
  keys
    .command('rotate')
    .description('replace a key by a new one and print that, once')
    .argument('<id>')
    .option('--overlap <duration>', 'how long the old key stays valid, for instance 24h', '0')
    .option('--json', 'print JSON')
    .action((id: string, options: RotateOptions) => rotateKey(deps, id, options));
  keys
    .command('revoke')
    .description('end a key at once and for good')
    .argument('<id>')
    .action((id: string) => revokeKey(deps, id));
}

function listKeys(deps: CommandDeps, options: ListOptions): Promise<void> {
  return withStore(deps, async ({ identities }) => {
    const team = await findTeam(identities, options.team);
    const users = await identities.listUsers(team.id);
    const emails = new Map(users.map(({ id, email }) => [id, email ?? '(owner)']));
    const keys = (await identities.listKeys({ tenantId: team.id })).map((key) => ({
      ...describe(key, deps.clock.nowMs()),
      user: key.userId === undefined ? null : (emails.get(key.userId) ?? null),
    }));
    const rows = keys.map(({ id, kind, name, user, role, state, expiresAt, lastUsedAt }) => [
      ...[id, kind, name, user ?? '-', role, state],
      ...[expiresAt, lastUsedAt].map((moment) => formatMoment(moment === null ? undefined : Date.parse(moment))),
    ]);
    const headings = ['id', 'kind', 'name', 'user', 'role', 'state', 'expires', 'last used'];
    print(deps, options, { json: keys, text: formatTable(headings, rows) });
  });
}

function createNamedKey(deps: CommandDeps, text: string, options: CreateOptions): Promise<void> {
  const name = text.trim();
  if (name === '' || name.length > 256) throw new CommandError('The name of a key must have 1 to 256 characters.');
  const terms: KeyTerms = { name, role: options.role };
  if (options.expires !== undefined) terms.expiresAtMs = deps.clock.nowMs() + duration('--expires', options.expires);
  return withStore(deps, async ({ identities }) => {
    const owner = await ownerOf(identities, options);
    printNewKey(deps, options, await new KeyService(identities, deps).create(owner, terms));
  });
}

async function ownerOf(identities: IdentityStore, options: CreateOptions): Promise<KeyOwner> {
  if (options.kind === 'ingestion') {
    return { kind: 'ingestion', tenantId: (await findTeam(identities, options.team)).id };
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
    throw new CommandError(`Team ${team.name} has no user yet; make one with: signalbox users create <email>`);
  return owner;
}

function rotateKey(deps: CommandDeps, id: string, options: RotateOptions): Promise<void> {
  const overlapMs = options.overlap === '0' ? 0 : duration('--overlap', options.overlap);
  return withStore(deps, async ({ identities }) => {
    printNewKey(deps, options, await new KeyService(identities, deps).rotate(id, overlapMs));
    if (!options.json) {
      deps.write(`The old key ${overlapMs === 0 ? 'is revoked' : `ends in ${formatDuration(overlapMs)}`}.\n`);
    }
  });
}

function revokeKey(deps: CommandDeps, id: string): Promise<void> {
  return withStore(deps, async ({ identities }) => {
    await new KeyService(identities, deps).revoke(id);
    deps.write(`Revoked key ${id}.\n`);
  });
}

function printNewKey(deps: CommandDeps, options: { json?: boolean }, { key, secret }: NewKey): void {
  const text = `Created ${key.kind} key ${key.name} (${key.id}). It is shown only now:\n${secret}\n`;
  print(deps, options, { json: { ...describe(key, deps.clock.nowMs()), key: secret }, text });
}

/** Everything about a key but its hash. */
function describe(key: ApiKey, nowMs: number) {
  const moment = (ms: number | undefined): string | null => (ms === undefined ? null : new Date(ms).toISOString());
  return {
    id: key.id,
    kind: key.kind,
    name: key.name,
    role: key.role,
    state: isActive(key, nowMs) ? 'active' : key.revokedAtMs === undefined ? 'expired' : 'revoked',
    createdAt: moment(key.createdAtMs),
    expiresAt: moment(key.expiresAtMs),
    revokedAt: moment(key.revokedAtMs),
    lastUsedAt: moment(key.lastUsedAtMs),
  };
}

function duration(option: string, text: string): number {
  const ms = parseDuration(text);
  if (ms === undefined) throw new CommandError(`${option} must be a duration like 90s, 30m, 24h or 90d.`);
  return ms;
}
