import { describe, expect, it } from 'vitest';
import type { Tile } from '../../src/contract/tile.ts';
import type { FarAlerts } from '../../src/evaluator/clock-set-back.ts';
import type { BulkEvaluationStore, EvaluationStore } from '../../src/evaluator/evaluation-store.ts';
import type { AlertLeases, BulkAlertLeases, LeasedAlert } from '../../src/evaluator/lease.ts';
import type { TileNames } from '../../src/evaluator/ports.ts';
import type { OldRecords } from '../../src/evaluator/record-pruner.ts';
import { randomIds } from '../../src/kernel/ids.ts';
import type { Outbox } from '../../src/notify/outbox.ts';
import type { Alert } from '../../src/resources/alerts/alert.ts';
import type { AlertLog, Evaluation } from '../../src/resources/alerts/alert-log.ts';
import type { AlertRepository } from '../../src/resources/alerts/alert-repository.ts';
import { alertOf, evaluationOf, messageOf, minuteMs, newYearMs, tileOf } from '../support/alert-fixtures.ts';

export interface AlertStoreUnderTest {
  alerts: AlertRepository;
  alertLeases: AlertLeases & BulkAlertLeases;
  evaluations: EvaluationStore & BulkEvaluationStore;
  farAlerts: FarAlerts;
  outbox: Outbox;
  alertLog: AlertLog;
  oldRecords: OldRecords;
  addDashboard(tenantId: string, dashboard: { id: string; name: string; tiles: Tile[] }): Promise<void>;
  addSavedSearch(tenantId: string, id: string, name: string): Promise<void>;
  addWebhook(tenantId: string, id: string): Promise<void>;
  names: TileNames;
}

const wholeList = { limit: 1_000, offset: 0 };

/** What every store of alerts, leases and evaluations does. Each case has its own tenant. */
export function alertStoreContract(underTest: () => AlertStoreUnderTest): void {
  async function insert(tenantId: string, alert: Alert, firstWindowEndMs = newYearMs): Promise<Alert> {
    await underTest().alerts.transaction((inside) => inside.insert(tenantId, alert, firstWindowEndMs));
    return alert;
  }

  /** Due times span all tenants: each case uses its own hour so that cases don't take each other's alerts. */
  let hours = 0;
  const ownHour = (): number => newYearMs + ++hours * 1_000 * 3_600_000;

  function claim(owner: string, nowMs: number, max = 10): Promise<LeasedAlert[]> {
    const leaseUntilMs = nowMs + minuteMs;
    return underTest().alertLeases.claimDue({ owner, nowMs, dueBeforeMs: nowMs, leaseUntilMs, max });
  }

  async function claimOnly(tenantId: string, nowMs: number, owner = 'e1'): Promise<LeasedAlert[]> {
    return (await claim(owner, nowMs, 1_000)).filter((leased) => leased.tenantId === tenantId);
  }

  async function claimOne(tenantId: string, nowMs: number, owner = 'e1'): Promise<LeasedAlert> {
    const [leased] = await claimOnly(tenantId, nowMs, owner);
    if (!leased) throw new Error('nothing was due');
    return leased;
  }

  /** Newest window first. */
  async function historyOf(tenantId: string, alertId: string): Promise<Omit<Evaluation, 'notifications'>[]> {
    const { evaluations } = await underTest().alertLog.listEvaluations(tenantId, alertId, wholeList);
    return evaluations.map(({ notifications: _told, ...entry }) => entry);
  }

  describe('alerts', () => {
    it('come back as they were written, at OK and without errors; a foreign one is missing', async () => {
      const [tenantId, other] = [randomIds.hex24(), randomIds.hex24()];
      const alert = await insert(
        tenantId,
        alertOf({ name: 'a "b" \u0000 🚨', scheduleStartAt: null, threshold: 0.65 }),
      );
      expect(await underTest().alerts.find(tenantId, alert.id)).toEqual({ alert, status: 'OK' });
      expect(await underTest().alerts.find(other, alert.id)).toBeUndefined();
      expect(await underTest().alerts.remove(other, alert.id)).toBe(false);
      expect(await underTest().alerts.remove(tenantId, alert.id)).toBe(true);
      expect(await underTest().alerts.remove(tenantId, alert.id)).toBe(false);
    });

    it('are listed in pages in order of creation, with the number of all', async () => {
      const tenantId = randomIds.hex24();
      const alerts = ['f', '0', '8'].map((digit) => alertOf({ id: digit + randomIds.hex24().slice(1) }));
      for (const alert of alerts) await insert(tenantId, alert);
      const listed = await underTest().alerts.list(tenantId, wholeList);
      expect(listed).toEqual({ alerts: alerts.map((alert) => ({ alert, status: 'OK' })), total: 3 });
      const page = await underTest().alerts.list(tenantId, { limit: 1, offset: 2 });
      expect(page).toEqual({ alerts: [{ alert: alerts[2], status: 'OK' }], total: 3 });
      expect(await underTest().alerts.list(tenantId, { limit: 1, offset: 9 })).toEqual({ alerts: [], total: 3 });
    });

    it('look tiles and webhooks up within the tenant; unknown and foreign are the same', async () => {
      const [tenantId, other] = [randomIds.hex24(), randomIds.hex24()];
      const [dashboardId, webhookId] = [randomIds.hex24(), randomIds.hex24()];
      await underTest().addDashboard(tenantId, { id: dashboardId, name: 'Shop', tiles: [tileOf('t1')] });
      await underTest().addWebhook(tenantId, webhookId);
      await underTest().alerts.transaction(async (inside) => {
        expect(await inside.lookUpTile(tenantId, dashboardId, 't1')).toEqual({ kind: 'found', tile: tileOf('t1') });
        expect(await inside.lookUpTile(tenantId, dashboardId, 't2')).toEqual({ kind: 'tileMissing' });
        expect(await inside.lookUpTile(other, dashboardId, 't1')).toEqual({ kind: 'dashboardMissing' });
        expect(await inside.existingWebhooks(tenantId, [webhookId, randomIds.hex24()])).toEqual(new Set([webhookId]));
        expect(await inside.existingWebhooks(other, [webhookId])).toEqual(new Set());
      });
    });

    it('may watch a saved search, looked up within the tenant, whose name can be read', async () => {
      const [tenantId, other, savedSearchId] = [randomIds.hex24(), randomIds.hex24(), randomIds.hex24()];
      await underTest().addSavedSearch(tenantId, savedSearchId, 'Errors');
      await underTest().alerts.transaction(async (inside) => {
        expect(await inside.hasSavedSearch(tenantId, savedSearchId)).toBe(true);
        expect(await inside.hasSavedSearch(other, savedSearchId)).toBe(false);
        expect(await inside.hasSavedSearch(tenantId, randomIds.hex24())).toBe(false);
      });
      const { dashboardId: _dashboard, tileId: _tile, ...rest } = alertOf();
      const alert = await insert(tenantId, { ...rest, savedSearchId, groupBy: 'ServiceName' });
      expect((await underTest().alerts.find(tenantId, alert.id))?.alert).toEqual(alert);
      const watched = { kind: 'savedSearch', savedSearchId } as const;
      expect(await underTest().names.find(tenantId, watched)).toMatchObject({ savedSearch: 'Errors' });
      expect(await underTest().names.find(other, watched)).toEqual({});
    });

    it('knows what tile and dashboard are called, within the tenant', async () => {
      const [tenantId, dashboardId] = [randomIds.hex24(), randomIds.hex24()];
      await underTest().addDashboard(tenantId, { id: dashboardId, name: 'Shop', tiles: [tileOf('t1')] });
      const watched = { kind: 'tile', dashboardId, tileId: 't1' } as const;
      expect(await underTest().names.find(tenantId, watched)).toMatchObject({ dashboard: 'Shop', tile: 'tile t1' });
      expect(await underTest().names.find(tenantId, { ...watched, tileId: 'x' })).toEqual({ dashboard: 'Shop' });
      expect(await underTest().names.find(randomIds.hex24(), watched)).toEqual({});
    });

    it('a transaction that throws leaves nothing behind', async () => {
      const tenantId = randomIds.hex24();
      const failing = underTest().alerts.transaction(async (inside) => {
        await inside.insert(tenantId, alertOf(), newYearMs);
        throw new Error('refused');
      });
      await expect(failing).rejects.toThrow('refused');
      expect(await underTest().alerts.list(tenantId, wholeList)).toEqual({ alerts: [], total: 0 });
    });

    it('decisions A3: a save keeps the state unless it requests a reset', async () => {
      const tenantId = randomIds.hex24();
      const dueMs = ownHour();
      const alert = await insert(tenantId, alertOf(), dueMs);
      const leased = await claimOne(tenantId, dueMs);
      const firing = { status: 'ALERT' as const, groups: [] };
      await underTest().evaluations.commit(evaluationOf(leased, { state: firing }));
      const renamed = { ...alert, name: 'renamed' };
      await underTest().alerts.transaction((inside) => inside.save(tenantId, renamed, { resetState: false }));
      expect(await underTest().alerts.find(tenantId, alert.id)).toMatchObject({ alert: renamed, status: 'ALERT' });
      await underTest().alerts.transaction((inside) => inside.save(tenantId, renamed, { resetState: true }));
      expect(await underTest().alerts.find(tenantId, alert.id)).toMatchObject({ status: 'OK' });
    });
  });

  describe('what people said of an alert', () => {
    const silenced = { by: 'u1', at: '2026-01-01T00:00:00.000Z', until: '2026-01-01T01:00:00.000Z', comment: 'c' };
    const acknowledged = { by: 'u2', at: '2026-01-01T00:00:00.000Z' };

    async function firing(tenantId: string, firingSinceMs: number): Promise<Alert> {
      const dueMs = ownHour();
      const alert = await insert(tenantId, alertOf(), dueMs);
      const group = { group: [], status: 'ALERT' as const, breaches: 1, firingSinceMs };
      const state = { status: 'ALERT' as const, groups: [group] };
      await underTest().evaluations.commit(evaluationOf(await claimOne(tenantId, dueMs), { state }));
      return alert;
    }

    it('while an alert fires, it is known since when the group has that has fired longest', async () => {
      const tenantId = randomIds.hex24();
      const { alerts } = underTest();
      const alert = await firing(tenantId, 1_700_000_000_000);
      expect(await alerts.find(tenantId, alert.id)).toMatchObject({ firingSinceMs: 1_700_000_000_000 });
      expect((await alerts.list(tenantId, wholeList)).alerts).toMatchObject([{ firingSinceMs: 1_700_000_000_000 }]);
      await alerts.transaction((inside) => inside.save(tenantId, alert, { resetState: true }));
      expect((await alerts.find(tenantId, alert.id))?.firingSinceMs).toBeUndefined();
    });

    it('a silence stays as it was written, over edits and when it is over, until it is taken away', async () => {
      const [tenantId, other] = [randomIds.hex24(), randomIds.hex24()];
      const alert = await insert(tenantId, alertOf());
      const { alerts } = underTest();
      const marksOf = (owner: string) => alerts.findMarks(owner, [randomIds.hex24(), alert.id]);
      expect(await marksOf(tenantId)).toEqual(new Map());
      expect(await alerts.setSilenced(other, alert.id, silenced)).toBe(false);
      expect(await alerts.setSilenced(tenantId, randomIds.hex24(), silenced)).toBe(false);
      expect(await alerts.setSilenced(tenantId, alert.id, silenced)).toBe(true);
      await alerts.transaction((inside) => inside.save(tenantId, alert, { resetState: true }));
      expect(await marksOf(tenantId)).toEqual(new Map([[alert.id, { silenced }]]));
      expect(await marksOf(other)).toEqual(new Map());
      expect(await alerts.find(tenantId, alert.id)).toMatchObject({ silenced });
      expect((await alerts.list(tenantId, wholeList)).alerts).toMatchObject([{ silenced }]);
      expect(await alerts.setSilenced(tenantId, alert.id, null)).toBe(true);
      expect(await alerts.find(tenantId, alert.id)).toEqual({ alert, status: 'OK' });
    });

    it('of many alerts are found together, omitting alerts without any', async () => {
      const tenantId = randomIds.hex24();
      const { alerts } = underTest();
      const many = Array.from({ length: 300 }, () => alertOf({ enabled: false }));
      await alerts.transaction(async (inside) => {
        for (const alert of many) await inside.insert(tenantId, alert, newYearMs);
      });
      const ids = many.map(({ id }) => id);
      for (const id of [ids[3], ids[299]]) await alerts.setSilenced(tenantId, id ?? '', silenced);
      expect([...(await alerts.findMarks(tenantId, ids)).keys()].toSorted()).toEqual([ids[3], ids[299]].toSorted());
      expect(await alerts.findMarks(tenantId, [])).toEqual(new Map());
    });

    it('only what fires can be acknowledged', async () => {
      const [tenantId, other] = [randomIds.hex24(), randomIds.hex24()];
      const { alerts } = underTest();
      const quiet = await insert(tenantId, alertOf({ enabled: false }));
      expect(await alerts.setAcknowledged(tenantId, quiet.id, acknowledged)).toBe('notFiring');
      expect(await alerts.setAcknowledged(tenantId, quiet.id, null)).toBe('done');
      expect(await alerts.setAcknowledged(tenantId, randomIds.hex24(), acknowledged)).toBe('missing');
      const alert = await firing(tenantId, newYearMs);
      expect(await alerts.setAcknowledged(other, alert.id, acknowledged)).toBe('missing');
      expect(await alerts.setAcknowledged(tenantId, alert.id, acknowledged)).toBe('done');
      expect(await alerts.findMarks(tenantId, [alert.id])).toEqual(new Map([[alert.id, { acknowledged }]]));
      expect(await alerts.find(tenantId, alert.id)).toMatchObject({ acknowledged });
      expect(await alerts.setAcknowledged(tenantId, alert.id, null)).toBe('done');
      expect(await alerts.find(tenantId, alert.id)).not.toHaveProperty('acknowledged');
    });

    it('an acknowledgement is shown as long as something fires that did when it was given', async () => {
      const tenantId = randomIds.hex24();
      const { alerts } = underTest();
      const alert = await firing(tenantId, newYearMs);
      await alerts.setAcknowledged(tenantId, alert.id, acknowledged);
      await alerts.transaction((inside) => inside.save(tenantId, alert, { resetState: true }));
      expect(await alerts.find(tenantId, alert.id)).not.toHaveProperty('acknowledged');
      const later = await firing(tenantId, newYearMs + 1);
      await alerts.setAcknowledged(tenantId, later.id, acknowledged);
      expect(await alerts.find(tenantId, later.id)).not.toHaveProperty('acknowledged');
    });
  });

  describe('an alert that is not enabled', () => {
    it('is DISABLED and never due, whether it was made so or became so', async () => {
      const tenantId = randomIds.hex24();
      const dueMs = ownHour();
      const made = await insert(tenantId, alertOf({ enabled: false }), dueMs);
      const became = await insert(tenantId, alertOf({ enabled: true }), dueMs);
      const off = { ...became, enabled: false };
      await underTest().alerts.transaction((inside) => inside.save(tenantId, off, { resetState: true }));
      expect(await claimOnly(tenantId, dueMs + 1_000 * minuteMs)).toEqual([]);
      expect(await underTest().alerts.find(tenantId, made.id)).toEqual({ alert: made, status: 'DISABLED' });
      expect(await underTest().alerts.find(tenantId, became.id)).toEqual({ alert: off, status: 'DISABLED' });
    });

    it('stays so over edits, and starts at OK with the window that it is given when it is enabled', async () => {
      const tenantId = randomIds.hex24();
      const dueMs = ownHour();
      const off = await insert(tenantId, alertOf({ enabled: false }), dueMs);
      const edited = { ...off, threshold: 6 };
      const rescheduling = { resetState: true, nextWindowEndMs: dueMs };
      await underTest().alerts.transaction((inside) => inside.save(tenantId, edited, rescheduling));
      expect(await claimOnly(tenantId, dueMs)).toEqual([]);
      expect(await underTest().alerts.find(tenantId, off.id)).toMatchObject({ status: 'DISABLED' });
      const on = { ...edited, enabled: true };
      const nextWindowEndMs = dueMs + 60 * minuteMs;
      await underTest().alerts.transaction((inside) =>
        inside.save(tenantId, on, { resetState: true, nextWindowEndMs }),
      );
      expect(await underTest().alerts.find(tenantId, off.id)).toEqual({ alert: on, status: 'OK' });
      expect(await claimOnly(tenantId, nextWindowEndMs - 1)).toEqual([]);
      expect(await claimOne(tenantId, nextWindowEndMs)).toMatchObject({ nextWindowEndMs, state: { status: 'OK' } });
    });

    it('has no evaluation accepted that was under way', async () => {
      const tenantId = randomIds.hex24();
      const dueMs = ownHour();
      const alert = await insert(tenantId, alertOf(), dueMs);
      const leased = await claimOne(tenantId, dueMs);
      const off = { ...alert, enabled: false };
      await underTest().alerts.transaction((inside) => inside.save(tenantId, off, { resetState: true }));
      expect(await underTest().evaluations.commit(evaluationOf(leased))).toBe('superseded');
      expect(await underTest().alerts.find(tenantId, alert.id)).toMatchObject({ status: 'DISABLED' });
    });
  });

  describe('leases', () => {
    it('are given to one evaluator, only when due, and not again before they end or are given back', async () => {
      const tenantId = randomIds.hex24();
      const dueMs = ownHour();
      const alert = await insert(tenantId, alertOf(), dueMs);
      expect(await claimOnly(tenantId, dueMs - 1)).toEqual([]);
      const leased = await claimOne(tenantId, dueMs);
      expect(leased).toEqual({
        tenantId,
        alert,
        epoch: expect.any(Number),
        nextWindowEndMs: dueMs,
        state: { status: 'OK', groups: [] },
      });
      expect(await claimOnly(tenantId, dueMs + 1, 'e2')).toEqual([]);
      await underTest().alertLeases.release('e2', tenantId, alert.id);
      expect(await claimOnly(tenantId, dueMs + 2, 'e2')).toEqual([]);
      await underTest().alertLeases.release('e1', tenantId, alert.id);
      expect(await claimOnly(tenantId, dueMs + 3, 'e2')).toHaveLength(1);
    });

    it('U-38: of a dead evaluator run out, and another takes over', async () => {
      const tenantId = randomIds.hex24();
      const dueMs = ownHour();
      await insert(tenantId, alertOf(), dueMs);
      await claimOne(tenantId, dueMs, 'dead');
      expect(await claimOnly(tenantId, dueMs + minuteMs - 1, 'e2')).toEqual([]);
      expect(await claimOnly(tenantId, dueMs + minuteMs, 'e2')).toHaveLength(1);
    });

    it('two evaluators that claim concurrently share the alerts and never hold the same one', async () => {
      const tenantId = randomIds.hex24();
      const dueMs = ownHour();
      for (let made = 0; made < 20; made++) await insert(tenantId, alertOf(), dueMs);
      const claims = await Promise.all(['e1', 'e2', 'e3', 'e4'].map((owner) => claim(owner, dueMs, 5)));
      const ids = claims.flat().map(({ alert }) => alert.id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(claims.every((taken) => taken.length <= 5)).toBe(true);
    });

    it('report when the next unclaimed alert is due', async () => {
      const tenantId = randomIds.hex24();
      // Earlier than any other case, and removed again, so that no other alert is the next one.
      const alert = await insert(tenantId, alertOf(), newYearMs - 1_000);
      expect(await underTest().alertLeases.nextDueMs(newYearMs)).toBe(newYearMs - 1_000);
      const [leased] = await claim('e1', newYearMs - 1_000, 1);
      expect(leased?.alert.id).toBe(alert.id);
      expect(await underTest().alertLeases.nextDueMs(newYearMs - 500)).not.toBe(newYearMs - 1_000);
      await underTest().alerts.remove(tenantId, alert.id);
    });
  });

  describe('evaluations', () => {
    async function leasedAlert(parts: Partial<Alert> = {}): Promise<LeasedAlert> {
      const tenantId = randomIds.hex24();
      const dueMs = ownHour();
      await insert(tenantId, alertOf(parts), dueMs);
      return claimOne(tenantId, dueMs);
    }

    it('decisions A5: of one window are accepted once; the second finds it evaluated', async () => {
      const leased = await leasedAlert();
      const { tenantId, alert } = leased;
      const message = messageOf(tenantId);
      const outcomes = await Promise.all([
        underTest().evaluations.commit(evaluationOf(leased, { notifications: [message] })),
        underTest().evaluations.commit(evaluationOf(leased, { notifications: [{ ...message, id: `${message.id}2` }] })),
      ]);
      expect(outcomes.toSorted()).toEqual(['committed', 'superseded']);
      expect(await historyOf(tenantId, alert.id)).toHaveLength(1);
    });

    it('decisions A8: of many alerts are written together, each accepted or rejected independently', async () => {
      const tenantId = randomIds.hex24();
      const dueMs = ownHour();
      for (let made = 0; made < 300; made++) await insert(tenantId, alertOf(), dueMs);
      const leased = await claimOnly(tenantId, dueMs);
      const [edited, evaluated] = leased;
      if (!edited || !evaluated) throw new Error('nothing was due');
      await underTest().alerts.transaction((inside) => inside.save(tenantId, edited.alert, { resetState: false }));
      await underTest().evaluations.commit(evaluationOf(evaluated));
      const evaluations = leased.map((each, index) => {
        const state = { status: 'ALERT' as const, groups: [], fingerprint: `f${index}` };
        return evaluationOf(each, { state, leaseUntilMs: 0, notifications: [messageOf(tenantId)] });
      });
      const twice = evaluations[2];
      if (!twice) throw new Error('nothing was due');
      const outcomes = await underTest().evaluations.commitAll([...evaluations, twice]);
      const refused = outcomes.flatMap((outcome, index) => (outcome === 'superseded' ? [index] : []));
      expect(refused).toEqual([0, 1, 300]);
      expect(await historyOf(tenantId, edited.alert.id)).toEqual([]);
      const nextMs = dueMs + minuteMs;
      const again = (await claimOnly(tenantId, nextMs, 'e2')).filter((each) => each.state.fingerprint !== undefined);
      expect(again.map(({ state }) => state.fingerprint).toSorted()).toEqual(
        leased
          .slice(2)
          .map((_, index) => `f${index + 2}`)
          .toSorted(),
      );
      expect(again.every(({ nextWindowEndMs }) => nextWindowEndMs === nextMs)).toBe(true);
      for (const { alert } of leased.slice(2, 5)) {
        expect(await historyOf(tenantId, alert.id)).toHaveLength(1);
      }
    });

    it('that failed are noted together; the alerts are due again when they say', async () => {
      const tenantId = randomIds.hex24();
      const dueMs = ownHour();
      for (let made = 0; made < 5; made++) await insert(tenantId, alertOf(), dueMs);
      const leased = await claimOnly(tenantId, dueMs);
      const error = { timestamp: new Date(dueMs).toISOString(), type: 'QUERY_ERROR' as const, message: 'no' };
      const failures = leased.map((each, index) => {
        const { tenantId: own, alertId, epoch, nextWindowEndMs, history } = evaluationOf(each);
        const retryDueMs = dueMs + (index + 1) * 1_000;
        return {
          tenantId: own,
          alertId,
          epoch,
          nextWindowEndMs,
          errors: [error],
          history: { ...history, error },
          retryDueMs,
        };
      });
      const outcomes = await underTest().evaluations.recordFailures(failures);
      expect(outcomes).toEqual(failures.map(() => 'committed'));
      await underTest().alertLeases.releaseAll(
        'e1',
        leased.map(({ alert }) => ({ tenantId, alertId: alert.id })),
      );
      expect(await claimOnly(tenantId, dueMs + 2_000, 'e2')).toHaveLength(2);
      const [first] = leased;
      const found = await underTest().alerts.find(tenantId, first?.alert.id ?? '');
      expect(found).toMatchObject({ status: 'OK', executionErrors: [error] });
    });

    it('carry state, history and errors; the next window follows', async () => {
      const leased = await leasedAlert();
      const { tenantId, alert } = leased;
      const group = [{ key: 'host', value: `"'\\u0000 \0\n\ud800 \u{1F514}` }];
      const state = {
        status: 'ALERT' as const,
        groups: [{ group, status: 'ALERT' as const, breaches: 1, firingSinceMs: 1, notifiedMs: 1 }],
        fingerprint: 'f',
      };
      const evaluation = evaluationOf(leased, { state });
      const history = { ...evaluation.history, groups: [{ group, value: 0.1, status: 'ALERT' as const }] };
      expect(await underTest().evaluations.commit({ ...evaluation, history })).toBe('committed');
      expect(await historyOf(tenantId, alert.id)).toEqual([history]);
      expect(await underTest().alerts.find(tenantId, alert.id)).toEqual({
        alert,
        status: 'ALERT',
        firingSinceMs: 1,
        executionErrors: [],
      });
      await underTest().alertLeases.release('e1', tenantId, alert.id);
      const next = await claimOne(tenantId, leased.nextWindowEndMs + minuteMs);
      expect(next).toMatchObject({ state, nextWindowEndMs: leased.nextWindowEndMs + minuteMs });
    });

    it('by an older rule are rejected: the alert was edited meanwhile', async () => {
      const leased = await leasedAlert();
      const { tenantId, alert } = leased;
      await underTest().alerts.transaction((inside) => inside.save(tenantId, alert, { resetState: false }));
      expect(await underTest().evaluations.commit(evaluationOf(leased))).toBe('superseded');
      expect(await historyOf(tenantId, alert.id)).toEqual([]);
    });

    it('of a removed alert are rejected', async () => {
      const leased = await leasedAlert();
      await underTest().alerts.remove(leased.tenantId, leased.alert.id);
      expect(await underTest().evaluations.commit(evaluationOf(leased))).toBe('superseded');
    });

    it('decisions A6: a failure keeps state and window, says why, and is replaced when the window is evaluated', async () => {
      const leased = await leasedAlert();
      const { tenantId, alert, epoch, nextWindowEndMs } = leased;
      const error = { timestamp: new Date(newYearMs).toISOString(), type: 'QUERY_ERROR' as const, message: 'no' };
      const { history } = evaluationOf(leased);
      const failure = { tenantId, alertId: alert.id, epoch, nextWindowEndMs, errors: [error] };
      const retryDueMs = nextWindowEndMs + 30_000;
      await underTest().evaluations.recordFailure({ ...failure, history: { ...history, error }, retryDueMs });
      expect(await underTest().alerts.find(tenantId, alert.id)).toMatchObject({
        status: 'OK',
        executionErrors: [error],
      });
      await underTest().alertLeases.release('e1', tenantId, alert.id);
      expect(await claimOnly(tenantId, retryDueMs - 1)).toEqual([]);
      const again = await claimOne(tenantId, retryDueMs);
      expect(again.nextWindowEndMs).toBe(nextWindowEndMs);
      await underTest().evaluations.commit(evaluationOf(again));
      expect(await historyOf(tenantId, alert.id)).toEqual([evaluationOf(again).history]);
      expect(await underTest().alerts.find(tenantId, alert.id)).toMatchObject({ executionErrors: [] });
    });
  });

  describe('alerts whose next look is far ahead', () => {
    const far = async (tenantId: string, dueAfterMs: number) => {
      const all = await underTest().farAlerts.listFar({ dueAfterMs, afterId: '', limit: 10_000 });
      return all.filter((each) => each.tenantId === tenantId);
    };

    it('are listed by id, with what was evaluated last, and moved back unless they changed meanwhile', async () => {
      const tenantId = randomIds.hex24();
      const nowMs = ownHour();
      const alert = await insert(tenantId, alertOf(), nowMs);
      await insert(tenantId, alertOf({ enabled: false }), nowMs);
      const leased = await claimOne(tenantId, nowMs);
      const followingWindowEndMs = nowMs + 500 * minuteMs;
      await underTest().evaluations.commit(evaluationOf(leased, { followingWindowEndMs }));
      expect(await far(tenantId, followingWindowEndMs)).toEqual([]);
      const [found] = await far(tenantId, followingWindowEndMs - 1);
      expect(found).toMatchObject({
        tenantId,
        alert,
        epoch: 1,
        nextWindowEndMs: followingWindowEndMs,
        dueMs: followingWindowEndMs,
      });
      const request = { alertId: alert.id, endedByMs: nowMs, limit: 5 };
      const evaluated = { windowEndMs: nowMs, evaluatedAtMs: nowMs, failed: false };
      expect(await underTest().farAlerts.lastWindows(request)).toEqual([evaluated]);
      expect(await underTest().farAlerts.lastWindows({ ...request, endedByMs: nowMs - 1 })).toEqual([]);
      const state = { status: 'PENDING' as const, groups: [] };
      const move = { tenantId, alertId: alert.id, epoch: 1, nextWindowEndMs: nowMs, state };
      await underTest().farAlerts.moveBack([{ ...move, epoch: 2 }]);
      expect(await claimOnly(tenantId, nowMs)).toEqual([]);
      await underTest().farAlerts.moveBack([move]);
      expect(await historyOf(tenantId, alert.id)).toEqual([]);
      expect(await claimOne(tenantId, nowMs)).toMatchObject({ epoch: 2, nextWindowEndMs: nowMs, state });
      // Evaluations that began before it was moved back are rejected.
      expect(await underTest().evaluations.commit(evaluationOf(leased))).toBe('superseded');
    });

    it('leases that would last too long are ended', async () => {
      const tenantId = randomIds.hex24();
      const nowMs = ownHour();
      await insert(tenantId, alertOf(), nowMs);
      await claimOne(tenantId, nowMs);
      await underTest().farAlerts.endLeasesAfter(nowMs + minuteMs);
      expect(await claimOnly(tenantId, nowMs + 1)).toEqual([]);
      await underTest().farAlerts.endLeasesAfter(nowMs + minuteMs - 1);
      expect(await claimOnly(tenantId, nowMs + 1)).toHaveLength(1);
    });
  });
}
