import { describe, expect, it } from 'vitest';
import { randomIds } from '../../src/kernel/ids.ts';
import { FakeDashboardRepository } from '../../src/resources/dashboards/fake-dashboard-repository.ts';
import { FakeFavouriteRepository } from '../../src/resources/dashboards/fake-favourite-repository.ts';
import { onBothStores } from '../support/metadata-stores.ts';
import { favouriteRepositoryContract } from './favourite-repository.contract.ts';

describe('in memory', () => {
  const dashboards = new FakeDashboardRepository();
  const favourites = new FakeFavouriteRepository(dashboards);
  favouriteRepositoryContract(() => ({ dashboards, favourites, addUser: async () => randomIds.hex24() }));
});

onBothStores((underTest) => {
  async function addUser(tenantId: string): Promise<string> {
    const id = randomIds.hex24();
    const { writes } = underTest().raw;
    const known = await writes.selectFrom('tenants').select('id').where('id', '=', tenantId).executeTakeFirst();
    if (!known) {
      await writes
        .insertInto('tenants')
        .values({ id: tenantId, kind: 'team', name: 't', telemetry_database: tenantId, created_at: 0 })
        .execute();
    }
    await writes.insertInto('users').values({ id, tenant_id: tenantId, role: 'member', created_at: 0 }).execute();
    return id;
  }

  async function addOrganizationUser(): Promise<string> {
    const { identities } = underTest().store;
    const [id, organizationId] = [randomIds.hex24(), randomIds.uuid()];
    await identities.saveOrganization({ id: organizationId, name: 'Acme' }, 0);
    const person = { id, organizationId, email: `${id}@example.com`, passwordHash: 'x', createdAtMs: 0 };
    await identities.insertOrganizationUser(person);
    return id;
  }

  describe('members of teams', () => favouriteRepositoryContract(() => ({ ...underTest().store, addUser })));

  describe('people of organizations', () =>
    favouriteRepositoryContract(() => ({ ...underTest().store, addUser: addOrganizationUser })));

  it('go with a member who is removed from the team', async () => {
    const { identities, favourites, dashboards } = underTest().store;
    const [tenantId, id] = [randomIds.hex24(), randomIds.hex24()];
    const [gone, staying] = [await addUser(tenantId), await addUser(tenantId)];
    const change = { atMs: 0, by: 'u', summary: 'Created' };
    await dashboards.transaction((inside) => inside.insert(tenantId, { id, name: 'd', tags: [], tiles: [] }, change));
    for (const userId of [gone, staying]) await favourites.add({ tenantId, userId }, id);
    await identities.removeUser(tenantId, gone);
    expect(await favourites.list({ tenantId, userId: gone })).toEqual([]);
    expect(await favourites.list({ tenantId, userId: staying })).toEqual([id]);
  });
});
