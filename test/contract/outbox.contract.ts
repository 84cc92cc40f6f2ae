import { beforeEach, describe, expect, it } from 'vitest';
import type { OutgoingNotification } from '../../src/evaluator/ports.ts';
import { randomIds } from '../../src/kernel/ids.ts';
import type { ClaimedMessage, Outbox } from '../../src/notify/outbox.ts';
import { alertOf, evaluationOf, messageOf, newYearMs } from '../support/alert-fixtures.ts';
import type { AlertStoreUnderTest } from './alert-store.contract.ts';

const delivered = { kind: 'delivered' } as const;
const attempt = { atMs: newYearMs, durationMs: 12, status: 200 };
const refused = { atMs: newYearMs, durationMs: 12, status: 500, error: 'The receiver answered 500.' };

/** What every outbox does. Before each case whatever is open is delivered, so that cases see their own messages only. */
export function outboxContract(underTest: () => AlertStoreUnderTest): void {
  const outbox = (): Outbox => underTest().outbox;
  let tenantId = '';
  let alertId = '';
  let nowMs = newYearMs;

  const claim = (parts: Partial<Parameters<Outbox['claimDue']>[0]> = {}): Promise<ClaimedMessage[]> =>
    outbox().claimDue({
      claim: randomIds.uuid(),
      nowMs,
      claimUntilMs: nowMs + 60_000,
      max: 100,
      perWebhookMax: 100,
      ...parts,
    });

  const nextDue = () => outbox().nextDueMs({ nowMs, perWebhookMax: 100 });

  /** Writes messages as the evaluator does, in an evaluation. */
  async function write(messages: readonly OutgoingNotification[]): Promise<void> {
    const [leased] = await underTest().alertLeases.claimDue({
      owner: 'e1',
      nowMs,
      dueBeforeMs: nowMs,
      leaseUntilMs: nowMs,
      max: 1,
    });
    if (!leased) throw new Error('the alert was not due');
    const followingWindowEndMs = leased.nextWindowEndMs;
    await underTest().evaluations.commit(
      evaluationOf(leased, { notifications: messages, followingWindowEndMs, leaseUntilMs: 0 }),
    );
  }

  function message(parts: Partial<OutgoingNotification> = {}): OutgoingNotification {
    const made = messageOf(tenantId, { createdAtMs: nowMs, ...parts });
    return { ...made, notification: { ...made.notification, alert: { ...made.notification.alert, id: alertId } } };
  }

  beforeEach(async () => {
    nowMs += 3_600_000;
    for (const open of await claim({ max: 10_000, perWebhookMax: 10_000 }))
      await outbox().record(open, attempt, delivered);
    if (alertId) await underTest().alerts.remove(tenantId, alertId);
    const alert = alertOf();
    tenantId = randomIds.hex24();
    alertId = alert.id;
    await underTest().alerts.transaction((inside) => inside.insert(tenantId, alert, newYearMs - 1));
  });

  it('hands a message out once; the claim of a killed sender runs out', async () => {
    const written = message();
    await write([written]);
    const first = { message: written, attempts: 0, claim: expect.any(String), receiverFailures: 0 };
    expect(await claim()).toEqual([first]);
    expect(await claim()).toEqual([]);
    expect(await nextDue()).toBe(nowMs + 60_000);
    expect(await claim({ nowMs: nowMs + 60_000, claimUntilMs: nowMs + 120_000 })).toHaveLength(1);
  });

  it('keeps one message of each id', async () => {
    const written = message();
    await write([written]);
    await write([written]);
    expect(await claim()).toHaveLength(1);
  });

  it('two concurrent senders never get the same message', async () => {
    await write(Array.from({ length: 30 }, () => message()));
    const claims = await Promise.all([1, 2, 3].map(() => claim({ max: 10 })));
    const ids = claims.flat().map(({ message: { id } }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('a failed try comes back when it is due, with its number; a delivered message never', async () => {
    await write([message()]);
    const [first] = await claim();
    if (!first) throw new Error('nothing was due');
    await outbox().record(first, refused, { kind: 'retry', nextAttemptMs: nowMs + 2_000 });
    expect(await claim({ nowMs: nowMs + 1_999 })).toEqual([]);
    expect(await nextDue()).toBe(nowMs + 2_000);
    const [second] = await claim({ nowMs: nowMs + 2_000 });
    expect(second?.attempts).toBe(1);
    if (second) await outbox().record(second, attempt, delivered);
    expect(await claim({ nowMs: nowMs + 9_000_000 })).toEqual([]);
    expect(await nextDue()).toBeUndefined();
  });

  it('decisions A8: logs every attempt, newest first, for its own tenant only', async () => {
    const written = message();
    await write([written]);
    const [first] = await claim();
    if (!first) throw new Error('nothing was due');
    await outbox().record(first, refused, { kind: 'retry', nextAttemptMs: nowMs });
    const [second] = await claim();
    if (second) await outbox().record(second, attempt, delivered);
    expect(await outbox().listAttempts(tenantId, alertId, 10)).toEqual([
      { messageId: written.id, attempt: 2, ...attempt },
      { messageId: written.id, attempt: 1, ...refused },
    ]);
    expect(await outbox().listAttempts(randomIds.hex24(), alertId, 10)).toEqual([]);
  });

  it('a late failure of a sender that lost its claim does not undo the delivery of the next one', async () => {
    await write([message()]);
    const [slow] = await claim();
    const [fast] = await claim({ nowMs: nowMs + 60_000 });
    if (!slow || !fast) throw new Error('nothing was due');
    await outbox().record(fast, attempt, delivered);
    await outbox().record(slow, refused, { kind: 'retry', nextAttemptMs: nowMs });
    expect(await claim({ nowMs: nowMs + 9_000_000 })).toEqual([]);
  });

  it('"resolved" waits behind "firing" of the same alert, webhook and group, and does not keep the sender awake', async () => {
    const [firing, resolved] = [message({ eventId: 'one' }), message({ eventId: 'one' })];
    await write([firing, resolved]);
    const [first] = await claim();
    if (!first) throw new Error('nothing was due');
    expect(first.message.id).toBe(firing.id);
    expect(await claim()).toEqual([]);
    await outbox().record(first, refused, { kind: 'retry', nextAttemptMs: nowMs + 5_000 });
    expect(await nextDue()).toBe(nowMs + 5_000);
    const [retried] = await claim({ nowMs: nowMs + 5_000 });
    if (retried) await outbox().record(retried, refused, { kind: 'failed' });
    expect((await claim()).map((claimed) => claimed.message.id)).toEqual([resolved.id]);
  });

  it('U-43: of one webhook only so many go out together, those under way included', async () => {
    const many = Array.from({ length: 5 }, () => message({ webhookId: 'slow' }));
    await write([...many, message({ webhookId: 'quick' })]);
    const claimed = await claim({ perWebhookMax: 2 });
    expect(claimed.map(({ message: { webhookId } }) => webhookId).toSorted()).toEqual(['quick', 'slow', 'slow']);
    // Whichever sender has them.
    expect(await claim({ perWebhookMax: 2 })).toEqual([]);
    expect(await outbox().nextDueMs({ nowMs, perWebhookMax: 2 })).toBe(nowMs + 60_000);
    expect(await claim({ perWebhookMax: 3 })).toHaveLength(1);
  });

  describe('a receiver that fails', () => {
    const busy = { atMs: newYearMs, durationMs: 12, status: 503, error: 'The receiver answered 503.' };
    const fails = (failures: number, resumeMs: number) => ({ kind: 'fails', failures, resumeMs }) as const;
    const answers = { kind: 'answers' } as const;
    const idsOf = (claimed: readonly ClaimedMessage[]) => claimed.map(({ message: { id } }) => id);
    const only = async (atMs: number, webhookId: string): Promise<ClaimedMessage> => {
      const all = await claim({ nowMs: atMs, claimUntilMs: atMs + 60_000, perWebhookMax: 4 });
      const claimed = all.filter((each) => each.message.webhookId === webhookId);
      expect(claimed).toHaveLength(1);
      const [one] = claimed;
      if (!one) throw new Error('nothing was due');
      return one;
    };

    it('is left in peace, asked by one probe at a time, and gets all in their order when it is back', async () => {
      const webhookId = randomIds.hex24();
      const written = Array.from({ length: 10 }, () => message({ webhookId }));
      await write(written);
      const tried = await claim({ perWebhookMax: 4 });
      expect(idsOf(tried)).toEqual(idsOf(tried.toSorted((a, b) => orderOf(a) - orderOf(b))));
      const resumeMs = nowMs + 30_000;
      for (const each of tried) await outbox().record(each, busy, { kind: 'retry' }, fails(1, resumeMs));
      expect(await claim({ nowMs: resumeMs - 1, perWebhookMax: 4 })).toEqual([]);
      expect(await outbox().nextDueMs({ nowMs, perWebhookMax: 4 })).toBe(resumeMs);
      const probe = await only(resumeMs, webhookId);
      expect([probe.message.id, probe.receiverFailures, probe.attempts]).toEqual([written[0]?.id, 1, 1]);
      expect(await claim({ nowMs: resumeMs, perWebhookMax: 4 })).toEqual([]);
      await outbox().record(probe, busy, { kind: 'retry' }, fails(2, resumeMs + 60_000));
      expect(await claim({ nowMs: resumeMs + 59_999, perWebhookMax: 4 })).toEqual([]);
      const second = await only(resumeMs + 60_000, webhookId);
      expect(second.receiverFailures).toBe(2);
      await outbox().record(second, attempt, delivered, answers);
      const rest = await claim({ nowMs: resumeMs + 60_000, perWebhookMax: 100 });
      expect(idsOf(rest)).toEqual(written.slice(1).map(({ id }) => id));

      function orderOf({ message: { id } }: ClaimedMessage): number {
        return written.findIndex((each) => each.id === id);
      }
    });

    it('holds up no other, and what was under way before it failed does not end its rest', async () => {
      const [slow, well] = [randomIds.hex24(), randomIds.hex24()];
      await write([message({ webhookId: slow }), message({ webhookId: slow }), message({ webhookId: slow })]);
      const [first, second] = await claim({ perWebhookMax: 2 });
      if (!first || !second) throw new Error('nothing was due');
      await outbox().record(first, busy, { kind: 'retry' }, fails(1, nowMs + 30_000));
      await outbox().record(second, attempt, delivered, answers);
      const other = message({ webhookId: well });
      await write([other]);
      expect(idsOf(await claim({ perWebhookMax: 2 }))).toEqual([other.id]);
    });

    it('a message that has part in the failure lets those behind it go first', async () => {
      const webhookId = randomIds.hex24();
      const [poison, fine] = [message({ webhookId }), message({ webhookId })];
      await write([poison, fine]);
      const [first] = await claim({ perWebhookMax: 1 });
      if (!first) throw new Error('nothing was due');
      const resumeMs = nowMs + 1_000;
      await outbox().record(first, refused, { kind: 'retry', nextAttemptMs: resumeMs }, fails(1, resumeMs));
      expect((await only(resumeMs, webhookId)).message.id).toBe(fine.id);
    });

    it('messages that wait too long for it, or beyond the limit, are given up', async () => {
      const webhookId = randomIds.hex24();
      const written = Array.from({ length: 6 }, (_, index) => message({ webhookId, createdAtMs: nowMs - 6 + index }));
      await write(written);
      const [first] = await claim({ perWebhookMax: 1 });
      if (!first) throw new Error('nothing was due');
      const waiting = { nowMs, createdAfterMs: nowMs - 4, max: 2 };
      await outbox().record(first, busy, { kind: 'retry' }, { ...fails(1, nowMs + 1), waiting });
      await outbox().record(await only(nowMs + 1, webhookId), attempt, delivered, answers);
      const rest = await claim({ nowMs: nowMs + 1, perWebhookMax: 100 });
      expect(idsOf([...rest])).toEqual(written.slice(5).map(({ id }) => id));
    });

    it('after the clock was set back nothing waits for a time that is far', async () => {
      const webhookId = randomIds.hex24();
      await write([message({ webhookId })]);
      const farMs = nowMs + 9_000_000;
      const [first] = await claim();
      if (!first) throw new Error('nothing was due');
      await outbox().record(first, busy, { kind: 'retry', nextAttemptMs: farMs }, fails(1, farMs));
      await outbox().endWaitsAfter({ nowMs, claimedUntilMs: farMs, waitingUntilMs: farMs });
      expect(await claim()).toEqual([]);
      await outbox().endWaitsAfter({ nowMs, claimedUntilMs: nowMs, waitingUntilMs: farMs - 1 });
      expect(await claim()).toHaveLength(1);
      await outbox().endWaitsAfter({ nowMs, claimedUntilMs: nowMs, waitingUntilMs: farMs - 1 });
      expect(await claim()).toHaveLength(1);
    });
  });

  describe('errors on the alert', () => {
    it('U-43: a failed try is shown until a message to this webhook gets through', async () => {
      await write([message(), message()]);
      const [first, second] = await claim();
      if (!first || !second) throw new Error('nothing was due');
      await outbox().record(first, refused, { kind: 'failed' });
      const failed = await underTest().alerts.find(tenantId, alertId);
      expect(failed?.executionErrors).toEqual([
        { timestamp: new Date(newYearMs).toISOString(), type: 'WEBHOOK_ERROR', message: 'The receiver answered 500.' },
      ]);
      await outbox().record(second, attempt, delivered);
      expect((await underTest().alerts.find(tenantId, alertId))?.executionErrors).toEqual([]);
    });

    it('of a removed alert are logged and disturb nothing', async () => {
      await write([message()]);
      await underTest().alerts.remove(tenantId, alertId);
      const [claimed] = await claim();
      if (!claimed) throw new Error('nothing was due');
      await outbox().record(claimed, refused, { kind: 'failed' });
      expect(await outbox().listAttempts(tenantId, alertId, 10)).toHaveLength(1);
    });
  });
}
