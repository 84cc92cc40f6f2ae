import { beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/kernel/clock.ts';
import { randomIds } from '../../src/kernel/ids.ts';
import type { Repositories } from '../../src/metadata/repositories.ts';
import type { Alert } from '../../src/resources/alerts/alert.ts';
import type { Dashboard } from '../../src/resources/dashboards/dashboard.ts';
import { versionsKept } from '../../src/resources/dashboards/dashboard-history.ts';
import { alertOf } from '../support/alert-fixtures.ts';
import { awkwardTexts } from '../support/awkward-texts.ts';

export type HistoryStoreUnderTest = Pick<
  Repositories,
  'dashboards' | 'alerts' | 'webhooks' | 'oldDeletedDashboards' | 'oldDashboardVersions'
>;

/** Before anything that other suites write, so that only this suite's rows are old. */
const longAgoMs = Date.UTC(2000, 0, 1);
const dayMs = 24 * 60 * 60_000;

/** What every store keeps of what dashboards were. */
export function dashboardHistoryContract(store: () => HistoryStoreUnderTest): void {
  let tenantId = '';
  let id = '';

  beforeEach(async () => {
    tenantId = randomIds.hex24();
    id = randomIds.hex24();
    await store().dashboards.transaction((inside) => inside.insert(tenantId, board(1), changeAt(1, 'Created')));
  });

  const board = (number: number, parts: Partial<Dashboard> = {}): Dashboard => ({
    ...{ id, name: `Board ${number}`, tags: [`${number}`], tiles: [] },
    ...parts,
  });

  async function save(expectedVersion: number, dashboard = board(expectedVersion + 1)): Promise<boolean> {
    const change = changeAt(expectedVersion + 1, `to ${expectedVersion + 1}`);
    return store().dashboards.transaction((inside) => inside.save(tenantId, { dashboard, expectedVersion, change }));
  }

  async function remove(atMs = longAgoMs + dayMs): Promise<void> {
    await store().dashboards.transaction(async (inside) => {
      expect(await inside.remove(tenantId, id, { atMs, by: 'remover' })).toBe(true);
      await inside.removeAlerts(tenantId, id, 'all');
    });
  }

  const undelete = (nowMs = longAgoMs + 2 * dayMs, tenant = tenantId) =>
    store().dashboards.transaction((inside) => inside.undelete(tenant, id, nowMs));

  const deleted = async (tenant = tenantId) =>
    (await store().dashboards.deleted(tenant, { limit: 100, offset: 0 })).dashboards;

  describe('versions', () => {
    it('each save keeps the one before with who, when and what', async () => {
      await save(1);
      await save(2);
      expect(await store().dashboards.versions(tenantId, id)).toEqual([
        { version: 3, savedMs: longAgoMs + 3, by: 'author', summary: 'to 3' },
        { version: 2, savedMs: longAgoMs + 2, by: 'author', summary: 'to 2' },
        { version: 1, savedMs: longAgoMs + 1, by: 'author', summary: 'Created' },
      ]);
      for (const version of [1, 2, 3]) {
        const found = await store().dashboards.version(tenantId, id, version);
        expect(JSON.parse(found?.json ?? ''), `version ${version}`).toEqual(board(version));
        expect(found?.savedMs).toBe(longAgoMs + version);
      }
      expect(await store().dashboards.version(tenantId, id, 4)).toBeUndefined();
    });

    it.each(awkwardTexts)('keep awkward text: $title', async ({ text }) => {
      await save(1, board(2, { name: text, tags: [text] }));
      await save(2);
      const found = await store().dashboards.version(tenantId, id, 2);
      expect(JSON.parse(found?.json ?? '')).toEqual(board(2, { name: text, tags: [text] }));
    });

    it(`${versionsKept} past ones are kept, the oldest go`, async () => {
      for (let version = 1; version <= versionsKept + 3; version++) expect(await save(version)).toBe(true);
      const versions = await store().dashboards.versions(tenantId, id);
      expect(versions.map(({ version }) => version)).toEqual(
        Array.from({ length: versionsKept + 1 }, (_, age) => versionsKept + 4 - age),
      );
      expect(await store().dashboards.version(tenantId, id, 3)).toBeUndefined();
      expect(await store().dashboards.version(tenantId, id, 4)).toBeDefined();
    });

    it('a save that comes too late keeps nothing, also of 20 at a time', async () => {
      const saved = await Promise.all(Array.from({ length: 20 }, () => save(1)));
      expect(saved.filter(Boolean)).toHaveLength(1);
      expect(await store().dashboards.versions(tenantId, id)).toHaveLength(2);
      expect(await save(1)).toBe(false);
      expect(await store().dashboards.versions(tenantId, id)).toHaveLength(2);
    });

    it('what is rolled back leaves no version', async () => {
      const failing = store().dashboards.transaction(async (inside) => {
        await inside.save(tenantId, { dashboard: board(2), expectedVersion: 1, change: changeAt(2, '') });
        throw new Error('stop');
      });
      await expect(failing).rejects.toThrow('stop');
      expect(await store().dashboards.versions(tenantId, id)).toHaveLength(1);
    });

    it('another tenant, or another id, has none', async () => {
      await save(1);
      const stranger = randomIds.hex24();
      expect(await store().dashboards.versions(stranger, id)).toEqual([]);
      expect(await store().dashboards.versions(tenantId, stranger)).toEqual([]);
      for (const version of [1, 2]) expect(await store().dashboards.version(stranger, id, version)).toBeUndefined();
    });

    it('those replaced long ago are removed, the present one never', async () => {
      for (let version = 1; version < 5; version++) await save(version);
      const { oldDashboardVersions } = store();
      await removeAll(() => oldDashboardVersions.removeBefore(longAgoMs + 4, 1));
      const versions = await store().dashboards.versions(tenantId, id);
      // Version 2 was replaced when 3 was saved.
      expect(versions.map(({ version }) => version)).toEqual([5, 4, 3]);
      await removeAll(() => oldDashboardVersions.removeBefore(longAgoMs + dayMs, 100));
      expect((await store().dashboards.versions(tenantId, id)).map(({ version }) => version)).toEqual([5]);
    });
  });

  describe('deleted dashboards', () => {
    it('are listed, the last deleted first, and come back with their version and their versions', async () => {
      await save(1);
      const before = await store().dashboards.versions(tenantId, id);
      const text = await store().dashboards.findText(tenantId, id);
      await remove();
      expect(await store().dashboards.findText(tenantId, id)).toBeUndefined();
      expect(await store().dashboards.versions(tenantId, id)).toEqual([]);
      expect(await store().dashboards.version(tenantId, id, 1)).toBeUndefined();
      expect(await deleted()).toEqual([
        { id, name: 'Board 2', deletedMs: longAgoMs + dayMs, by: 'remover', alertCount: 0 },
      ]);
      expect(await undelete()).toEqual({ ...text, restoredAlerts: [], lostAlerts: [] });
      expect(await store().dashboards.findText(tenantId, id)).toEqual(text);
      expect(await store().dashboards.versions(tenantId, id)).toEqual(before);
      expect(await deleted()).toEqual([]);
      expect(await undelete()).toBeUndefined();
      expect(await save(2)).toBe(true);
    });

    it('pages of them are in one order', async () => {
      await remove();
      for (const minute of [3, 1, 2]) {
        const other = { ...board(minute), id: randomIds.hex24() };
        await store().dashboards.transaction(async (inside) => {
          await inside.insert(tenantId, other, changeAt(1, ''));
          await inside.remove(tenantId, other.id, { atMs: longAgoMs + minute, by: 'remover' });
        });
      }
      const pages = await Promise.all(
        [0, 1, 2, 3].map((offset) => store().dashboards.deleted(tenantId, { limit: 1, offset })),
      );
      expect(pages.map(({ dashboards, total }) => [dashboards[0]?.name, total])).toEqual([
        ['Board 1', 4],
        ['Board 3', 4],
        ['Board 2', 4],
        ['Board 1', 4],
      ]);
    });

    it('another tenant sees and restores none', async () => {
      await remove();
      const stranger = randomIds.hex24();
      expect(await deleted(stranger)).toEqual([]);
      expect(await undelete(longAgoMs, stranger)).toBeUndefined();
      expect(await deleted()).toHaveLength(1);
    });

    it('of two restorations at a time one finds it', async () => {
      await remove();
      const found = await Promise.all([undelete(), undelete()]);
      expect(found.filter(Boolean)).toHaveLength(1);
    });

    it('alerts come back with a new state and their silence, those without a webhook do not', async () => {
      const [kept, gone] = [await webhook('kept'), await webhook('gone')];
      const silenced = { by: 'u', at: new Date(0).toISOString(), until: '2099-01-01T00:00:00.000Z' };
      const both = await alert([kept, gone], { threshold: 1 });
      const lost = await alert([gone]);
      const off = await alert([kept], { enabled: false });
      await store().alerts.setSilenced(tenantId, both.id, silenced);
      await remove();
      expect((await deleted())[0]?.alertCount).toBe(3);
      expect((await store().alerts.list(tenantId, { limit: 10, offset: 0 })).total).toBe(0);
      expect(await store().webhooks.remove(tenantId, gone)).toEqual({ kind: 'removed' });

      const undeleted = await undelete();
      expect(undeleted?.restoredAlerts).toEqual([both.id, off.id]);
      expect(undeleted?.lostAlerts).toEqual([lost.id]);
      const { alerts } = await store().alerts.list(tenantId, { limit: 10, offset: 0 });
      expect(alerts).toEqual([
        { alert: { ...both, channels: [channel(kept)] }, status: 'OK', silenced },
        { alert: off, status: 'DISABLED' },
      ]);
    });

    it('are removed with their versions when their time is over, in batches', async () => {
      await save(1);
      await remove();
      const { oldDeletedDashboards } = store();
      await removeAll(() => oldDeletedDashboards.removeBefore(longAgoMs + dayMs, 1));
      expect(await deleted()).toHaveLength(1);
      await removeAll(() => oldDeletedDashboards.removeBefore(longAgoMs + dayMs + 1, 1));
      expect(await deleted()).toEqual([]);
      // Its versions went along: a dashboard of the same id would not find them.
      await store().dashboards.transaction((inside) => inside.insert(tenantId, board(1), changeAt(1, '')));
      await save(1);
      await save(2);
      expect(await store().dashboards.versions(tenantId, id)).toHaveLength(3);
    });
  });

  async function alert(webhookIds: readonly string[], parts: Partial<Alert> = {}): Promise<Alert> {
    const made = { ...alertOf({ dashboardId: id, tileId: 't' }), ...parts, channels: webhookIds.map(channel) };
    await store().alerts.transaction((inside) => inside.insert(tenantId, made, longAgoMs));
    return made;
  }

  async function webhook(name: string): Promise<string> {
    const webhookId = randomIds.hex24();
    const at = new Date(systemClock.nowMs()).toISOString();
    const url = 'https://example.com/';
    await store().webhooks.insert(tenantId, {
      ...{ id: webhookId, name, service: 'generic', createdAt: at, updatedAt: at },
      url,
    });
    return webhookId;
  }
}

const channel = (webhookId: string) => ({ type: 'webhook' as const, webhookId });

const changeAt = (ms: number, summary: string) => ({ atMs: longAgoMs + ms, by: 'author', summary });

async function removeAll(removeBatch: () => Promise<number>): Promise<void> {
  while ((await removeBatch()) > 0);
}
