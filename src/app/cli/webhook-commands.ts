import { type Command, Option } from 'commander';
import { presentWebhook } from '../../resources/webhooks/present-webhook.ts';
import { type CommandDeps, print, withStore } from './command-deps.ts';
import { findService } from './find-service.ts';
import { findTeam } from './find-team.ts';
import { formatTable } from './format-table.ts';

interface Options {
  team?: string;
  service?: string;
  json?: boolean;
}

const shownMax = 1000;

/** `signalbox webhooks list`: managed tenants have no route for webhooks, and alerts need their ids. */
export function registerWebhookCommands(program: Command, deps: CommandDeps): void {
  program
    .command('webhooks')
    .description('list webhooks')
    .command('list')
    .description('list the webhooks of a team or service with the ids that alerts refer to; never shows secrets')
    .option('--team <team>', 'name or id; optional if there is only one team')
    .addOption(new Option('--service <service>', 'id or name').conflicts('team'))
    .option('--json', 'print JSON')
    .action((options: Options) => listWebhooks(deps, options));
}

function listWebhooks(deps: CommandDeps, options: Options): Promise<void> {
  return withStore(deps, async ({ identities, webhooks }) => {
    const { team, service } = options;
    const tenant = service === undefined ? await findTeam(identities, team) : await findService(identities, service);
    const listed = await webhooks.list(tenant.id, { limit: shownMax, offset: 0 });
    const json = listed.webhooks.map(presentWebhook);
    const rows = json.map(({ id, name, service: kind, url }) => [id, name, kind, url]);
    print(deps, options, { json, text: formatTable(['id', 'name', 'service', 'url'], rows) });
  });
}
