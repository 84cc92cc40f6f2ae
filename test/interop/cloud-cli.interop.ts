import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../support/run-command.ts';
import type { RunningProgram } from '../support/start-program.ts';
import { ids } from '../support/two-tenancies.ts';
import { CloudCli, findCloudCli } from './cloud-cli.ts';
import { key, pipe, startManagedProgram } from './managed-program.ts';

const found = await findCloudCli();
/** Shown beside the skipped tests in the report. */
const why = found.kind === 'missing' ? ` (skipped: ${found.reason})` : '';

const inOrganization = ['--org-id', ids.organization];

describe.skipIf(found.kind === 'missing')(`the published cloud command line client${why}`, () => {
  let program: RunningProgram;
  let cli: CloudCli;

  beforeAll(async () => {
    program = await startManagedProgram();
    if (found.kind === 'found') cli = new CloudCli(found.file, program.addresses.api, key);
  });
  afterAll(() => program?.stop());

  const stack = (kind: string, verb: string, ...rest: string[]) => [
    ...['clickstack', kind, verb, ids.service],
    ...rest,
    ...inOrganization,
  ];
  const succeed = async (argv: readonly string[], body?: unknown) => {
    const { code, json } = await cli.run(argv, body);
    expect(code, JSON.stringify(json)).toBe(0);
    return json;
  };

  it('reads a pipe', async () => {
    const { createdAt, updatedAt, ...read } = await succeed([
      'clickpipe',
      'get',
      ids.service,
      ids.pipe,
      ...inOrganization,
    ]);
    expect(read).toEqual({ ...pipe, serviceId: ids.service });
    expect(Date.parse(createdAt)).toBeLessThanOrEqual(Date.parse(updatedAt));
  });

  it('understands what went wrong', async () => {
    const gone = await cli.run(['clickpipe', 'get', ids.service, ids.siblingPipe, ...inOrganization]);
    expect(gone).toEqual({ code: 1, json: { error: { code: 'http_4xx', message: 'NOT_FOUND: Pipe not found' } } });
    const stranger = new CloudCli(found.kind === 'found' ? found.file : '', program.addresses.api, {
      ...key,
      keySecret: 'x',
    });
    const refused = await stranger.run(['clickpipe', 'get', ids.service, ids.pipe, ...inOrganization]);
    expect(refused).toMatchObject({ code: 4, json: { error: { code: 'auth_required' } } });
  });

  it('manages a dashboard and an alert through their whole lives', async () => {
    const sources = await succeed(stack('source', 'list'));
    const log = sources.find(({ kind }: { kind: string }) => kind === 'log');
    expect(sources.map(({ name }: { name: string }) => name)).toEqual(['Logs', 'Traces', 'Metrics']);
    const config = {
      displayType: 'line',
      sourceId: log.id,
      select: [{ aggFn: 'count', valueExpression: '', where: '' }],
    };
    const body = { name: 'Shop', tags: ['shop'], tiles: [{ name: 'Orders', x: 0, y: 0, w: 12, h: 6, config }] };
    expect(await succeed(stack('dashboard', 'validate', '--file', '-'), body)).toMatchObject({
      valid: true,
      errors: [],
    });
    const dashboard = await succeed(stack('dashboard', 'create', '--file', '-'), body);
    expect(dashboard).toMatchObject(body);
    expect(await succeed(stack('dashboard', 'get', dashboard.id))).toEqual(dashboard);
    const renamed = { ...dashboard, name: 'Shop 2' };
    const { id: _, ...replacement } = renamed;
    expect(await succeed(stack('dashboard', 'update', dashboard.id, '--file', '-'), replacement)).toEqual(renamed);
    expect(await succeed(stack('dashboard', 'list'))).toEqual([renamed]);

    const [webhook] = await runCommand(program.dataDir, ['webhooks', 'list', '--service', ids.service]);
    const rule = {
      ...{ source: 'tile', dashboardId: dashboard.id, tileId: dashboard.tiles[0].id, name: 'Orders' },
      ...{ threshold: 3, thresholdType: 'above', interval: '1h', channel: { type: 'webhook', webhookId: webhook.id } },
    };
    const alert = await succeed(stack('alert', 'create', '--file', '-'), rule);
    expect(alert).toMatchObject({ ...rule, state: 'OK' });
    const changed = await succeed(stack('alert', 'update', alert.id, '--file', '-'), { ...rule, threshold: 4 });
    expect(await succeed(stack('alert', 'list'))).toEqual([changed]);
    await succeed(stack('alert', 'delete', alert.id));
    expect((await cli.run(stack('alert', 'get', alert.id))).code).toBe(1);
    await succeed(stack('dashboard', 'delete', dashboard.id));
    expect(await succeed(stack('dashboard', 'list'))).toEqual([]);
  });
});
