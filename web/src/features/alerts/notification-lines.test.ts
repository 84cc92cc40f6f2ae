import { describe, expect, it } from 'vitest';
import type { AlertTrendRecord } from '../../../../src/contract/alert-trend.ts';
import { type Notified, notificationLines } from './notification-lines.ts';

const failed: NonNullable<Notified['alert']['executionErrors']> = [
  { timestamp: '2026-01-01T00:00:00Z', type: 'WEBHOOK_ERROR', message: 'The receiver answered 503.' },
];

type Sent = AlertTrendRecord['notifications'][number];

function sent(webhookId: string, state: Sent['state'], attempts = 1): Sent {
  const isProblem = state === 'failing' || state === 'given_up';
  return {
    ...{ webhookId, state, attempts },
    ...(isProblem && { lastStatus: 503, lastError: 'The receiver answered 503.' }),
  };
}

function linesOf(
  notifications: Sent[],
  alert: Notified['alert'] = { state: 'ALERT' },
  suppressed?: 'silenced' | 'acknowledged',
): string[] {
  const last = { group: [], value: 1, ...(suppressed && { suppressed }) };
  const lines = notificationLines({ alert, trend: { notifications, last }, webhookName: (id) => id });
  return lines.map(({ text, isProblem }) => (isProblem ? `! ${text}` : text));
}

describe('what the delivery log says of an alert now', () => {
  it('one webhook that has its message does not hide another one that has not', () => {
    expect(linesOf([sent('ops', 'delivered'), sent('chat', 'failing', 3)])).toEqual([
      '! Notification to chat failing after 3 attempts: The receiver answered 503.',
    ]);
  });

  it('nothing counts as delivered that is queued or was given up', () => {
    expect(linesOf([sent('ops', 'delivered'), sent('chat', 'queued', 0)])).toEqual(['Notification queued']);
    expect(linesOf([sent('ops', 'given_up')])).toEqual([
      '! Notification to ops given up after 1 attempt: The receiver answered 503.',
    ]);
    expect(linesOf([{ ...sent('ops', 'given_up', 0), lastError: 'Too many.' }])).toEqual([
      '! Notification to ops given up: Too many.',
    ]);
    expect(linesOf([])).toEqual([]);
  });

  it('says why no message was sent, also if one was delivered before', () => {
    const delivered = [sent('ops', 'delivered')];
    expect(linesOf(delivered)).toEqual(['Notification delivered']);
    expect(linesOf(delivered, { state: 'ALERT' }, 'silenced')).toEqual(['Notification suppressed: silenced']);
    expect(linesOf(delivered, { state: 'ALERT' }, 'acknowledged')).toEqual(['Not repeated: acknowledged']);
  });

  it('a resolved alert whose receiver does not know it says so, and nothing otherwise', () => {
    const failing = [sent('ops', 'failing', 2)];
    expect(linesOf(failing, { state: 'OK', executionErrors: failed })).toHaveLength(1);
    expect(linesOf([sent('ops', 'delivered')], { state: 'OK' })).toEqual([]);
  });
});
