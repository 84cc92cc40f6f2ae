import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endWindowSoon } from '../support/firing-alert.ts';
import { startSdk } from '../support/otel-sdk.ts';
import { runCommand } from '../support/run-command.ts';
import { type RunningProgram, startProgram } from '../support/start-program.ts';
import { basic, ids, managedPath } from '../support/two-tenancies.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';

const receiver = new WebhookReceiver();
const ingestionKeys = { production: 'ingest-production-0123456789', staging: 'ingest-staging-0123456789' };
const cloudSecret = 'cloud-secret-0123456789abcdef';
const token = 'WebhookTokenMarker0123456789';
let program: RunningProgram;

beforeAll(async () => {
  const url = await receiver.start();
  const webhooks = [{ name: 'ops', service: 'generic', url, headers: { 'X-Token': token } }];
  const service = (id: string, name: keyof typeof ingestionKeys) => ({
    id,
    name,
    ingestionKeys: [{ name: 'default', key: ingestionKeys[name] }],
    webhooks,
  });
  const organization = {
    id: ids.organization,
    name: 'Acme',
    apiKeys: [{ name: 'ci', keyId: 'KEYID', keySecret: cloudSecret, role: 'admin' }],
    services: [service(ids.service, 'production'), service(ids.sibling, 'staging')],
  };
  program = await startProgram({
    provisioning: { organizations: [organization] },
    env: { SIGNALBOX_FLAVOUR: 'managed', SIGNALBOX_ALERT_DELAY_MS: '0' },
  });
});

afterAll(async () => {
  await program?.stop();
  await receiver.stop();
});

async function call(method: string, resource: string, body?: unknown, authorization = basic('KEYID', cloudSecret)) {
  const answer = await fetch(program.addresses.api + managedPath(resource), {
    method,
    headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const json = (await answer.json()) as { status: number; result: unknown; error?: string };
  return { status: answer.status, json };
}

async function result<T>(method: string, resource: string, body?: unknown): Promise<T> {
  const { status, json } = await call(method, resource, body);
  expect(status, JSON.stringify(json)).toBe(200);
  return json.result as T;
}

const signalbox = (...argv: string[]) => runCommand(program.dataDir, argv);

async function emit(ingestionKey: string, serviceName: string, count: number): Promise<void> {
  const sdk = startSdk('http/protobuf', { ...program.addresses, ingestionKey, serviceName });
  for (let index = 0; index < count; index++) sdk.logger.emit({ body: 'payment declined' });
  await sdk.flush();
  await sdk.shutdown();
}

describe('the managed flavour, from a provisioning file to a webhook', () => {
  it('evaluates an alert over the telemetry of its service only, and notifies the provisioned webhook', async () => {
    const sources = await result<{ id: string; kind: string }[]>('GET', '/sources');
    const source = sources.find(({ kind }) => kind === 'log')?.id;
    const series = { sourceId: source, aggFn: 'count', where: '"payment declined"', groupBy: [] };
    const { id, tiles } = await result<{ id: string; tiles: { id: string }[] }>('POST', '/dashboards', {
      name: 'Shop',
      tiles: [{ name: 'Declined', series: [series] }],
    });
    // Webhooks have no routes in this flavour (seed): the command line prints their ids.
    const [webhook] = await signalbox('webhooks', 'list', '--service', ids.service);
    const rule = (threshold: number, name: string) => ({
      dashboardId: id,
      tileId: tiles[0]?.id,
      threshold,
      interval: '1m',
      source: 'tile',
      thresholdType: 'above',
      channel: { type: 'webhook', webhookId: webhook.id },
      name,
    });
    await emit(ingestionKeys.production, 'shop', 5);
    await emit(ingestionKeys.staging, 'shop', 50);
    const rules = [rule(3, 'Declined payments'), rule(8, 'Many declined payments')] as const;
    const [alert, beyond] = [
      await result<{ id: string }>('POST', '/alerts', rules[0]),
      await result<{ id: string }>('POST', '/alerts', rules[1]),
    ];
    await endWindowSoon(async (window) => {
      await result('PUT', `/alerts/${alert.id}`, { ...rules[0], ...window });
      await result('PUT', `/alerts/${beyond.id}`, { ...rules[1], ...window });
    });

    await expect.poll(() => receiver.received.length, { interval: 250 }).toBeGreaterThan(0);
    const [firing] = receiver.received;
    expect(firing?.headers['x-token']).toBe(token);
    for (const part of ['Declined payments', 'ALERT', '5', '3']) expect(firing?.body).toContain(part);
    expect(receiver.received.filter(({ body }) => body.includes('Many declined'))).toEqual([]);
    expect(await result('GET', `/alerts/${alert.id}`)).toMatchObject({ teamId: ids.service });
    const evaluated = async () => (await result<unknown[]>('GET', `/alerts/${beyond.id}/history`)).length;
    await expect.poll(evaluated, { interval: 250 }).toBeGreaterThan(0);
    expect(await result('GET', `/alerts/${beyond.id}`)).toMatchObject({ state: 'OK' });
    for (const secret of [token, cloudSecret, ...Object.values(ingestionKeys)]) {
      expect(program.output()).not.toContain(secret);
    }
  });

  it('accepts services, API keys and ingestion keys created beside the running program, and drops revoked ones immediately', async () => {
    const service = await signalbox('services', 'create', 'canary', '--organization', 'Acme');
    const key = await signalbox('api-keys', 'create', 'canary', '--service', 'canary');
    const ingestion = await signalbox('keys', 'create', 'edge', '--service', 'canary');
    const authorization = basic(key.keyId, key.keySecret);
    const list = (serviceId: string) =>
      fetch(program.addresses.api + managedPath('/sources', ids.organization, serviceId), {
        headers: { authorization },
      });
    const sources = await list(service.id);
    expect(await sources.json()).toMatchObject({ result: [{ name: 'Logs' }, { name: 'Traces' }, { name: 'Metrics' }] });
    expect((await list(ids.service)).status).toBe(403);
    await emit(ingestion.key, 'canary', 1);
    const refused = await fetch(`${program.addresses.otlpHttp}/v1/logs`, {
      method: 'POST',
      headers: { authorization: key.keySecret, 'content-type': 'application/json' },
      body: '{}',
    });
    expect(refused.status).toBe(401);
    const next = await signalbox('api-keys', 'rotate', key.keyId);
    expect((await list(service.id)).status).toBe(401);
    const rotated = await fetch(program.addresses.api + managedPath('/sources', ids.organization, service.id), {
      headers: { authorization: basic(next.keyId, next.keySecret) },
    });
    expect(rotated.status).toBe(200);
  });
});
