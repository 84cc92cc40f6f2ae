import { describe } from 'vitest';
import { FakeAlertStore } from '../support/fake-alert-store.ts';
import { onBothStores, type StoreUnderTest } from '../support/metadata-stores.ts';
import { alertLogContract } from './alert-log.contract.ts';
import { type AlertStoreUnderTest, alertStoreContract } from './alert-store.contract.ts';
import { oldRecordsContract } from './old-records.contract.ts';
import { outboxContract } from './outbox.contract.ts';

function fakeUnderTest(): AlertStoreUnderTest {
  const fake = new FakeAlertStore();
  return {
    alerts: fake,
    alertLeases: fake,
    evaluations: fake,
    farAlerts: fake.farAlerts,
    outbox: fake.outbox,
    alertLog: fake.log,
    oldRecords: fake.oldRecords,
    addDashboard: async (tenantId, dashboard) => fake.addDashboard(tenantId, dashboard),
    addSavedSearch: async (tenantId, id, name) => fake.addSavedSearch(tenantId, { id, name }),
    addWebhook: async (tenantId, id) => fake.addWebhook(tenantId, id),
    names: fake,
  };
}

function sqlUnderTest({ store }: StoreUnderTest): AlertStoreUnderTest {
  return {
    ...store,
    names: store.tileNames,
    addSavedSearch: (tenantId, id, name) =>
      store.savedSearches.insert(tenantId, {
        id,
        name,
        sourceId: 'a00000000000000000000001',
        select: '',
        where: '',
        whereLanguage: 'lucene',
        orderBy: '',
        tags: [],
        filters: [],
        createdAt: '',
        updatedAt: '',
      }),
    addDashboard: (tenantId, dashboard) =>
      store.dashboards.transaction((inside) =>
        inside.insert(tenantId, { tags: [], ...dashboard }, { atMs: 0, by: 'u', summary: 'Created' }),
      ),
    addWebhook: async (tenantId, id) => {
      const at = new Date(0).toISOString();
      const url = 'https://example.com/';
      await store.webhooks.insert(tenantId, { id, name: id, service: 'generic', url, createdAt: at, updatedAt: at });
    },
  };
}

describe('in memory', () => {
  const alerts = fakeUnderTest();
  alertStoreContract(() => alerts);
  const messages = fakeUnderTest();
  outboxContract(() => messages);
  const logs = fakeUnderTest();
  alertLogContract(() => logs);
  const old = fakeUnderTest();
  oldRecordsContract(() => old);
});

onBothStores((underTest) => alertStoreContract(() => sqlUnderTest(underTest())));
onBothStores((underTest) => outboxContract(() => sqlUnderTest(underTest())));
onBothStores((underTest) => alertLogContract(() => sqlUnderTest(underTest())));
onBothStores((underTest) => oldRecordsContract(() => sqlUnderTest(underTest())));
