import type { Command } from 'commander';
import { type CommandDeps, print, withStore } from './command-deps.ts';
import { findOrganization } from './find-service.ts';
import { formatTable } from './format-table.ts';
import { organizationServiceOf } from './organization-service-of.ts';

interface Options {
  json?: boolean;
}

/** `signalbox organizations list|create|rename` */
export function registerOrganizationCommands(program: Command, deps: CommandDeps): void {
  const organizations = program
    .command('organizations')
    .description('list, create and rename organizations (managed flavour)');
  organizations
    .command('list')
    .description('list all organizations')
    .option('--json', 'print JSON')
    .action((options: Options) => listOrganizations(deps, options));
  organizations
    .command('create')
    .description('create an organization')
    .argument('<name>')
    .option('--json', 'print JSON')
    .action((name: string, options: Options) => createOrganization(deps, name, options));
  organizations
    .command('rename')
    .description('rename an organization')
    .argument('<organization>', 'id or name')
    .argument('<new-name>')
    .action((organization: string, name: string) => renameOrganization(deps, organization, name));
}

function listOrganizations(deps: CommandDeps, options: Options): Promise<void> {
  return withStore(deps, async (store) => {
    const json = await organizationServiceOf(store, deps).list();
    const rows = json.map(({ id, name }) => [id, name]);
    print(deps, options, { json, text: formatTable(['id', 'name'], rows) });
  });
}

function createOrganization(deps: CommandDeps, text: string, options: Options): Promise<void> {
  return withStore(deps, async (store) => {
    const { id, name } = await organizationServiceOf(store, deps).create(text);
    print(deps, options, { json: { id, name }, text: `Created organization ${name} (${id}).\n` });
  });
}

function renameOrganization(deps: CommandDeps, idOrName: string, text: string): Promise<void> {
  return withStore(deps, async (store) => {
    const before = await findOrganization(store.identities, idOrName);
    const { name } = await organizationServiceOf(store, deps).rename(before.id, text);
    deps.write(`Renamed organization ${before.name} to ${name}.\n`);
  });
}
