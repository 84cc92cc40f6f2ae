import { beforeEach, describe, expect, it } from 'vitest';
import type { HistoryEntry } from '../../src/evaluator/alert-state.ts';
import type { LeasedAlert } from '../../src/evaluator/lease.ts';
import type { OutgoingNotification } from '../../src/evaluator/ports.ts';
import { randomIds } from '../../src/kernel/ids.ts';
import type { AttemptResult } from '../../src/notify/outbox.ts';
import type { AlertTrend, LogPage, TrendsRequest, WindowEndRange } from '../../src/resources/alerts/alert-log.ts';
import { alertOf, evaluationOf, messageOf, minuteMs, newYearMs } from '../support/alert-fixtures.ts';
import type { AlertStoreUnderTest } from './alert-store.contract.ts';

const page = { limit: 100, offset: 0 };
const group = [{ key: 'host', value: 'a' }];

/** What every log of alerts answers. Each case has its own alert and hour. */
export function alertLogContract(underTest: () => AlertStoreUnderTest): void {
  let tenantId = '';
  let alertId = '';
  let webhookId = '';
  let nowMs = newYearMs;

  beforeEach(async () => {
    nowMs += 3_600_000;
    const alert = alertOf();
    [tenantId, alertId, webhookId] = [randomIds.hex24(), alert.id, randomIds.hex24()];
    await underTest().addWebhook(tenantId, webhookId);
    await underTest().alerts.transaction((inside) => inside.insert(tenantId, alert, nowMs));
  });

  async function lease(): Promise<LeasedAlert> {
    const claim = { owner: 'e1', nowMs, dueBeforeMs: nowMs, leaseUntilMs: nowMs, max: 1_000 };
    const own = (await underTest().alertLeases.claimDue(claim)).find(({ alert }) => alert.id === alertId);
    if (!own) throw new Error('the alert was not due');
    return own;
  }

  /** Evaluates the next window, one minute long, and moves on to the end of the one after it. */
  async function evaluate(messages: readonly OutgoingNotification[] = []) {
    const evaluation = evaluationOf(await lease(), { notifications: messages, leaseUntilMs: 0 });
    const { windowEndMs } = evaluation.history;
    const history = { ...evaluation.history, durationMs: 12, groups: [{ group, value: 7, status: 'ALERT' as const }] };
    await underTest().evaluations.commit({ ...evaluation, history });
    nowMs = windowEndMs + minuteMs;
    return history;
  }

  function message(reason: 'firing' | 'resolved' = 'firing'): OutgoingNotification {
    const made = messageOf(tenantId, { webhookId, createdAtMs: nowMs });
    const { notification } = made;
    const window = { startMs: nowMs - minuteMs, endMs: nowMs };
    const alert = { ...notification.alert, id: alertId };
    return { ...made, notification: { ...notification, reason, group, window, alert } };
  }

  async function attempt(
    result: AttemptResult,
    parts: { status?: number; error?: string; notice?: string },
  ): Promise<void> {
    const request = { claim: randomIds.uuid(), nowMs, claimUntilMs: nowMs, max: 100, perWebhookMax: 100 };
    const claimed = await underTest().outbox.claimDue({ ...request });
    const own = claimed.find((open) => open.message.tenantId === tenantId);
    if (!own) throw new Error('no message was due');
    await underTest().outbox.record(own, { atMs: nowMs, durationMs: 3, ...parts }, result);
  }

  const deliveries = (of = tenantId, part = page) => underTest().alertLog.listDeliveries(of, alertId, part);
  const evaluations = (of = tenantId, part: LogPage & WindowEndRange = page) =>
    underTest().alertLog.listEvaluations(of, alertId, part);
  const refused = { status: 500, error: 'The receiver answered 500.' };

  describe('deliveries', () => {
    it('are the attempts, newest first, each with what became of its message', async () => {
      const sent = message();
      await evaluate([sent]);
      await attempt({ kind: 'retry', nextAttemptMs: nowMs }, refused);
      const common = {
        messageId: sent.id,
        webhookId: sent.webhookId,
        durationMs: 3,
        notification: { reason: 'firing', group },
      };
      const first = { ...common, id: `${sent.id}-1`, atMs: nowMs, attempt: 1, ...refused };
      expect(await deliveries()).toEqual({
        deliveries: [{ ...first, state: 'failing', nextAttemptMs: nowMs, replayable: false }],
        total: 1,
      });
      await attempt({ kind: 'delivered' }, { status: 200 });
      const second = { ...common, id: `${sent.id}-2`, atMs: nowMs, attempt: 2, status: 200 };
      expect((await deliveries()).deliveries).toEqual([
        { ...second, state: 'delivered', replayable: true },
        { ...first, state: 'delivered', replayable: true },
      ]);
    });

    it('say when a message was given up', async () => {
      await evaluate([message('resolved')]);
      await attempt({ kind: 'failed' }, refused);
      expect((await deliveries()).deliveries).toMatchObject([
        { state: 'given_up', notification: { reason: 'resolved' } },
      ]);
    });

    it('report when a waiting message is due, and that one given up unsent did not arrive', async () => {
      const sent = message();
      await evaluate([sent]);
      const untried = {
        id: `${sent.id}-1`,
        messageId: sent.id,
        attempt: 1,
        webhookId,
        notification: { reason: 'firing', group },
      };
      expect((await deliveries()).deliveries).toMatchObject([{ ...untried, state: 'queued', replayable: false }]);
      const other = message();
      await evaluate([other]);
      const request = { claim: 'c', nowMs, claimUntilMs: nowMs, max: 1, perWebhookMax: 1 };
      const [claimed] = (await underTest().outbox.claimDue({ ...request, max: 100 })).filter(
        (open) => open.message.tenantId === tenantId,
      );
      if (!claimed) throw new Error('no message was due');
      const waiting = { nowMs, createdAfterMs: nowMs + 1, max: 10 };
      const receiver = { kind: 'fails', failures: 1, resumeMs: nowMs + 9_000, waiting } as const;
      await underTest().outbox.record(
        claimed,
        { atMs: nowMs, durationMs: 1, ...refused },
        { kind: 'failed' },
        receiver,
      );
      const given = (await deliveries()).deliveries.find(({ messageId }) => messageId !== claimed.message.id);
      expect(given).toMatchObject({ state: 'given_up', error: expect.stringContaining('before it was sent') });
      expect((await evaluations()).evaluations.flatMap(({ notifications }) => notifications)).toMatchObject([
        { state: 'given_up', attempts: expect.any(Number), lastError: expect.any(String) },
        { state: 'given_up', attempts: expect.any(Number), lastError: expect.any(String) },
      ]);
    });

    it('are paged, and empty for another tenant', async () => {
      await evaluate([message()]);
      for (let tries = 0; tries < 3; tries++) await attempt({ kind: 'retry', nextAttemptMs: nowMs }, refused);
      await attempt({ kind: 'delivered' }, { status: 200 });
      const middle = await deliveries(tenantId, { limit: 2, offset: 1 });
      expect([middle.total, middle.deliveries.map((line) => line.attempt)]).toEqual([4, [3, 2]]);
      expect(await deliveries(randomIds.hex24())).toEqual({ deliveries: [], total: 0 });
    });

    it('outlive their message, with reason and group; their own error shows the outcome', async () => {
      await evaluate([message()]);
      await attempt({ kind: 'delivered' }, { status: 200 });
      const writtenMs = nowMs - minuteMs;
      await underTest().oldRecords.removeBefore(writtenMs + 1, 10_000);
      const [line] = (await deliveries()).deliveries;
      expect(line).toMatchObject({ state: 'delivered', notification: { reason: 'firing', group } });
    });

    it('keep what was wrong with a template', async () => {
      await evaluate([message()]);
      const notice = 'The webhook’s body is not a usable template.';
      await attempt({ kind: 'delivered' }, { status: 200, notice });
      expect((await deliveries()).deliveries).toMatchObject([{ state: 'delivered', notice }]);
    });
  });

  describe('replays', () => {
    const replay = (id: string, parts: { tenantId?: string; alertId?: string } = {}) =>
      underTest().alertLog.replay({
        tenantId,
        alertId,
        deliveryId: id,
        messageId: randomIds.secret(16),
        nowMs,
        ...parts,
      });

    it.each(['delivered', 'failed'] as const)(
      'a %s message is queued once more, the same to its receiver',
      async (kind) => {
        const sent = message();
        await evaluate([sent]);
        await attempt({ kind }, kind === 'delivered' ? { status: 200 } : refused);
        const outcome = await replay(`${sent.id}-1`);
        if (outcome.kind !== 'queued') throw new Error(`the replay is ${outcome.kind}`);
        const { delivery } = outcome;
        expect(delivery).toMatchObject({ state: 'queued', attempt: 1, notification: { reason: 'replay', group } });
        expect(delivery.id).not.toBe(`${sent.id}-1`);
        const request = { claim: 'c', nowMs, claimUntilMs: nowMs, max: 100, perWebhookMax: 100 };
        const claimed = (await underTest().outbox.claimDue(request)).find((open) => open.message.tenantId === tenantId);
        const { id: _id, createdAtMs: _createdAt, replayOf, ...again } = claimed?.message ?? sent;
        const { id: _first, createdAtMs: _firstAt, ...original } = sent;
        expect([again, replayOf]).toEqual([original, sent.id]);
        await attempt({ kind: 'delivered' }, { status: 200 });
        expect((await deliveries()).deliveries[0]).toMatchObject({
          id: delivery.id,
          state: 'delivered',
          notification: { reason: 'replay', group },
        });
        const [fired] = (await evaluations()).evaluations;
        expect(fired?.notifications).toHaveLength(1);
      },
    );

    it('none of a message that is still to be sent, or no longer kept', async () => {
      const sent = message();
      await evaluate([sent]);
      await attempt({ kind: 'retry', nextAttemptMs: nowMs }, refused);
      expect(await replay(`${sent.id}-1`)).toEqual({ kind: 'pending' });
      await attempt({ kind: 'delivered' }, { status: 200 });
      await underTest().oldRecords.removeBefore(nowMs - minuteMs + 1, 10_000);
      expect(await replay(`${sent.id}-2`)).toEqual({ kind: 'pruned' });
    });

    it('none to a webhook that is gone', async () => {
      webhookId = randomIds.hex24();
      const sent = message();
      await evaluate([sent]);
      await attempt({ kind: 'failed' }, refused);
      expect((await deliveries()).deliveries).toMatchObject([{ replayable: false }]);
      expect(await replay(`${sent.id}-1`)).toEqual({ kind: 'webhookGone' });
    });

    it('decisions F2: none of another tenant or alert, nor of an attempt that was never made', async () => {
      const sent = message();
      await evaluate([sent]);
      await attempt({ kind: 'delivered' }, { status: 200 });
      for (const parts of [{ tenantId: randomIds.hex24() }, { alertId: randomIds.hex24() }]) {
        expect(await replay(`${sent.id}-1`, parts)).toEqual({ kind: 'missing' });
      }
      for (const id of [`${sent.id}-2`, `${sent.id}-0`, sent.id, '', '-1', "x'-1"]) {
        expect(await replay(id)).toEqual({ kind: 'missing' });
      }
    });
  });

  describe('evaluations', () => {
    it('are the evaluated windows, newest first, with the messages that each of them made', async () => {
      const quiet = await evaluate();
      const sent = message();
      const fired = await evaluate([sent]);
      await attempt({ kind: 'delivered' }, { status: 200 });
      const ended = await evaluate([message('resolved')]);
      const target = { webhookId: sent.webhookId, group };
      const once = { attempts: 1, lastAttemptMs: expect.any(Number), lastStatus: 200 };
      expect(await evaluations()).toEqual({
        evaluations: [
          { ...ended, notifications: [{ ...target, reason: 'resolved', state: 'queued', attempts: 0 }] },
          { ...fired, notifications: [{ ...target, reason: 'firing', state: 'delivered', ...once }] },
          { ...quiet, notifications: [] },
        ],
        total: 3,
      });
      await attempt({ kind: 'delivered' }, { status: 200 });
    });

    it('are paged, and empty for another tenant', async () => {
      const ends: number[] = [];
      for (let window = 0; window < 4; window++) ends.push((await evaluate()).windowEndMs);
      const middle = await evaluations(tenantId, { limit: 2, offset: 1 });
      expect(middle.evaluations.map(({ windowEndMs }) => windowEndMs)).toEqual([ends[2], ends[1]]);
      expect(middle.total).toBe(4);
      expect(await evaluations(randomIds.hex24())).toEqual({ evaluations: [], total: 0 });
    });

    it('of a range are those that end in it, after its start and at its end too', async () => {
      const ends: number[] = [];
      for (let window = 0; window < 4; window++) ends.push((await evaluate()).windowEndMs);
      const [first = 0, second = 0, third = 0, fourth = 0] = ends;
      const endsOf = async (range: WindowEndRange, part = page) => {
        const { evaluations: found, total } = await evaluations(tenantId, { ...part, ...range });
        return [found.map(({ windowEndMs }) => windowEndMs), total];
      };
      expect(await endsOf({ startMs: first, endMs: third })).toEqual([[third, second], 2]);
      expect(await endsOf({ startMs: first - 1, endMs: third - 1 })).toEqual([[second, first], 2]);
      expect(await endsOf({ startMs: second })).toEqual([[fourth, third], 2]);
      expect(await endsOf({ endMs: third }, { limit: 1, offset: 1 })).toEqual([[second], 3]);
      expect(await endsOf({ startMs: fourth })).toEqual([[], 0]);
    });
  });
  describe('trends', () => {
    const trends = (parts: Partial<TrendsRequest> = {}) =>
      underTest().alertLog.listTrends({
        tenantId,
        alertIds: [alertId],
        windowsMax: 24,
        charactersMax: 10_000,
        ...parts,
      });
    const endsOf = ([trend]: readonly AlertTrend[]) => trend?.windows.map(({ windowEndMs }) => windowEndMs);

    async function another(): Promise<string> {
      const alert = alertOf();
      await underTest().alerts.transaction((inside) => inside.insert(tenantId, alert, nowMs + 24 * 3_600_000));
      return alert.id;
    }

    it('are the newest windows of each alert as they were kept, oldest first', async () => {
      const kept: HistoryEntry[] = [];
      for (let window = 0; window < 4; window++) kept.push(await evaluate());
      const young = await another();
      const found = await trends({ alertIds: [young, alertId], windowsMax: 3 });
      expect(found.map(({ alert }) => alert.id)).toEqual([alertId, young]);
      expect(found.map(({ windows }) => windows)).toEqual([kept.slice(1), []]);
      expect(found.map(({ notifications }) => notifications)).toEqual([[], []]);
    });

    it('leave out windows that are too long together, but never the newest', async () => {
      const ends: number[] = [];
      for (let window = 0; window < 4; window++) ends.push((await evaluate()).windowEndMs);
      const length = JSON.stringify((await trends())[0]?.windows[0]).length;
      expect(endsOf(await trends({ charactersMax: 1 }))).toEqual(ends.slice(3));
      expect(endsOf(await trends({ charactersMax: length }))).toEqual(ends.slice(3));
      expect(endsOf(await trends({ charactersMax: length + 1 }))).toEqual(ends.slice(2));
    });

    it('decisions F2: leave out alerts of another tenant, and those that there are not', async () => {
      await evaluate();
      expect(await trends({ tenantId: randomIds.hex24() })).toEqual([]);
      expect(await trends({ alertIds: [randomIds.hex24()] })).toEqual([]);
      expect(endsOf(await trends({ alertIds: [randomIds.hex24(), alertId, alertId] }))).toHaveLength(1);
    });

    it('have what became of the newest message to each channel, before one that waits behind it', async () => {
      const alert = alertOf({ channels: [{ type: 'webhook', webhookId }] });
      alertId = alert.id;
      await underTest().alerts.transaction((inside) => inside.insert(tenantId, alert, nowMs));
      const notifications = async () => (await trends())[0]?.notifications;
      await evaluate([message()]);
      expect(await notifications()).toEqual([{ webhookId, state: 'queued', attempts: 0 }]);
      await attempt({ kind: 'retry', nextAttemptMs: nowMs }, refused);
      const tried = { webhookId, attempts: 1, lastAttemptMs: nowMs, lastStatus: 500, lastError: refused.error };
      expect(await notifications()).toEqual([{ ...tried, state: 'failing' }]);
      await evaluate([{ ...message(), webhookId: randomIds.hex24() }, message()]);
      expect(await notifications()).toEqual([{ ...tried, state: 'failing' }]);
      await attempt({ kind: 'delivered' }, { status: 200 });
      expect(await notifications()).toMatchObject([{ state: 'delivered', attempts: 2 }]);
    });
  });
}
