import { describe, expect, it } from 'vitest';
import { randomIds } from '../../src/kernel/ids.ts';
import type { OpenStore } from '../../src/metadata/metadata-database.ts';
import type { Dashboard } from '../../src/resources/dashboards/dashboard.ts';
import type { DashboardRepository, DashboardTransaction } from '../../src/resources/dashboards/dashboard-repository.ts';
import { alertRowIds, insertAlertRow } from '../support/alert-rows.ts';
import { awkwardTexts } from '../support/awkward-texts.ts';
import { gate } from '../support/gate.ts';

export interface DashboardStoreUnderTest {
  dashboards: DashboardRepository;
  raw: OpenStore;
}

/** What every store of dashboards does. Each case has its own tenants, so one store serves all of them. */
export function dashboardRepositoryContract(underTest: () => DashboardStoreUnderTest): void {
  const repository = (): DashboardRepository => underTest().dashboards;

  async function insert(tenantId: string, ...dashboards: Dashboard[]): Promise<void> {
    await repository().transaction(async (transaction) => {
      for (const dashboard of dashboards) await transaction.insert(tenantId, dashboard, change);
    });
  }

  describe('documents', () => {
    it('decisions D5: come back as they were written, at version 1', async () => {
      const tenantId = randomIds.hex24();
      const dashboard = dashboardOf({ tags: ['b', 'a'] });
      await insert(tenantId, dashboard);
      expect(await repository().find(tenantId, dashboard.id)).toEqual({ dashboard, version: 1 });
      expect(await repository().findText(tenantId, dashboard.id)).toEqual({
        json: JSON.stringify(dashboard),
        version: 1,
      });
    });

    it.each(awkwardTexts)('keep awkward text: $title', async ({ text }) => {
      const tenantId = randomIds.hex24();
      const dashboard = dashboardOf({ name: text, tags: [text] });
      await insert(tenantId, dashboard);
      expect((await repository().find(tenantId, dashboard.id))?.dashboard).toEqual(dashboard);
      expect((await repository().findByName(tenantId, text))?.dashboard).toEqual(dashboard);
    });

    it('may be as large as 1 MB', async () => {
      const tenantId = randomIds.hex24();
      const dashboard = dashboardOf({ tags: Array.from({ length: 1_000 }, (_, n) => `${n}`.padEnd(1_000, 'ü')) });
      await insert(tenantId, dashboard);
      expect((await repository().find(tenantId, dashboard.id))?.dashboard).toEqual(dashboard);
    });
  });

  describe('lists', () => {
    it('decisions D11: are in order of creation, whatever the ids, also within one millisecond', async () => {
      const tenantId = randomIds.hex24();
      const dashboards = ['f', '0', '8', '4', 'c'].map((digit) =>
        dashboardOf({ id: digit + randomIds.hex24().slice(1) }),
      );
      await insert(tenantId, ...dashboards);
      expect(await listed(tenantId)).toEqual(dashboards.map(({ id }) => id));
    });

    it('keep their order when one of the first is saved or one of the last is removed', async () => {
      const tenantId = randomIds.hex24();
      const [one, two, three, four] = [dashboardOf(), dashboardOf(), dashboardOf(), dashboardOf()];
      await insert(tenantId, one, two, three);
      await repository().transaction(async (transaction) => {
        await save(transaction, tenantId, { ...one, name: 'renamed' }, 1);
        await transaction.remove(tenantId, three.id, change);
      });
      await insert(tenantId, four);
      expect(await listed(tenantId)).toEqual([one.id, two.id, four.id]);
    });

    it('are paged by limit, by offset and by both', async () => {
      const tenantId = randomIds.hex24();
      const ids = [dashboardOf(), dashboardOf(), dashboardOf(), dashboardOf()];
      await insert(tenantId, ...ids);
      const [first, second, third, fourth] = ids.map(({ id }) => id);
      expect(await listed(tenantId, { limit: 2 })).toEqual([first, second]);
      expect(await listed(tenantId, { offset: 3 })).toEqual([fourth]);
      expect(await listed(tenantId, { limit: 2, offset: 1 })).toEqual([second, third]);
      expect(await listed(tenantId, { limit: 2, offset: 9 })).toEqual([]);
      expect(await listed(tenantId, { limit: 0 })).toEqual([]);
    });
  });

  it('of two dashboards with one name the older is found by it', async () => {
    const tenantId = randomIds.hex24();
    const [older, younger] = [dashboardOf({ name: 'Checkout' }), dashboardOf({ name: 'Checkout' })];
    await insert(tenantId, older, younger);
    expect((await repository().findByName(tenantId, 'Checkout'))?.dashboard.id).toBe(older.id);
    expect(await repository().findByName(tenantId, 'checkout')).toBeUndefined();
  });

  it('a renamed dashboard is found by its new name only', async () => {
    const tenantId = randomIds.hex24();
    const dashboard = dashboardOf({ name: 'before' });
    await insert(tenantId, dashboard);
    const renamed = { ...dashboard, name: 'after' };
    await repository().transaction((transaction) => save(transaction, tenantId, renamed, 1));
    expect(await repository().findByName(tenantId, 'before')).toBeUndefined();
    expect(await repository().findByName(tenantId, 'after')).toEqual({ dashboard: renamed, version: 2 });
  });

  it('many dashboards, small and large ones, come in parts that hold no more than two of the large', async () => {
    const tenantId = randomIds.hex24();
    const made: string[] = [];
    for (let at = 0; at < 24; at++) {
      const dashboard = dashboardOf({ tags: [at > 5 && at < 16 ? 'x'.repeat(2_000_000) : 'small'] });
      await insert(tenantId, dashboard);
      made.push(dashboard.id);
    }
    expect(await listed(tenantId)).toEqual(made);
    expect(await listed(tenantId, { limit: 11, offset: 9 })).toEqual(made.slice(9, 20));
    expect(await listed(tenantId, { offset: 23 })).toEqual(made.slice(23));
    // Whatever came before: many small ones must not lead to reading as many large ones together.
    for await (const part of repository().textParts(tenantId, {})) {
      expect(part.reduce((sum, text) => sum + text.length, 0)).toBeLessThan(5_000_000);
    }
  });

  describe('decisions F2: another tenant', () => {
    it('finds, lists, saves and removes nothing', async () => {
      const [owner, stranger] = [randomIds.hex24(), randomIds.hex24()];
      const dashboard = dashboardOf();
      await insert(owner, dashboard);
      const { id, name } = dashboard;

      expect(await repository().find(stranger, id)).toBeUndefined();
      expect(await repository().findText(stranger, id)).toBeUndefined();
      expect(await repository().findByName(stranger, name)).toBeUndefined();
      expect(await repository().listTexts(stranger, {})).toEqual([]);
      await repository().transaction(async (transaction) => {
        expect(await transaction.find(stranger, id)).toBeUndefined();
        expect(await save(transaction, stranger, { ...dashboard, name: 'taken over' }, 1)).toBe(false);
        expect(await transaction.remove(stranger, id, change)).toBe(false);
      });
      expect(await repository().find(owner, id)).toEqual({ dashboard, version: 1 });
    });

    it('removes no alerts', async () => {
      const [owner, stranger] = [randomIds.hex24(), randomIds.hex24()];
      const dashboard = dashboardOf();
      const alertId = await insertAlertRow(underTest().raw, {
        tenantId: owner,
        dashboardId: dashboard.id,
        tileId: 'a',
      });
      await repository().transaction((transaction) => transaction.removeAlerts(stranger, dashboard.id, 'all'));
      expect(await alertRowIds(underTest().raw, owner)).toEqual([alertId]);
    });
  });

  describe('decisions D8: saving', () => {
    it('counts the version up and rejects a stale one without writing', async () => {
      const tenantId = randomIds.hex24();
      const dashboard = dashboardOf();
      await insert(tenantId, dashboard);
      await repository().transaction(async (transaction) => {
        expect(await save(transaction, tenantId, { ...dashboard, name: 'second' }, 1)).toBe(true);
        expect(await save(transaction, tenantId, { ...dashboard, name: 'stale' }, 1)).toBe(false);
        expect((await transaction.find(tenantId, dashboard.id))?.version).toBe(2);
      });
      const stored = await repository().find(tenantId, dashboard.id);
      expect(stored).toEqual({ dashboard: { ...dashboard, name: 'second' }, version: 2 });
    });

    it('of a dashboard that is gone answers false', async () => {
      const saved = await repository().transaction((transaction) =>
        save(transaction, randomIds.hex24(), dashboardOf(), 1),
      );
      expect(saved).toBe(false);
    });

    it('20 concurrent writes from one version: exactly one wins, whole', async () => {
      const tenantId = randomIds.hex24();
      const dashboard = dashboardOf();
      await insert(tenantId, dashboard);
      const bodies = Array.from({ length: 20 }, (_, n) => ({ ...dashboard, name: `body ${n}`, tags: [`${n}`] }));
      const won = await Promise.all(
        bodies.map((body) => repository().transaction((transaction) => save(transaction, tenantId, body, 1))),
      );
      expect(won.filter(Boolean)).toHaveLength(1);
      const winner = bodies[won.indexOf(true)];
      expect(await repository().find(tenantId, dashboard.id)).toEqual({ dashboard: winner, version: 2 });
    });

    it('20 concurrent read-modify-write cycles with retries: nothing is lost', async () => {
      const tenantId = randomIds.hex24();
      const dashboard = dashboardOf({ tags: [] });
      await insert(tenantId, dashboard);
      const tags = Array.from({ length: 20 }, (_, n) => `tag ${n}`);
      await Promise.all(tags.map((tag) => addTag(tenantId, dashboard.id, tag)));
      const stored = await repository().find(tenantId, dashboard.id);
      expect(stored?.version).toBe(21);
      expect(stored?.dashboard.tags.toSorted()).toEqual(tags.toSorted());
    });
  });

  describe('a transaction', () => {
    it('that throws leaves nothing behind and passes the error on', async () => {
      const tenantId = randomIds.hex24();
      const [kept, never] = [dashboardOf(), dashboardOf()];
      await insert(tenantId, kept);
      await insertAlertRow(underTest().raw, { tenantId, dashboardId: kept.id, tileId: 'a' });
      const failure = new Error('stop');
      const run = repository().transaction(async (transaction) => {
        await transaction.insert(tenantId, never, change);
        await save(transaction, tenantId, { ...kept, name: 'changed' }, 1);
        await transaction.removeAlerts(tenantId, kept.id, 'all');
        await transaction.remove(tenantId, kept.id, change);
        throw failure;
      });
      await expect(run).rejects.toBe(failure);
      expect(await listed(tenantId)).toEqual([kept.id]);
      expect(await repository().find(tenantId, kept.id)).toEqual({ dashboard: kept, version: 1 });
      expect(await alertRowIds(underTest().raw, tenantId)).toHaveLength(1);
    });

    it('is not seen from outside before it ends, and reads outside do not wait for it', async () => {
      const tenantId = randomIds.hex24();
      const dashboard = dashboardOf();
      await repository().transaction(async (transaction) => {
        await transaction.insert(tenantId, dashboard, change);
        expect(await repository().find(tenantId, dashboard.id)).toBeUndefined();
        expect(await transaction.find(tenantId, dashboard.id)).toBeDefined();
      });
      expect(await repository().find(tenantId, dashboard.id)).toBeDefined();
    });

    it('that is slow makes others wait, not fail', async () => {
      const tenantId = randomIds.hex24();
      const [slow, quick] = [dashboardOf(), dashboardOf()];
      const [started, goOn] = [gate(), gate()];
      const running = repository().transaction(async (transaction) => {
        await transaction.insert(tenantId, slow, change);
        started.open();
        await goOn.passed;
      });
      await started.passed;
      const waiting = insert(tenantId, quick);
      goOn.open();
      await Promise.all([running, waiting]);
      expect((await listed(tenantId)).toSorted()).toEqual([slow.id, quick.id].toSorted());
    });
  });

  it('removal answers whether there was one', async () => {
    const tenantId = randomIds.hex24();
    const dashboard = dashboardOf();
    await insert(tenantId, dashboard);
    const remove = () => repository().transaction((transaction) => transaction.remove(tenantId, dashboard.id, change));
    expect(await remove()).toBe(true);
    expect(await remove()).toBe(false);
    expect(await repository().find(tenantId, dashboard.id)).toBeUndefined();
  });

  describe('decisions D9: alerts', () => {
    it('of the named tiles go, those of other tiles and dashboards stay', async () => {
      const tenantId = randomIds.hex24();
      const [dashboardId, otherId] = [randomIds.hex24(), randomIds.hex24()];
      const { raw } = underTest();
      const going = [
        await insertAlertRow(raw, { tenantId, dashboardId, tileId: 'a', webhookIds: [randomIds.hex24()] }),
        await insertAlertRow(raw, { tenantId, dashboardId, tileId: 'b' }),
      ];
      const onThirdTile = await insertAlertRow(raw, { tenantId, dashboardId, tileId: 'c' });
      const onOtherDashboard = await insertAlertRow(raw, { tenantId, dashboardId: otherId, tileId: 'a' });
      const tileIds = ['a', 'b', 'no such tile'];
      expect(await repository().alertsOn(tenantId, dashboardId, tileIds)).toEqual(going.sort());
      expect(await repository().alertsOn(tenantId, dashboardId, [])).toEqual([]);
      expect(await repository().alertsOn(randomIds.hex24(), dashboardId, tileIds)).toEqual([]);
      await repository().transaction(async (transaction) => {
        expect(await transaction.removeAlerts(tenantId, dashboardId, [])).toEqual([]);
        expect(await alertRowIds(raw, tenantId)).toHaveLength(4);
        const removed = await transaction.removeAlerts(tenantId, dashboardId, tileIds);
        expect(removed).toEqual(going.sort());
      });
      expect(await alertRowIds(raw, tenantId)).toEqual([onThirdTile, onOtherDashboard]);
    });

    it('of the whole dashboard go with it', async () => {
      const tenantId = randomIds.hex24();
      const dashboardId = randomIds.hex24();
      const { raw } = underTest();
      for (const tileId of ['a', 'b']) await insertAlertRow(raw, { tenantId, dashboardId, tileId });
      const elsewhere = await insertAlertRow(raw, { tenantId, dashboardId: randomIds.hex24(), tileId: 'a' });
      await repository().transaction((transaction) => transaction.removeAlerts(tenantId, dashboardId, 'all'));
      expect(await alertRowIds(raw, tenantId)).toEqual([elsewhere]);
    });
  });

  /** By both ways of listing, which agree. */
  async function listed(tenantId: string, page: { limit?: number; offset?: number } = {}): Promise<string[]> {
    const texts = await repository().listTexts(tenantId, page);
    const parts: string[] = [];
    for await (const part of repository().textParts(tenantId, page)) {
      expect(part).not.toEqual([]);
      parts.push(...part);
    }
    expect(parts).toEqual(texts);
    return texts.map((text) => JSON.parse(text).id);
  }

  async function addTag(tenantId: string, id: string, tag: string): Promise<void> {
    for (;;) {
      const saved = await repository().transaction(async (transaction) => {
        const stored = await transaction.find(tenantId, id);
        if (!stored) throw new Error('the dashboard is gone');
        const tags = [...stored.dashboard.tags, tag];
        return save(transaction, tenantId, { ...stored.dashboard, tags }, stored.version);
      });
      if (saved) return;
    }
  }
}

const change = { atMs: Date.UTC(2026, 0, 2), by: 'user', summary: 'Changed' };

function save(
  transaction: DashboardTransaction,
  tenantId: string,
  dashboard: Dashboard,
  expectedVersion: number,
): Promise<boolean> {
  return transaction.save(tenantId, { dashboard, expectedVersion, change });
}

function dashboardOf(parts: Partial<Dashboard> = {}): Dashboard {
  return { id: randomIds.hex24(), name: 'Overview', tags: [], tiles: [], ...parts };
}
