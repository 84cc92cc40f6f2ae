import { expect, it } from 'vitest';
import { FakeClock } from '../../../src/kernel/fake-clock.ts';
import { randomIds } from '../../../src/kernel/ids.ts';
import { AlertService } from '../../../src/resources/alerts/alert-service.ts';
import { DashboardService } from '../../../src/resources/dashboards/dashboard-service.ts';
import { FakeSourceLookup } from '../../../src/resources/dashboards/fake-source-lookup.ts';
import { uncheckedStatements } from '../../../src/resources/dashboards/statement-check.ts';
import { tileOf } from '../../support/alert-fixtures.ts';
import { onBothStores } from '../../support/metadata-stores.ts';
import { seedBody } from './alert-api.ts';

const rounds = 25;

/** decisions D9: no alert outlives its tile, however the two writes meet. */
onBothStores((underTest) => {
  async function world() {
    const { store } = underTest();
    const [tenantId, dashboardId, webhookId] = [randomIds.hex24(), randomIds.hex24(), randomIds.hex24()];
    const tiles = [tileOf('t1'), tileOf('t2')];
    await store.dashboards.transaction((inside) =>
      inside.insert(
        tenantId,
        { id: dashboardId, name: 'Shop', tags: [], tiles },
        { atMs: 0, by: 'u', summary: 'Created' },
      ),
    );
    const at = new Date(0).toISOString();
    const url = 'https://example.com/';
    await store.webhooks.insert(tenantId, {
      id: webhookId,
      name: 'ops',
      service: 'generic',
      url,
      createdAt: at,
      updatedAt: at,
    });
    const sources = new FakeSourceLookup(tenantId, { a00000000000000000000001: { kind: 'log', connectionId: 'c' } });
    return {
      tenantId,
      dashboardId,
      webhookId,
      tiles,
      store,
      alerts: new AlertService({ alerts: store.alerts, ids: randomIds, clock: new FakeClock() }),
      dashboards: new DashboardService({
        dashboards: store.dashboards,
        sources,
        statements: uncheckedStatements,
        ids: randomIds,
        clock: new FakeClock(),
      }),
      body: { ...seedBody, dashboardId, tileId: 't1', channel: { type: 'webhook' as const, webhookId } },
    };
  }

  it('an alert is made while its tile is removed', async () => {
    for (let round = 0; round < rounds; round++) {
      const { tenantId, dashboardId, tiles, alerts, dashboards, body } = await world();
      await Promise.allSettled([
        dashboards.update({ tenantId, by: 'u' }, dashboardId, { tiles: tiles.slice(1) }),
        alerts.create(tenantId, body),
      ]);
      expect((await alerts.list(tenantId, {})).alerts).toEqual([]);
    }
  });

  it('an alert is made while its dashboard is removed', async () => {
    for (let round = 0; round < rounds; round++) {
      const { tenantId, dashboardId, alerts, dashboards, body } = await world();
      await Promise.allSettled([dashboards.remove({ tenantId, by: 'u' }, dashboardId), alerts.create(tenantId, body)]);
      expect((await alerts.list(tenantId, {})).alerts).toEqual([]);
    }
  });

  it('decisions A10: an alert is made while its webhook is removed: one of the two is rejected', async () => {
    for (let round = 0; round < rounds; round++) {
      const { tenantId, webhookId, alerts, store, body } = await world();
      const [removal, creation] = await Promise.allSettled([
        store.webhooks.remove(tenantId, webhookId),
        alerts.create(tenantId, body),
      ]);
      const removed = removal.status === 'fulfilled' && removal.value.kind === 'removed';
      expect([removed, creation.status]).toEqual(removed ? [true, 'rejected'] : [false, 'fulfilled']);
    }
  });

  it('state and history go with the alert', async () => {
    const { tenantId, alerts, store, body } = await world();
    const { alert } = await alerts.create(tenantId, body);
    await alerts.remove(tenantId, alert.id);
    const { reads } = underTest().raw;
    const left = await reads.selectFrom('alert_states').select('alert_id').where('alert_id', '=', alert.id).execute();
    expect(left).toEqual([]);
    const { total } = await store.alertLog.listEvaluations(tenantId, alert.id, { limit: 10, offset: 0 });
    expect(total).toBe(0);
  });
});
