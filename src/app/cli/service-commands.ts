import type { Command } from 'commander';
import type { Tenant } from '../../access/tenants.ts';
import { type CommandDeps, print, withStore } from './command-deps.ts';
import { findOrganization, findService } from './find-service.ts';
import { formatTable } from './format-table.ts';
import { organizationServiceOf } from './organization-service-of.ts';

interface Options {
  organization?: string;
  json?: boolean;
}

const organizationHelp = 'id or name; optional if there is only one organization';

/** `signalbox services list|create|rename` */
export function registerServiceCommands(program: Command, deps: CommandDeps): void {
  const services = program.command('services').description('list, create and rename services (managed flavour)');
  services
    .command('list')
    .description('list services')
    .option('--organization <organization>', 'id or name; without it, of all organizations')
    .option('--json', 'print JSON')
    .action((options: Options) => listServices(deps, options));
  services
    .command('create')
    .description('create a service with its default sources')
    .argument('<name>')
    .option('--organization <organization>', organizationHelp)
    .option('--json', 'print JSON')
    .action((name: string, options: Options) => createService(deps, name, options));
  services
    .command('rename')
    .description('rename a service')
    .argument('<service>', 'id or name')
    .argument('<new-name>')
    .option('--organization <organization>', 'id or name, if several services have the same name')
    .action((service: string, name: string, options: Options) => renameService(deps, { service, name, ...options }));
}

function listServices(deps: CommandDeps, options: Options): Promise<void> {
  return withStore(deps, async (store) => {
    const organizationId = await organizationIdOf(store.identities, options);
    const json = (await organizationServiceOf(store, deps).listServices(organizationId)).map(describe);
    const rows = json.map(({ id, name, organizationId: owner, telemetryDatabase }) => [
      id,
      name,
      owner,
      telemetryDatabase,
    ]);
    print(deps, options, { json, text: formatTable(['id', 'name', 'organization', 'telemetry database'], rows) });
  });
}

function createService(deps: CommandDeps, name: string, options: Options): Promise<void> {
  return withStore(deps, async (store) => {
    const organization = await findOrganization(store.identities, options.organization);
    const service = await organizationServiceOf(store, deps).createService(organization.id, name);
    const text = `Created service ${service.name} (${service.id}) in organization ${organization.name}.\n`;
    print(deps, options, { json: describe(service), text });
  });
}

function renameService(deps: CommandDeps, asked: Options & { service: string; name: string }): Promise<void> {
  return withStore(deps, async (store) => {
    const organizationId = await organizationIdOf(store.identities, asked);
    const before = await findService(store.identities, asked.service, organizationId);
    const { name } = await organizationServiceOf(store, deps).renameService(before.id, asked.name);
    deps.write(`Renamed service ${before.name} to ${name}.\n`);
  });
}

async function organizationIdOf(
  identities: Parameters<typeof findOrganization>[0],
  { organization }: Options,
): Promise<string | undefined> {
  return organization === undefined ? undefined : (await findOrganization(identities, organization)).id;
}

function describe({ id, name, organizationId = '', telemetryDatabase }: Tenant) {
  return { id, name, organizationId, telemetryDatabase };
}
