import { describe, expect, it } from 'vitest';
import type { AlertDeliveryRecord } from '../../../../src/contract/alert-log.ts';
import { type Notified, notificationLines } from './notification-lines.ts';

const failed: NonNullable<Notified['alert']['executionErrors']> = [
  { timestamp: '2026-01-01T00:00:00Z', type: 'WEBHOOK_ERROR', message: 'The receiver answered 503.' },
];

function delivery(webhookId: string, state: AlertDeliveryRecord['state'], attempt = 1): AlertDeliveryRecord {
  const isProblem = state === 'failing' || state === 'given_up';
  return {
    ...{ id: `${webhookId}-${attempt}`, messageId: webhookId, at: '2026-01-01T00:00:00Z', durationMs: 5 },
    ...{ attempt, webhookId, state, replayable: false },
    ...(isProblem && { status: 503, error: 'The receiver answered 503.' }),
  };
}

function linesOf(notified: Partial<Notified>): string[] {
  const alert = { state: 'ALERT' as const };
  const webhookName = (id: string) => id;
  const lines = notificationLines({ alert, deliveries: [], lastReason: undefined, webhookName, ...notified });
  return lines.map(({ text, isProblem }) => (isProblem ? `! ${text}` : text));
}

describe('what the delivery log says of an alert now', () => {
  it('one webhook that has its message does not hide another one that has not', () => {
    const deliveries = [delivery('ops', 'delivered'), delivery('chat', 'failing', 3), delivery('chat', 'failing', 2)];
    expect(linesOf({ deliveries })).toEqual([
      '! Notification to chat failing after 3 attempts: The receiver answered 503.',
    ]);
    expect(linesOf({ deliveries: [...deliveries].reverse() })).toHaveLength(1);
  });

  it('nothing counts as delivered that is queued or was given up', () => {
    expect(linesOf({ deliveries: [delivery('ops', 'delivered'), delivery('chat', 'queued')] })).toEqual([
      'Notification queued',
    ]);
    expect(linesOf({ deliveries: [delivery('ops', 'given_up')] })).toEqual([
      '! Notification to ops given up after 1 attempt: The receiver answered 503.',
    ]);
    expect(linesOf({ deliveries: [] })).toEqual([]);
  });

  it('a webhook that accepted a later message is well again', () => {
    expect(linesOf({ deliveries: [delivery('ops', 'delivered'), delivery('ops', 'given_up', 9)] })).toEqual([
      'Notification delivered',
    ]);
  });

  it('says why no message was sent, also if one was delivered before', () => {
    const deliveries = [delivery('ops', 'delivered')];
    expect(linesOf({ deliveries, lastReason: 'silenced' })).toEqual(['Notification suppressed: silenced']);
    expect(linesOf({ deliveries, lastReason: 'acknowledged' })).toEqual(['Not repeated: acknowledged']);
  });

  it('a resolved alert whose receiver does not know it says so, and nothing otherwise', () => {
    const deliveries = [delivery('ops', 'failing', 2)];
    expect(linesOf({ alert: { state: 'OK', executionErrors: failed }, deliveries })).toHaveLength(1);
    expect(linesOf({ alert: { state: 'OK' }, deliveries: [delivery('ops', 'delivered')] })).toEqual([]);
  });
});
