import { beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../kernel/fake-clock.ts';
import { randomIds } from '../kernel/ids.ts';
import { FakeIdentityRepository } from './fake-identity-repository.ts';
import { hashCredential } from './key-secret.ts';
import { KeyService } from './key-service.ts';

let clock: FakeClock;
let identities: FakeIdentityRepository;
let service: KeyService;
const owner = { kind: 'personal', tenantId: 'team', userId: 'ada' } as const;

beforeEach(() => {
  clock = new FakeClock();
  identities = new FakeIdentityRepository();
  service = new KeyService(identities, { ids: randomIds, clock });
});

describe('keys (decisions K2)', () => {
  it('are random, 160 bits, and stored only as a hash', async () => {
    const made = await Promise.all([1, 2, 3].map(() => service.create(owner, { name: 'ci' })));
    for (const { key, secret } of made) {
      expect(secret).toMatch(/^[0-9a-f]{40}$/);
      expect(key.hash).toBe(hashCredential(secret));
      expect(JSON.stringify(identities.state)).not.toContain(secret);
    }
    expect(new Set(made.map(({ secret }) => secret)).size).toBe(3);
  });

  it('of the cloud kind have a public half', async () => {
    const { key } = await service.create({ kind: 'cloud', organizationId: 'acme' }, { name: 'ci', role: 'read' });
    expect(key.cloudKeyId).toMatch(/^[0-9A-F]{20}$/);
    expect(key).toMatchObject({ kind: 'cloud', organizationId: 'acme', role: 'read' });
  });
});

describe('rotation (decisions K2: takes an overlap, default 0)', () => {
  it('ends the old key immediately if there is no overlap', async () => {
    const old = await service.create(owner, { name: 'ci', role: 'read' });
    const { key, secret } = await service.rotate(old.key.id, 0);
    expect(secret).not.toBe(old.secret);
    expect(key).toMatchObject({ ...owner, name: 'ci', role: 'read' });
    expect((await identities.findKey(old.key.id))?.revokedAtMs).toBe(clock.nowMs());
  });

  it('keeps the old key for the overlap, but not beyond its own end', async () => {
    const forever = await service.create(owner, { name: 'a' });
    const short = await service.create(owner, { name: 'b', expiresAtMs: clock.nowMs() + 500 });
    await service.rotate(forever.key.id, 1000);
    await service.rotate(short.key.id, 1000);
    expect((await identities.findKey(forever.key.id))?.expiresAtMs).toBe(clock.nowMs() + 1000);
    expect((await identities.findKey(short.key.id))?.expiresAtMs).toBe(clock.nowMs() + 500);
  });

  it('gives the new key the life span of the old one, counted from now', async () => {
    const old = await service.create(owner, { name: 'ci', expiresAtMs: clock.nowMs() + 10_000 });
    await clock.advance(9_000);
    const { key } = await service.rotate(old.key.id, 0);
    expect(key.expiresAtMs).toBe(clock.nowMs() + 10_000);
  });

  it('rejects a key that is missing, revoked or expired, and creates no new one', async () => {
    const revoked = await service.create(owner, { name: 'a' });
    await service.revoke(revoked.key.id);
    const expired = await service.create(owner, { name: 'b', expiresAtMs: clock.nowMs() });
    const before = identities.state.keys.length;
    await expect(service.rotate('none', 0)).rejects.toMatchObject({ reason: 'missing' });
    await expect(service.rotate(revoked.key.id, 0)).rejects.toMatchObject({ reason: 'inactive' });
    await expect(service.rotate(expired.key.id, 0)).rejects.toMatchObject({ reason: 'inactive' });
    expect(identities.state.keys).toHaveLength(before);
  });
});

describe('revocation', () => {
  it('is final: the first moment stays', async () => {
    const { key } = await service.create(owner, { name: 'ci' });
    await service.revoke(key.id);
    const first = clock.nowMs();
    await clock.advance(1000);
    await service.revoke(key.id);
    expect((await identities.findKey(key.id))?.revokedAtMs).toBe(first);
    await expect(service.revoke('none')).rejects.toMatchObject({ reason: 'missing' });
  });
});

describe('a scope', () => {
  it('hides the keys of others, as if they were missing (decisions F2)', async () => {
    const [organizationId, other] = [randomIds.uuid(), randomIds.uuid()];
    const { key, secret } = await service.create({ kind: 'cloud', organizationId }, { name: 'ci' });
    for (const scope of [{ organizationId: other }, { tenantId: organizationId }]) {
      await expect(service.rotate(key.id, 0, { scope })).rejects.toMatchObject({ reason: 'missing' });
      await expect(service.revoke(key.id, scope)).rejects.toMatchObject({ reason: 'missing' });
      expect(await service.list(scope)).toEqual([]);
    }
    const listed = await service.list({ organizationId });
    expect(listed).toMatchObject([{ id: key.id, keyId: key.cloudKeyId, serviceIds: null, state: 'active' }]);
    expect(JSON.stringify(listed)).not.toContain(secret);
    expect(JSON.stringify(listed)).not.toContain(key.hash);
    expect((await service.rotate(key.id, 0, { scope: { organizationId } })).key.organizationId).toBe(organizationId);
  });
});
