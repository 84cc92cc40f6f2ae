import { beforeEach, describe, expect, it } from 'vitest';
import type { OutgoingNotification } from '../../src/evaluator/ports.ts';
import { randomIds } from '../../src/kernel/ids.ts';
import type { ClaimedMessage, Outbox } from '../../src/notify/outbox.ts';
import { alertOf, judgementOf, messageOf, newYearMs } from '../support/alert-fixtures.ts';
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
      underWay: new Map(),
      ...parts,
    });

  /** Writes messages as the evaluator does, in a judgement. */
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
      judgementOf(leased, { notifications: messages, followingWindowEndMs, leaseUntilMs: 0 }),
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
    expect(await claim()).toEqual([{ message: written, attempts: 0, claim: expect.any(String) }]);
    expect(await claim()).toEqual([]);
    expect(await outbox().nextDueMs([])).toBe(nowMs + 60_000);
    expect(await claim({ nowMs: nowMs + 60_000, claimUntilMs: nowMs + 120_000 })).toHaveLength(1);
  });

  it('keeps one message of each id', async () => {
    const written = message();
    await write([written]);
    await write([written]);
    expect(await claim()).toHaveLength(1);
  });

  it('two senders at once never get the same message', async () => {
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
    expect(await outbox().nextDueMs([])).toBe(nowMs + 2_000);
    const [second] = await claim({ nowMs: nowMs + 2_000 });
    expect(second?.attempts).toBe(1);
    if (second) await outbox().record(second, attempt, delivered);
    expect(await claim({ nowMs: nowMs + 9_000_000 })).toEqual([]);
    expect(await outbox().nextDueMs([])).toBeUndefined();
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
    expect(await outbox().nextDueMs([])).toBe(nowMs + 5_000);
    const [retried] = await claim({ nowMs: nowMs + 5_000 });
    if (retried) await outbox().record(retried, refused, { kind: 'failed' });
    expect((await claim()).map((claimed) => claimed.message.id)).toEqual([resolved.id]);
  });

  it('U-43: of one webhook only so many go out together, those under way included', async () => {
    const many = Array.from({ length: 5 }, () => message({ webhookId: 'slow' }));
    await write([...many, message({ webhookId: 'quick' })]);
    const claimed = await claim({ perWebhookMax: 2 });
    expect(claimed.map(({ message: { webhookId } }) => webhookId).toSorted()).toEqual(['quick', 'slow', 'slow']);
    const two = new Map([['slow', 2]]);
    expect(await claim({ perWebhookMax: 2, underWay: two })).toEqual([]);
    expect(await claim({ perWebhookMax: 3, underWay: two })).toHaveLength(1);
    expect(await claim({ perWebhookMax: 3, underWay: new Map([['quick', 1]]) })).toHaveLength(2);
    expect(await outbox().nextDueMs(['slow'])).toBe(nowMs + 60_000);
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
