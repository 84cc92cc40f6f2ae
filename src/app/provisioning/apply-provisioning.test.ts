import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cloudCredential, hashCredential } from '../../access/key-secret.ts';
import { KeyService } from '../../access/key-service.ts';
import { verifyPassword } from '../../access/passwords.ts';
import { SecretBox } from '../../access/secret-box.ts';
import { FakeClock } from '../../kernel/fake-clock.ts';
import { randomIds } from '../../kernel/ids.ts';
import { silentLogger } from '../../kernel/logger.ts';
import { type MetadataStore, openMetadata } from '../../metadata/open-metadata.ts';
import type { TargetGuard } from '../../resources/webhooks/target-guard-port.ts';
import { openWebhookSecrets } from '../../resources/webhooks/webhook-secrets.ts';
import { applyProvisioning } from './apply-provisioning.ts';
import { provisioningStore } from './provisioning-store.ts';
import { readProvisioning } from './read-provisioning.ts';

const secrets = new SecretBox('a secret key for tests');
const targets: TargetGuard = {
  check: async (url) => (url.includes('127.0.0.1') ? { ok: false, reason: 'a loopback address' } : { ok: true }),
};
let folder: string;
let clock: FakeClock;
let metadata: MetadataStore;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-provisioning-'));
  clock = new FakeClock();
  const location = { kind: 'embedded', file: join(folder, 'metadata.db') } as const;
  metadata = await openMetadata({ location, clock, logger: silentLogger, watchTransactions: true });
});
afterEach(async () => {
  await metadata.close();
  rmSync(folder, { recursive: true });
});

function apply(file: object, flavour: 'selfHosted' | 'managed' = 'selfHosted'): Promise<string[]> {
  const read = readProvisioning('file.json', JSON.stringify(file, null, 1), () => undefined);
  const store = provisioningStore({ metadata, secrets, ids: randomIds, clock });
  return applyProvisioning(read, flavour, { store, targets, ids: randomIds, clock, firstDatabase: 'otel' });
}

/** All that is stored, ids included. */
async function everything(): Promise<unknown> {
  const tenants = await metadata.identities.listTenants();
  const organizations = await metadata.identities.listOrganizations();
  const page = { limit: 100, offset: 0 };
  return {
    organizations,
    cloudKeys: await Promise.all(organizations.map(({ id }) => metadata.identities.listKeys({ organizationId: id }))),
    tenants: await Promise.all(
      tenants.map(async (tenant) => ({
        tenant,
        users: await metadata.identities.listUsers(tenant.id),
        keys: await metadata.identities.listKeys({ tenantId: tenant.id }),
        connections: await metadata.connections.list(tenant.id),
        sources: await metadata.sources.list(tenant.id),
        webhooks: await metadata.webhooks.list(tenant.id, page),
        dashboards: await metadata.dashboards.listTexts(tenant.id, {}),
        pipes: await metadata.pipes.list(tenant.id),
      })),
    ),
  };
}

const personal = '0123456789abcdef0123456789abcdef01234567';
const ingestion = 'ingest-0123456789abcdef0123456789abcdef';
const tile = { name: 'Errors', series: [{ sourceId: 'Logs', aggFn: 'count', where: '', groupBy: [] }] };
const hook = { name: 'ops', service: 'generic', url: 'https://h.example/hook', headers: { 'X-Token': 's3cret' } };

function acme(changes: object = {}) {
  return {
    name: 'Acme',
    users: [
      { email: 'Ada@example.com', password: 'correct-horse-battery', apiKeys: [{ name: 'ci', key: personal }] },
      { email: 'bob@example.com' },
    ],
    ingestionKeys: [{ name: 'default', key: ingestion }],
    webhooks: [hook],
    dashboards: [{ name: 'Shop', tiles: [tile, { ...tile, name: 'All' }] }],
    ...changes,
  };
}

async function team(name = 'Acme') {
  const tenant = await metadata.identities.findTeamByName(name);
  if (!tenant) throw new Error(`no team ${name}`);
  return tenant;
}

describe('teams (interface: provisioning file)', () => {
  it('get users, keys, default sources, webhooks and dashboards', async () => {
    await apply({ teams: [acme(), { name: 'Beta', sources: [] }] });
    const tenant = await team();
    expect(tenant).toMatchObject({ kind: 'team', telemetryDatabase: 'otel' });
    const [ada, bob] = await metadata.identities.listUsers(tenant.id);
    expect([ada, bob]).toMatchObject([
      { email: 'ada@example.com', role: 'owner' },
      { email: 'bob@example.com', role: 'member' },
    ]);
    expect(await verifyPassword(ada?.passwordHash, 'correct-horse-battery')).toBe(true);
    const key = await metadata.identities.findKeyByHash(hashCredential(personal));
    expect(key).toMatchObject({ kind: 'personal', tenantId: tenant.id, userId: ada?.id, role: 'admin' });
    expect(await metadata.identities.findKeyByHash(hashCredential(ingestion))).toMatchObject({ kind: 'ingestion' });
    const sources = await metadata.sources.list(tenant.id);
    expect(sources.map(({ name }) => name)).toEqual(['Logs', 'Traces', 'Metrics']);
    const [dashboard = ''] = await metadata.dashboards.listTexts(tenant.id, {});
    expect(dashboard).toContain(sources[0]?.id);
  });

  it('absent sources = Logs, Traces, Metrics; an empty list = none; decisions S2: one telemetry database each', async () => {
    await apply({ teams: [{ name: 'Acme' }, { name: 'Beta', sources: [] }] });
    const beta = await team('Beta');
    expect(beta.telemetryDatabase).toBe(`otel_${beta.id}`);
    expect(await metadata.sources.list(beta.id)).toEqual([]);
    expect(await metadata.connections.list(beta.id)).toMatchObject([{ builtIn: true }]);
  });

  it('a second start changes nothing: neither ids nor moments nor hashes', async () => {
    await apply({ teams: [acme()] });
    const before = await everything();
    await clock.advance(60_000);
    await apply({ teams: [acme()] });
    expect(await everything()).toEqual(before);
  });

  it('nothing is deleted for being absent from the file', async () => {
    await apply({ teams: [acme(), { name: 'Beta' }] });
    const before = await everything();
    await apply({ teams: [{ name: 'Acme' }] });
    expect(await everything()).toEqual(before);
  });

  it('what the file has is reset to the file', async () => {
    // Without secrets: sealing the same text again gives another text.
    const file = { teams: [acme({ webhooks: [{ ...hook, headers: {} }] })] };
    await apply(file);
    const tenant = await team();
    const key = await metadata.identities.findKeyByHash(hashCredential(personal));
    const before = await everything();
    await metadata.identities.updateKey(key?.id ?? '', { name: 'renamed', role: 'read' });
    const stored = await metadata.webhooks.findByName(tenant.id, 'generic', 'ops');
    if (!stored) throw new Error('no webhook');
    await metadata.webhooks.replace(tenant.id, { ...stored, url: 'https://elsewhere.example' }, stored);
    expect(await everything()).not.toEqual(before);
    await apply(file);
    expect(await everything()).toEqual(before);
  });

  it('a new password in the file counts', async () => {
    await apply({ teams: [acme()] });
    await apply({ teams: [acme({ users: [{ email: 'ada@example.com', password: 'another-password' }] })] });
    const ada = await metadata.identities.findUserByEmail('ada@example.com');
    expect(await verifyPassword(ada?.passwordHash, 'another-password')).toBe(true);
  });

  it('a webhook’s built-in template and routing key are those of the file', async () => {
    const pager = { ...hook, headers: undefined, template: 'pagerduty', routingKey: 'R0UT1NG' };
    const stored = async () => metadata.webhooks.findByName((await team()).id, 'generic', 'ops');
    await apply({ teams: [acme({ webhooks: [pager] })] });
    const first = await stored();
    expect(first?.template).toBe('pagerduty');
    expect(first && openWebhookSecrets(secrets, first)).toEqual({ routingKey: 'R0UT1NG' });
    await apply({ teams: [acme({ webhooks: [pager] })] });
    expect(await stored()).toEqual(first);
    await apply({ teams: [acme({ webhooks: [{ ...pager, template: 'msteams', routingKey: undefined }] })] });
    const second = await stored();
    expect([second?.template, second && openWebhookSecrets(secrets, second)]).toEqual(['msteams', {}]);
  });

  it('a webhook keeps no secret that the file no longer has', async () => {
    await apply({ teams: [acme()] });
    await apply({ teams: [acme({ webhooks: [{ ...hook, headers: undefined, queryParams: { a: 'b' } }] })] });
    const stored = await metadata.webhooks.findByName((await team()).id, 'generic', 'ops');
    expect(stored && openWebhookSecrets(secrets, stored)).toEqual({ queryParams: { a: 'b' } });
  });

  it('a revoked key stays revoked, with a warning: a leaked key must not come back with a restart', async () => {
    await apply({ teams: [acme()] });
    const key = await metadata.identities.findKeyByHash(hashCredential(personal));
    await new KeyService(metadata.identities, { ids: randomIds, clock }).revoke(key?.id ?? '');
    const warnings = await apply({ teams: [acme()] });
    expect(warnings).toEqual([expect.stringMatching(/^teams\.0\.users\.0\.apiKeys\.0 was revoked/)]);
    expect((await metadata.identities.findKey(key?.id ?? ''))?.revokedAtMs).toBeDefined();
  });

  it('decisions A9: a webhook to a rejected address loads with a warning', async () => {
    const warnings = await apply({ teams: [acme({ webhooks: [{ ...hook, url: 'http://127.0.0.1:9999/hook' }] })] });
    expect(warnings).toEqual([expect.stringContaining('"ops" will fail to send')]);
    expect(await metadata.webhooks.findByName((await team()).id, 'generic', 'ops')).toBeDefined();
  });
});

describe('dashboards', () => {
  const tilesOf = async (): Promise<{ id: string; name?: string }[]> => {
    const [text = ''] = await metadata.dashboards.listTexts((await team()).id, {});
    return JSON.parse(text).tiles;
  };

  it('keep the ids of their tiles by name, else by place (U-21)', async () => {
    await apply({ teams: [acme()] });
    const [errors, all] = await tilesOf();
    const tiles = [
      { ...tile, name: 'New' },
      { ...tile, name: 'All' },
      { ...tile, name: 'Errors', asRatio: false },
    ];
    await apply({ teams: [acme({ dashboards: [{ name: 'Shop', tiles }] })] });
    const after = await tilesOf();
    expect(after.map(({ name }) => name)).toEqual(['New', 'All', 'Errors']);
    expect(after.slice(1).map(({ id }) => id)).toEqual([all?.id, errors?.id]);
    expect([errors?.id, all?.id]).not.toContain(after[0]?.id);
  });

  it('lose what the file does not say', async () => {
    await apply({
      teams: [acme({ dashboards: [{ name: 'Shop', tags: ['a'], tiles: [{ ...tile, asRatio: true }] }] })],
    });
    await apply({ teams: [acme({ dashboards: [{ name: 'Shop', tiles: [tile] }] })] });
    const [text = ''] = await metadata.dashboards.listTexts((await team()).id, {});
    expect(JSON.parse(text).tags).toEqual([]);
    expect(text).not.toContain('asRatio');
  });
});

describe('sources', () => {
  it('leave out what is the tenant’s own, and are matched by name', async () => {
    const source = {
      name: 'Audit',
      kind: 'log',
      from: { tableName: 'audit' },
      timestampValueExpression: 'Timestamp',
      defaultTableSelectExpression: 'Timestamp, Body',
    };
    await apply({ teams: [acme({ sources: [source], dashboards: [] })] });
    const [first] = await metadata.sources.list((await team()).id);
    expect(first).toMatchObject({ name: 'Audit', from: { databaseName: 'otel', tableName: 'audit' } });
    await apply({ teams: [acme({ sources: [{ ...source, bodyExpression: 'Body' }], dashboards: [] })] });
    expect(await metadata.sources.list((await team()).id)).toEqual([{ ...first, bodyExpression: 'Body' }]);
  });
});

const organizationId = '6f1c2a5e-0d0b-4f6e-9d0e-3a1b2c4d5e6f';
const serviceId = '0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d';

function organization(changes: object = {}) {
  return {
    id: organizationId,
    name: 'Acme',
    apiKeys: [{ name: 'ci', keyId: 'AKIDEXAMPLE0000000001', keySecret: 'a:secret:4b1d', role: 'admin' }],
    services: [
      { id: serviceId, name: 'production', ingestionKeys: [{ name: 'default', key: ingestion }], webhooks: [] },
    ],
    ...changes,
  };
}

describe('organizations (managed)', () => {
  it('get services with everything that a tenant has, and cloud keys', async () => {
    await apply({ organizations: [organization()] }, 'managed');
    expect(await metadata.identities.findTenant(serviceId)).toEqual({
      id: serviceId,
      kind: 'service',
      name: 'production',
      organizationId,
      telemetryDatabase: 'otel',
    });
    const credential = cloudCredential('AKIDEXAMPLE0000000001', 'a:secret:4b1d');
    const key = await metadata.identities.findKeyByHash(hashCredential(credential));
    expect(key).toMatchObject({ kind: 'cloud', organizationId, role: 'admin', cloudKeyId: 'AKIDEXAMPLE0000000001' });
    expect((await metadata.sources.list(serviceId)).map(({ name }) => name)).toEqual(['Logs', 'Traces', 'Metrics']);
    const before = await everything();
    await apply({ organizations: [organization()] }, 'managed');
    expect(await everything()).toEqual(before);
  });

  it('are matched by id: names follow the file, and a new secret replaces the old one', async () => {
    await apply({ organizations: [organization()] }, 'managed');
    const apiKeys = [
      { name: 'ci', keyId: 'AKIDEXAMPLE0000000001', keySecret: 'another-secret', role: 'read', services: [serviceId] },
    ];
    const services = [{ id: serviceId.toUpperCase(), name: 'live' }];
    await apply({ organizations: [organization({ name: 'Acme Ltd', apiKeys, services })] }, 'managed');
    expect(await metadata.identities.listOrganizations()).toEqual([{ id: organizationId, name: 'Acme Ltd' }]);
    expect((await metadata.identities.findTenant(serviceId))?.name).toBe('live');
    const keys = await metadata.identities.listKeys({ organizationId });
    const hash = hashCredential(cloudCredential('AKIDEXAMPLE0000000001', 'another-secret'));
    expect(keys).toMatchObject([{ hash, role: 'read', serviceIds: [serviceId] }]);
  });

  it('count in their flavour only; the other flavour’s part is left alone with a warning', async () => {
    const both = { teams: [acme()], organizations: [organization({ services: [] })] };
    expect(await apply(both, 'managed')).toEqual(['teams are ignored in the managed flavour']);
    expect(await metadata.identities.listTenants()).toEqual([]);
    expect(await apply(both, 'selfHosted')).toEqual(['organizations are ignored in the self-hosted flavour']);
  });
});

describe('pipes (interface: matched by id)', () => {
  const pipe = {
    id: organizationId,
    name: 'orders',
    source: { kafka: { credentials: { password: { env: 'PASSWORD' } } } },
  };
  const file = (changes: object = {}) => ({
    organizations: [organization({ services: [{ id: serviceId, name: 'live', pipes: [{ ...pipe, ...changes }] }] })],
  });
  const withPassword = (password: string, changes?: object) => {
    const read = readProvisioning('file.json', JSON.stringify(file(changes)), () => password);
    const store = provisioningStore({ metadata, secrets, ids: randomIds, clock });
    return applyProvisioning(read, 'managed', { store, targets, ids: randomIds, clock, firstDatabase: 'otel' });
  };

  it('a second start changes nothing; updatedAt moves only when something changed, also when only a secret did', async () => {
    await withPassword('one');
    const before = await everything();
    const [first] = await metadata.pipes.list(serviceId);
    await clock.advance(60_000);
    await withPassword('one');
    expect(await everything()).toEqual(before);

    await withPassword('two');
    const [second] = await metadata.pipes.list(serviceId);
    expect(second).toMatchObject({ id: organizationId, createdAt: first?.createdAt, fields: first?.fields });
    expect(Date.parse(second?.updatedAt ?? '')).toBe(Date.parse(first?.updatedAt ?? '') + 60_000);
  });

  it('are reset to the file: what it no longer has is gone', async () => {
    await withPassword('one', { scaling: { replicas: 2 }, state: 'Running' });
    await withPassword('one');
    const [stored] = await metadata.pipes.list(serviceId);
    expect(stored?.fields).toEqual({
      name: 'orders',
      state: 'Unknown',
      source: { kafka: { credentials: '********' } },
    });
  });
});

describe('interface: a bad file stops the start and leaves nothing', () => {
  const broken: [string, object, RegExp][] = [
    [
      'a dashboard with an unknown source',
      { dashboards: [{ name: 'Shop', tiles: [{ series: [{ ...tile.series[0], sourceId: 'Nope' }] }] }] },
      /line \d+, teams\.1\.dashboards\.0\.tiles\.0\.series\.0\.sourceId: /,
    ],
    [
      'a dashboard with a bad enum',
      { dashboards: [{ name: 'Shop', tiles: [{ series: [{ ...tile.series[0], aggFn: 'median' }] }] }] },
      /teams\.1\.dashboards\.0\.tiles\.0\.series\.0\.aggFn: /,
    ],
    ['a source without kind', { sources: [{ name: 'Audit' }] }, /teams\.1\.sources\.0\.kind/],
    [
      'a webhook with a bad header',
      { webhooks: [{ ...hook, headers: { 'a b': 'c' } }] },
      /teams\.1\.webhooks\.0\.headers: /,
    ],
    [
      'a user of another team',
      { users: [{ email: 'ada@example.com' }] },
      /teams\.1\.users\.0\.email: this user already belongs to another team/,
    ],
    [
      'a key of another team',
      { ingestionKeys: [{ name: 'a', key: 'known-before' }] },
      /teams\.1\.ingestionKeys\.0: this key already exists/,
    ],
    [
      'a moment that does not exist',
      { ingestionKeys: [{ name: 'a', key: 'key-key-key', expiresAt: '2027-13-31T12:00:00Z' }] },
      /expiresAt: no such date or time/,
    ],
  ];

  it.each(broken)('%s', async (_, changes, expected) => {
    await apply({
      teams: [
        { name: 'Before', users: [{ email: 'ada@example.com' }], ingestionKeys: [{ name: 'a', key: 'known-before' }] },
      ],
    });
    const before = await everything();
    const file = { teams: [{ name: 'First' }, { name: 'Second', ...changes }] };
    await expect(apply(file)).rejects.toThrow(expected);
    expect(await everything()).toEqual(before);
  });

  it('a pipe with an unknown setting: line, path and the nearest known name', async () => {
    const pipe = { id: organizationId, name: 'orders', settings: { clickhouse_max_threads: 8 } };
    const services = [{ id: serviceId, name: 'production', pipes: [pipe] }];
    await expect(apply({ organizations: [organization({ services })] }, 'managed')).rejects.toThrow(
      /line \d+, organizations\.0\.services\.0\.pipes\.0\.settings\.clickhouse_max_threads: is not a known field; did you mean engine_max_threads\?/,
    );
    expect(await metadata.identities.listTenants()).toEqual([]);
  });

  it('a cloud key for a service that its organization does not have', async () => {
    const key = { name: 'ci', keyId: 'KEYID', keySecret: 'a-secret-of-a-key', services: [serviceId, organizationId] };
    await expect(apply({ organizations: [organization({ apiKeys: [key] })] }, 'managed')).rejects.toThrow(
      /line \d+, organizations\.0\.apiKeys\.0\.services\.1: there is no such service in this organization/,
    );
    expect(await metadata.identities.listTenants()).toEqual([]);
  });

  it('a service of another organization', async () => {
    await apply({ organizations: [organization()] }, 'managed');
    const other = { ...organization({ apiKeys: [] }), id: '7f1c2a5e-0d0b-4f6e-9d0e-3a1b2c4d5e6f' };
    await expect(apply({ organizations: [other] }, 'managed')).rejects.toThrow(
      /services\.0\.id: this service already belongs/,
    );
  });
});
