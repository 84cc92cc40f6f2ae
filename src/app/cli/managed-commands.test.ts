import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CloudKeyAuthenticator } from '../../access/key-authenticators.ts';
import { TenantCache } from '../../access/tenant-cache.ts';
import { CommandWorld } from './testing.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let world: CommandWorld;
beforeEach(async () => {
  world = new CommandWorld();
  await world.start();
});
afterEach(async () => {
  expect(world.opened).toBe(0);
  await world.stop();
});
const run = (...argv: string[]) => world.run(...argv);
const json = (...argv: string[]) => world.json(...argv);

describe('organizations', () => {
  it('are created with a UUID (decisions F6), listed and renamed by name or id', async () => {
    const acme = await json('organizations', 'create', ' Acme ');
    expect(acme).toEqual({ id: expect.stringMatching(uuid), name: 'Acme' });
    const twin = await json('organizations', 'create', 'Acme');
    expect(await json('organizations', 'list')).toEqual([acme, twin]);
    await expect(run('organizations', 'rename', 'Acme', 'x')).rejects.toThrow(
      'several organizations called "Acme"; give the id',
    );
    expect(await run('organizations', 'rename', twin.id.toUpperCase(), 'Beta')).toBe(
      'Renamed organization Acme to Beta.\n',
    );
    expect(await run('organizations', 'list')).toMatch(/^ID {36}NAME\n.{36} {2}Acme\n.{36} {2}Beta\n$/);
  });

  it('say what is wrong', async () => {
    await expect(run('services', 'create', 'production')).rejects.toThrow('signalbox organizations create <name>');
    await expect(run('organizations', 'create', ' ')).rejects.toThrow('1 to 256 characters');
    await expect(run('organizations', 'rename', 'Gamma', 'x')).rejects.toThrow('There is no organization "Gamma".');
  });
});

describe('services', () => {
  beforeEach(() => run('organizations', 'create', 'Acme'));

  it('get a telemetry database, the built-in connection and the default sources (decisions S1, S2)', async () => {
    const first = await json('services', 'create', 'production');
    expect(first).toMatchObject({ id: expect.stringMatching(uuid), name: 'production', telemetryDatabase: 'otel' });
    const second = await json('services', 'create', 'staging', '--organization', 'Acme');
    expect(second.telemetryDatabase).toBe(`otel_${second.id.replaceAll('-', '_')}`);
    for (const { id, telemetryDatabase } of [first, second]) {
      const sources = await world.server.sources.list(id);
      expect(sources.map(({ name }) => name)).toEqual(['Logs', 'Traces', 'Metrics']);
      expect(new Set(sources.map(({ from }) => from.databaseName))).toEqual(new Set([telemetryDatabase]));
      expect(await world.server.connections.list(id)).toMatchObject([{ builtIn: true }]);
    }
    expect(await json('services', 'list')).toEqual([first, second]);
  });

  it('are listed by organization and renamed', async () => {
    await run('organizations', 'create', 'Beta');
    await expect(run('services', 'create', 'x')).rejects.toThrow('name one with --organization');
    const own = await json('services', 'create', 'production', '--organization', 'Acme');
    const twin = await json('services', 'create', 'production', '--organization', 'Beta');
    expect(await json('services', 'list', '--organization', 'Beta')).toEqual([twin]);
    await expect(run('services', 'rename', 'production', 'x')).rejects.toThrow('give the id');
    await run('services', 'rename', 'production', 'live', '--organization', 'Acme');
    expect(await json('services', 'list', '--organization', 'Acme')).toEqual([{ ...own, name: 'live' }]);
    await expect(run('services', 'rename', twin.id, '')).rejects.toThrow('1 to 256 characters');
    await expect(run('services', 'rename', 'none', 'x')).rejects.toThrow('There is no service "none".');
  });

  it('have their own ingestion keys, and no personal ones (decisions K1)', async () => {
    const { id } = await json('services', 'create', 'production');
    const { key } = await json('keys', 'create', 'edge', '--service', 'production');
    expect(await world.lookup().find('ingestion', key)).toMatchObject({ tenantId: id, name: 'edge' });
    expect(await json('keys', 'list', '--service', id)).toMatchObject([{ kind: 'ingestion', name: 'edge' }]);
    await expect(run('keys', 'create', 'x', '--service', id, '--kind', 'personal')).rejects.toThrow(
      'A service has no personal keys',
    );
    await expect(run('keys', 'create', 'x', '--service', id, '--team', 'Acme')).rejects.toThrow('cannot be used with');
  });
});

describe('webhooks', () => {
  it('of a service are listed with the ids that alerts name, without secrets', async () => {
    await run('organizations', 'create', 'Acme');
    const { id: tenantId } = await json('services', 'create', 'production');
    const webhook = { id: 'a'.repeat(24), name: 'ops', service: 'generic', url: 'https://example.org/hook' } as const;
    const moments = { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' };
    await world.server.webhooks.insert(tenantId, { ...webhook, ...moments, sealedSecrets: 'v1.sealed' });
    expect(await json('webhooks', 'list', '--service', 'production')).toEqual([{ ...webhook, ...moments }]);
    expect(await run('webhooks', 'list', '--service', tenantId)).toContain(`${webhook.id}  ops`);
    await expect(run('webhooks', 'list')).rejects.toThrow('There is no team yet');
  });
});

describe('cloud API keys (decisions K1, K2)', () => {
  let organizationId: string;
  let services: Record<'production' | 'staging', string>;
  beforeEach(async () => {
    organizationId = (await json('organizations', 'create', 'Acme')).id;
    const [production, staging] = [
      await json('services', 'create', 'production'),
      await json('services', 'create', 'staging'),
    ];
    services = { production: production.id, staging: staging.id };
  });

  interface Pair {
    keyId: string;
    keySecret: string;
  }

  /** What the running server says to this key: reachable, forbidden or unauthenticated. */
  async function ask({ keyId, keySecret }: Pair, serviceId = services.production): Promise<string> {
    const tenants = new TenantCache(world.server.identities, world.clock);
    const header = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`;
    const outcome = await new CloudKeyAuthenticator(world.lookup(), tenants).authenticateBasic(header, {
      organizationId,
      serviceId,
    });
    return outcome.kind === 'principal' ? outcome.principal.role : outcome.kind;
  }

  it('count for the running server as soon as they are made, and their secret is shown once', async () => {
    const admin = await json('api-keys', 'create', 'ci');
    const read = await json('api-keys', 'create', 'viewer', '--role', 'read');
    expect([await ask(admin), await ask(read), await ask(admin, services.staging)]).toEqual(['admin', 'read', 'admin']);
    const listed = await run('api-keys', 'list', '--json');
    for (const secret of [admin.keySecret, read.keySecret, 'hash']) expect(listed).not.toContain(secret);
    expect(JSON.parse(listed)).toMatchObject([
      { kind: 'cloud', name: 'ci', keyId: admin.keyId, role: 'admin', serviceIds: null, state: 'active' },
      { kind: 'cloud', name: 'viewer', keyId: read.keyId, role: 'read', serviceIds: null, state: 'active' },
    ]);
    expect(await run('api-keys', 'create', 'x')).toMatch(
      /not be shown again:\nKey id {5}[0-9A-F]{20}\nKey secret [0-9a-f]{40}\n$/,
    );
  });

  it('may be limited to services of their organization', async () => {
    const key = await json('api-keys', 'create', 'ci', '--service', 'production');
    expect([await ask(key), await ask(key, services.staging)]).toEqual(['admin', 'forbidden']);
    const both = await json('api-keys', 'create', 'ci', '--service', 'production', '--service', services.staging);
    expect(await ask(both, services.staging)).toBe('admin');
    await run('organizations', 'create', 'Beta');
    const foreign = ['api-keys', 'create', 'x', '--organization', 'Beta', '--service', services.production];
    await expect(run(...foreign)).rejects.toThrow('There is no service');
  });

  it('are rotated with an overlap, none by default, and keep role, name and services', async () => {
    const first = await json('api-keys', 'create', 'ci', '--role', 'read', '--service', 'staging');
    const second = await json('api-keys', 'rotate', first.keyId, '--overlap', '24h');
    expect(second).toMatchObject({ name: 'ci', role: 'read', serviceIds: [services.staging] });
    expect([await ask(first, services.staging), await ask(second, services.staging)]).toEqual(['read', 'read']);
    const third = await json('api-keys', 'rotate', second.id);
    expect([await ask(second, services.staging), await ask(third, services.staging)]).toEqual([
      'unauthenticated',
      'read',
    ]);
    await world.clock.advance(24 * 3_600_000);
    expect(await ask(first, services.staging)).toBe('unauthenticated');
  });

  it('end immediately when revoked, and when they expire', async () => {
    const revoked = await json('api-keys', 'create', 'a');
    const expiring = await json('api-keys', 'create', 'b', '--expires', '90d');
    await run('api-keys', 'revoke', revoked.keyId);
    expect([await ask(revoked), await ask(expiring)]).toEqual(['unauthenticated', 'admin']);
    await world.clock.advance(90 * 86_400_000);
    expect(await ask(expiring)).toBe('unauthenticated');
    expect(await json('api-keys', 'list')).toMatchObject([{ state: 'revoked' }, { state: 'expired' }]);
    await expect(run('api-keys', 'rotate', revoked.id)).rejects.toThrow('The key is revoked or has expired.');
  });

  it.each([
    [['--expires', 'soon'], '--expires must be a duration'],
    [['--role', 'root'], 'Allowed choices are admin, read'],
    [['--service', 'none'], 'There is no service "none".'],
    [['--organization', 'none'], 'There is no organization "none".'],
  ])('create with %j is rejected', async (options, reason) => {
    await expect(run('api-keys', 'create', 'ci', ...options)).rejects.toThrow(reason);
    expect(await json('api-keys', 'list')).toEqual([]);
  });
});
