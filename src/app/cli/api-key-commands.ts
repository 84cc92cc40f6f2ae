import { type Command, Option } from 'commander';
import { KeyService } from '../../access/key-service.ts';
import type { CloudKeyTerms } from '../../access/organization-service.ts';
import { type CommandDeps, print, withStore } from './command-deps.ts';
import { findOrganization, findService } from './find-service.ts';
import { formatTable } from './format-table.ts';
import { expiryOf, keyMoments, printNewKey, registerRotateAndRevoke } from './key-changes.ts';
import { organizationServiceOf } from './organization-service-of.ts';

interface ListOptions {
  organization?: string;
  json?: boolean;
}

interface CreateOptions extends ListOptions {
  role: 'admin' | 'read';
  service: string[];
  expires?: string;
}

const organizationHelp = 'id or name; optional if there is only one organization';

/** `signalbox api-keys list|create|rotate|revoke`: cloud API keys (decisions K1). */
export function registerApiKeyCommands(program: Command, deps: CommandDeps): void {
  const keys = program
    .command('api-keys')
    .description('list, create, rotate and revoke cloud API keys (managed flavour)');
  keys
    .command('list')
    .description('list the cloud API keys of an organization; never shows secrets')
    .option('--organization <organization>', organizationHelp)
    .option('--json', 'print JSON')
    .action((options: ListOptions) => listApiKeys(deps, options));
  keys
    .command('create')
    .description('create a cloud API key and print it, once')
    .argument('<name>')
    .option('--organization <organization>', organizationHelp)
    .addOption(new Option('--role <role>', 'permissions of the key').choices(['admin', 'read']).default('admin'))
    .option('--service <service>', 'id or name of a service the key may access (repeatable; default: all)', collect, [])
    .option('--expires <duration>', 'time until it expires, for example 90d')
    .option('--json', 'print JSON')
    .action((name: string, options: CreateOptions) => createApiKey(deps, name, options));
  registerRotateAndRevoke(keys, deps);
}

function listApiKeys(deps: CommandDeps, options: ListOptions): Promise<void> {
  return withStore(deps, async ({ identities }) => {
    const { id: organizationId } = await findOrganization(identities, options.organization);
    const json = await new KeyService(identities, deps).list({ organizationId });
    const rows = json.map((key) => [
      ...[key.id, key.keyId ?? '-', key.name, key.role, key.serviceIds?.join(' ') ?? 'all', key.state],
      ...keyMoments(key),
    ]);
    const headings = ['id', 'key id', 'name', 'role', 'services', 'state', 'expires', 'last used'];
    print(deps, options, { json, text: formatTable(headings, rows) });
  });
}

function createApiKey(deps: CommandDeps, name: string, options: CreateOptions): Promise<void> {
  const terms: CloudKeyTerms = { name, role: options.role, ...expiryOf(deps, options) };
  return withStore(deps, async (store) => {
    const { id } = await findOrganization(store.identities, options.organization);
    const services = await Promise.all(options.service.map((service) => findService(store.identities, service, id)));
    if (services.length > 0) terms.serviceIds = services.map((service) => service.id);
    printNewKey(deps, options, await organizationServiceOf(store, deps).createKey(id, terms));
  });
}

function collect(value: string, earlier: string[]): string[] {
  return [...earlier, value];
}
