import { describe } from 'vitest';
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

onBothStores((underTest) =>
  favouriteRepositoryContract(() => ({
    ...underTest().store,
    async addUser(tenantId) {
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
    },
  })),
);
