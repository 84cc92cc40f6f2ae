import { beforeEach, describe, expect, it } from 'vitest';
import type { LeasedAlert } from '../../src/evaluator/lease.ts';
import type { OutgoingNotification } from '../../src/evaluator/ports.ts';
import { randomIds } from '../../src/kernel/ids.ts';
import type { AttemptResult } from '../../src/notify/outbox.ts';
import { alertOf, evaluationOf, messageOf, minuteMs } from '../support/alert-fixtures.ts';
import type { AlertStoreUnderTest } from './alert-store.contract.ts';

/** Before anything that other suites write, so that only this suite's rows are old. */
const longAgoMs = Date.UTC(2000, 0, 1);
const dayMs = 24 * 60 * minuteMs;

/** What every store of old records does. */
export function oldRecordsContract(underTest: () => AlertStoreUnderTest): void {
  let tenantId = '';
  let alertId = '';

  beforeEach(async () => {
    const alert = alertOf();
    [tenantId, alertId] = [randomIds.hex24(), alert.id];
    await underTest().alerts.transaction((inside) => inside.insert(tenantId, alert, longAgoMs));
    await remove(longAgoMs + 100 * dayMs);
  });

  async function remove(beforeMs: number, rowsMax = 1_000): Promise<number> {
    return underTest().oldRecords.removeBefore(beforeMs, rowsMax);
  }

  async function leaseOwn(nowMs: number): Promise<LeasedAlert> {
    const claim = { owner: 'e1', nowMs, dueBeforeMs: nowMs, leaseUntilMs: nowMs, max: 1_000 };
    const leased = await underTest().alertLeases.claimDue(claim);
    const own = leased.find(({ alert }) => alert.id === alertId);
    if (!own) throw new Error('the alert was not due');
    return own;
  }

  /** Evaluates the windows that end then, one after the other, with messages of the last one. */
  async function evaluate(
    endsMs: readonly number[],
    notifications: readonly OutgoingNotification[] = [],
  ): Promise<void> {
    for (const [index, endMs] of endsMs.entries()) {
      const leased = await leaseOwn(endMs);
      const last = index === endsMs.length - 1;
      const { history } = evaluationOf({ ...leased, nextWindowEndMs: endMs });
      await underTest().evaluations.commit(
        evaluationOf(leased, {
          history,
          followingWindowEndMs: endsMs[index + 1] ?? endMs,
          leaseUntilMs: 0,
          notifications: last ? notifications : [],
        }),
      );
    }
  }

  function message(createdAtMs: number): OutgoingNotification {
    const made = messageOf(tenantId, { createdAtMs });
    return { ...made, notification: { ...made.notification, alert: { ...made.notification.alert, id: alertId } } };
  }

  async function claimed(nowMs: number) {
    const request = { claim: randomIds.uuid(), nowMs, claimUntilMs: nowMs, max: 100, perWebhookMax: 100 };
    return underTest().outbox.claimDue({ ...request });
  }

  async function attemptAll(atMs: number, result: AttemptResult): Promise<void> {
    for (const open of await claimed(atMs)) {
      await underTest().outbox.record(open, { atMs, durationMs: 1, status: 200 }, result);
    }
  }

  const historyEnds = async () =>
    (await underTest().alertLog.listEvaluations(tenantId, alertId, { limit: 100, offset: 0 })).evaluations.map(
      ({ windowEndMs }) => windowEndMs,
    );
  const attemptTimes = async () =>
    (await underTest().outbox.listAttempts(tenantId, alertId, 100)).map(({ atMs }) => atMs);

  describe('old records', () => {
    it('history rows from before the instant go; the alert and the rest of its history stay', async () => {
      await evaluate([longAgoMs, longAgoMs + dayMs, longAgoMs + 2 * dayMs]);
      expect(await remove(longAgoMs + dayMs)).toBe(1);
      expect(await historyEnds()).toEqual([longAgoMs + 2 * dayMs, longAgoMs + dayMs]);
      expect(await underTest().alerts.find(tenantId, alertId)).toBeDefined();
      expect(await remove(longAgoMs + dayMs)).toBe(0);
    });

    it('at most so many are removed at a time, the oldest first', async () => {
      const ends = [0, 1, 2, 3, 4].map((day) => longAgoMs + day * dayMs);
      await evaluate(ends);
      expect(await remove(longAgoMs + 10 * dayMs, 2)).toBe(2);
      expect(await historyEnds()).toEqual(ends.slice(2).toReversed());
    });

    it.each(['delivered', 'failed'] as const)('%s messages and their attempts go', async (kind) => {
      const old = message(longAgoMs);
      await evaluate([longAgoMs], [old]);
      await attemptAll(longAgoMs, { kind });
      await evaluate([longAgoMs], [old]);
      expect(await claimed(longAgoMs + dayMs)).toEqual([]);
      expect(await remove(longAgoMs + 1)).toBe(3);
      expect(await attemptTimes()).toEqual([]);
      // The id is free again: nothing of the message is left.
      await evaluate([longAgoMs], [old]);
      expect(await claimed(longAgoMs + dayMs)).toHaveLength(1);
      await attemptAll(longAgoMs + dayMs, { kind });
    });

    it('messages that are still to be sent stay, however old; attempts go by their own age', async () => {
      await evaluate([longAgoMs], [message(longAgoMs)]);
      await attemptAll(longAgoMs, { kind: 'retry', nextAttemptMs: longAgoMs + dayMs });
      await attemptAll(longAgoMs + dayMs, { kind: 'retry', nextAttemptMs: longAgoMs + 2 * dayMs });
      await remove(longAgoMs + dayMs);
      expect(await attemptTimes()).toEqual([longAgoMs + dayMs]);
      expect(await claimed(longAgoMs + 2 * dayMs)).toHaveLength(1);
      await attemptAll(longAgoMs + 2 * dayMs, { kind: 'delivered' });
    });

    it('two concurrent removals share the rows', async () => {
      await evaluate(Array.from({ length: 20 }, (_, minute) => longAgoMs + minute * minuteMs));
      const before = longAgoMs + dayMs;
      const removed = await Promise.all([remove(before, 10), remove(before, 10)]);
      expect((removed[0] ?? 0) + (removed[1] ?? 0) + (await historyEnds()).length).toBe(20);
      while ((await remove(before, 10)) > 0);
      expect(await historyEnds()).toEqual([]);
    });
  });
}
