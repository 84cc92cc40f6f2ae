import { describe, expect, it } from 'vitest';
import { FakeClock } from '../kernel/fake-clock.ts';
import { FakeIdentityRepository } from './fake-identity-repository.ts';
import { telemetryDatabaseOf } from './telemetry-database.ts';
import { TenantCache } from './tenant-cache.ts';

const acme = { id: 'a1', kind: 'team', name: 'Acme', telemetryDatabase: 'otel' } as const;

describe('the tenant cache', () => {
  it('sees a new tenant immediately and a new name within ten seconds', async () => {
    const [store, clock] = [new FakeIdentityRepository(), new FakeClock()];
    const cache = new TenantCache(store, clock);
    expect(await cache.find('a1')).toBeUndefined();
    await store.insertTenant(acme);
    expect(await cache.find('a1')).toEqual(acme);
    await store.renameTenant('a1', 'Acme Ltd');
    expect((await cache.find('a1'))?.name).toBe('Acme');
    await clock.advance(10_000);
    expect((await cache.find('a1'))?.name).toBe('Acme Ltd');
    expect((await cache.list()).map(({ name }) => name)).toEqual(['Acme Ltd']);
  });
});

describe('decisions S2: the database of a tenant’s telemetry', () => {
  it('is the configured one for the first tenant, otel_<tenant id> for the others', () => {
    expect(telemetryDatabaseOf('a1', { tenants: 0, firstDatabase: 'otel' })).toBe('otel');
    expect(telemetryDatabaseOf('a1', { tenants: 1, firstDatabase: 'otel' })).toBe('otel_a1');
  });

  it('has a name that needs no quoting', () => {
    const id = '0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d';
    expect(telemetryDatabaseOf(id, { tenants: 2, firstDatabase: 'otel' })).toMatch(/^[a-z0-9_]+$/);
  });
});
