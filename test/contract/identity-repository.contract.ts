import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiKey, IdentityRepository, User } from '../../src/access/identity-repository.ts';
import type { Tenant } from '../../src/access/tenants.ts';
import { randomIds } from '../../src/kernel/ids.ts';

export interface OpenedIdentities {
  identities: IdentityRepository;
  close(): Promise<void>;
}

const nowMs = Date.UTC(2026, 0, 1);

/** What every store of identities does. Each case makes its own tenants, so one store serves all of them. */
export function identityRepositoryContract(store: string, open: () => Promise<OpenedIdentities>): void {
  describe(`identities on ${store}`, () => {
    let opened: OpenedIdentities;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened?.close());
    const repository = (): IdentityRepository => opened.identities;

    describe('keys', () => {
      it('are found by their hash, with everything that authentication needs', async () => {
        const user = await newUser(repository());
        const key = personalKey(user, { expiresAtMs: nowMs + 5 });
        expect(await repository().insertKey(key)).toBe('inserted');
        expect(await repository().findKeyByHash(key.hash)).toEqual(key);
        expect(await repository().findKey(key.id)).toEqual(key);
        expect(await repository().findKeyByHash(randomIds.secret(32))).toBeUndefined();
      });

      it('of the cloud kind are found by their public half and keep their services', async () => {
        const organizationId = await newOrganization(repository());
        const key = cloudKey(organizationId, { serviceIds: [randomIds.uuid(), randomIds.uuid()], role: 'read' });
        await repository().insertKey(key);
        expect(await repository().findCloudKey(key.cloudKeyId ?? '')).toEqual(key);
        expect(await repository().listKeys({ organizationId })).toEqual([key]);
        expect(await repository().insertKey({ ...cloudKey(organizationId), cloudKeyId: key.cloudKeyId ?? '' })).toBe(
          'taken',
        );
      });

      it('of the cloud kind with an empty list of services reach none, not all of them', async () => {
        const organizationId = await newOrganization(repository());
        const none = cloudKey(organizationId, { serviceIds: [] });
        await repository().insertKey(none);
        expect((await repository().findKey(none.id))?.serviceIds).toEqual([]);
        await repository().updateKey(none.id, { serviceIds: null });
        expect((await repository().findKey(none.id))?.serviceIds).toBeUndefined();
        await repository().updateKey(none.id, { serviceIds: [] });
        expect((await repository().findKey(none.id))?.serviceIds).toEqual([]);
      });

      it('have a unique hash, across all kinds', async () => {
        const user = await newUser(repository());
        const key = personalKey(user);
        await repository().insertKey(key);
        const { userId: _, ...rest } = key;
        const twin: ApiKey = { ...rest, id: randomIds.hex24(), kind: 'ingestion' };
        expect(await repository().insertKey(twin)).toBe('taken');
        expect(await repository().findKey(twin.id)).toBeUndefined();
      });

      it('are listed by tenant, in order of creation', async () => {
        const user = await newUser(repository());
        const keys = [1, 2, 3].map((second) => personalKey(user, { createdAtMs: nowMs + second * 1000 }));
        for (const key of keys) await repository().insertKey(key);
        await repository().insertKey(personalKey(await newUser(repository())));
        expect(await repository().listKeys({ tenantId: user.tenantId })).toEqual(keys);
      });

      it('change only in the fields that are given; null clears', async () => {
        const key = personalKey(await newUser(repository()), { expiresAtMs: nowMs + 10 });
        await repository().insertKey(key);
        expect(await repository().updateKey(key.id, { name: 'renamed', revokedAtMs: nowMs + 3 })).toBe('updated');
        expect(await repository().findKey(key.id)).toEqual({ ...key, name: 'renamed', revokedAtMs: nowMs + 3 });
        const { expiresAtMs: _, ...forever } = key;
        await repository().updateKey(key.id, { name: key.name, revokedAtMs: null, expiresAtMs: null });
        expect(await repository().findKey(key.id)).toEqual(forever);
        expect(await repository().updateKey(randomIds.hex24(), { name: 'x' })).toBe('missing');
      });

      it('do not take the hash of another key', async () => {
        const user = await newUser(repository());
        const [one, two] = [personalKey(user), personalKey(user)];
        await repository().insertKey(one);
        await repository().insertKey(two);
        expect(await repository().updateKey(two.id, { hash: one.hash })).toBe('taken');
        expect(await repository().updateKey(two.id, { hash: two.hash })).toBe('updated');
        expect(await repository().findKey(two.id)).toEqual(two);
      });

      it('remember the latest use', async () => {
        const key = personalKey(await newUser(repository()));
        await repository().insertKey(key);
        await repository().touchKey(key.id, nowMs + 20);
        await repository().touchKey(key.id, nowMs + 10);
        expect((await repository().findKey(key.id))?.lastUsedAtMs).toBe(nowMs + 20);
      });
    });

    describe('tenants', () => {
      it('are counted, found and listed in order of creation', async () => {
        const before = await repository().countTenants();
        const team = await newTeam(repository());
        const organizationId = await newOrganization(repository());
        const service: Tenant = {
          id: randomIds.uuid(),
          kind: 'service',
          name: 'production',
          organizationId,
          telemetryDatabase: `otel_${randomIds.hex24()}`,
        };
        expect(await repository().insertTenant(service, nowMs + 1)).toBe('inserted');
        expect(await repository().countTenants()).toBe(before + 2);
        expect(await repository().findTenant(service.id)).toEqual(service);
        expect(await repository().findTeamByName(team.name)).toEqual(team);
        const listed = await repository().listTenants();
        expect(listed.filter(({ id }) => id === team.id || id === service.id)).toEqual([team, service]);
      });

      it('may share a name; of teams the oldest is found by it', async () => {
        const team = await newTeam(repository());
        expect(await repository().insertTenant({ ...newTenant(), name: team.name }, nowMs)).toBe('inserted');
        const organizationId = await newOrganization(repository());
        for (const _ of [1, 2]) {
          const service: Tenant = {
            ...newTenant(),
            id: randomIds.uuid(),
            kind: 'service',
            name: team.name,
            organizationId,
          };
          expect(await repository().insertTenant(service, nowMs)).toBe('inserted');
        }
        expect(await repository().findTeamByName(team.name)).toEqual(team);
      });

      it('have a unique id and a unique telemetry database', async () => {
        const team = await newTeam(repository());
        expect(await repository().insertTenant({ ...newTenant(), id: team.id }, nowMs)).toBe('taken');
        const sameDatabase = { ...newTenant(), telemetryDatabase: team.telemetryDatabase };
        expect(await repository().insertTenant(sameDatabase, nowMs)).toBe('taken');
        expect(await repository().findTenant(sameDatabase.id)).toBeUndefined();
      });

      it('have a time zone once it is chosen', async () => {
        const [one, two] = [await newTeam(repository()), await newTeam(repository())];
        await repository().setTimeZone(one.id, 'Europe/Berlin');
        expect(await repository().findTenant(one.id)).toEqual({ ...one, timezone: 'Europe/Berlin' });
        expect(await repository().findTenant(two.id)).toEqual(two);
        await repository().setTimeZone(randomIds.hex24(), 'UTC');
      });

      it('are renamed, also to the name of another one', async () => {
        const [one, two] = [await newTeam(repository()), await newTeam(repository())];
        const name = `team ${randomIds.hex24()}`;
        expect(await repository().renameTenant(one.id, name)).toBe('renamed');
        expect(await repository().findTenant(one.id)).toEqual({ ...one, name });
        expect(await repository().renameTenant(two.id, name)).toBe('renamed');
        expect(await repository().findTeamByName(name)).toEqual({ ...one, name });
        expect(await repository().renameTenant(randomIds.hex24(), 'nobody')).toBe('missing');
      });
    });

    it('organizations are inserted, then renamed under the same id', async () => {
      const id = randomIds.uuid();
      await repository().saveOrganization({ id, name: 'Acme' }, nowMs);
      await repository().saveOrganization({ id, name: 'Acme Ltd' }, nowMs + 1);
      expect(await repository().findOrganization(id)).toEqual({ id, name: 'Acme Ltd' });
      expect((await repository().listOrganizations()).filter((one) => one.id === id)).toEqual([
        { id, name: 'Acme Ltd' },
      ]);
      expect(await repository().findOrganization(randomIds.uuid())).toBeUndefined();
    });

    describe('users', () => {
      it('are found by id and email and listed by creation', async () => {
        const tenantId = (await newTeam(repository())).id;
        const owner: User = { id: randomIds.hex24(), tenantId, role: 'owner', createdAtMs: nowMs };
        const member = userOf(tenantId, { createdAtMs: nowMs + 1000, name: 'Ada', passwordHash: '$argon2id$x' });
        for (const user of [owner, member]) expect(await repository().insertUser(user)).toBe('inserted');
        expect(await repository().findUser(owner.id)).toEqual(owner);
        expect(await repository().findUserByEmail(member.email ?? '')).toEqual(member);
        expect(await repository().findOwner(tenantId)).toEqual(owner);
        expect(await repository().listUsers(tenantId)).toEqual([owner, member]);
      });

      it('have a unique email across all tenants', async () => {
        const [one, two] = [await newUser(repository()), await newUser(repository())];
        const email = one.email ?? '';
        expect(await repository().insertUser(userOf(two.tenantId, { email }))).toBe('emailTaken');
        expect(await repository().updateUser(two.id, { email })).toBe('emailTaken');
        expect(await repository().findUser(two.id)).toEqual(two);
      });

      it('change only in the fields that are given', async () => {
        const user = await newUser(repository());
        expect(await repository().updateUser(user.id, { passwordHash: '$argon2id$y' })).toBe('updated');
        expect(await repository().findUser(user.id)).toEqual({ ...user, passwordHash: '$argon2id$y' });
        expect(await repository().updateUser(randomIds.hex24(), { name: 'x' })).toBe('missing');
      });
    });

    describe('a transaction', () => {
      it('commits what its work wrote and returns its result', async () => {
        const tenant = newTenant();
        const seen = await repository().transaction(async (inside) => {
          await inside.insertTenant(tenant, nowMs);
          return inside.findTenant(tenant.id);
        });
        expect(seen).toEqual(tenant);
        expect(await repository().findTenant(tenant.id)).toEqual(tenant);
      });

      it('leaves nothing when its work throws, and passes the error on', async () => {
        const tenant = newTenant();
        const failure = new Error('stop');
        const run = repository().transaction(async (inside) => {
          await inside.insertTenant(tenant, nowMs);
          await inside.insertUser(userOf(tenant.id));
          throw failure;
        });
        await expect(run).rejects.toBe(failure);
        expect(await repository().findTenant(tenant.id)).toBeUndefined();
        expect(await repository().listUsers(tenant.id)).toEqual([]);
      });

      it('continues after a write that was rejected because a value is in use', async () => {
        const team = await newTeam(repository());
        const other = newTenant();
        await repository().transaction(async (inside) => {
          expect(await inside.insertTenant({ ...newTenant(), id: team.id }, nowMs)).toBe('taken');
          expect(await inside.insertTenant(other, nowMs)).toBe('inserted');
        });
        expect(await repository().findTenant(other.id)).toEqual(other);
      });

      it('runs alone: two that look first and write then never both write', async () => {
        const name = `team ${randomIds.hex24()}`;
        const createOnce = (): Promise<boolean> =>
          repository().transaction(async (inside) => {
            if (await inside.findTeamByName(name)) return false;
            await inside.insertTenant({ ...newTenant(), name }, nowMs);
            return true;
          });
        const created = await Promise.all([createOnce(), createOnce(), createOnce()]);
        expect(created.filter(Boolean)).toHaveLength(1);
      });
    });
  });
}

function newTenant(): Tenant {
  const id = randomIds.hex24();
  return { id, kind: 'team', name: `team ${id}`, telemetryDatabase: `otel_${id}` };
}

async function newTeam(repository: IdentityRepository): Promise<Tenant> {
  const team = newTenant();
  await repository.insertTenant(team, nowMs);
  return team;
}

async function newOrganization(repository: IdentityRepository): Promise<string> {
  const id = randomIds.uuid();
  await repository.saveOrganization({ id, name: 'Acme' }, nowMs);
  return id;
}

function userOf(tenantId: string, more: Partial<User> = {}): User {
  const id = randomIds.hex24();
  return { id, tenantId, email: `${id}@example.com`, role: 'member', createdAtMs: nowMs, ...more };
}

async function newUser(repository: IdentityRepository): Promise<User> {
  const user = userOf((await newTeam(repository)).id);
  await repository.insertUser(user);
  return user;
}

function personalKey(user: User, more: Partial<ApiKey> = {}): ApiKey {
  return { ...bareKey('personal'), tenantId: user.tenantId, userId: user.id, ...more };
}

function cloudKey(organizationId: string, more: Partial<ApiKey> = {}): ApiKey {
  return { ...bareKey('cloud'), organizationId, cloudKeyId: randomIds.secret(10), ...more };
}

function bareKey(kind: ApiKey['kind']): ApiKey {
  return { id: randomIds.hex24(), kind, name: 'ci', hash: randomIds.secret(32), role: 'admin', createdAtMs: nowMs };
}
