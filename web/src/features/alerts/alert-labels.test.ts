import { describe, expect, it } from 'vitest';
import type { AlertRecord } from '../../../../src/contract/alert.ts';
import { bodyOfAlert } from './alert-body.ts';
import { deliveryProblem, limitText, outcomeText, ruleText, valueText } from './alert-labels.ts';

const channel = { type: 'webhook', webhookId: 'w1' } as const;
const record: AlertRecord = {
  id: 'a1',
  teamId: 't1',
  dashboardId: 'd1',
  tileId: 'tile',
  source: 'tile',
  state: 'OK',
  threshold: 5,
  thresholdType: 'above',
  interval: '5m',
  channel,
  channels: [channel],
  name: 'Errors',
  message: null,
  note: 'See the runbook',
  numConsecutiveWindows: 3,
  scheduleStartAt: '2026-01-01T00:00:00Z',
  executionErrors: [],
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
};

describe('an alert in words', () => {
  it('writes thresholds as symbols: above is ≥, below is <', () => {
    expect(limitText({ threshold: 5, thresholdType: 'above' })).toBe('≥ 5');
    expect(limitText({ threshold: 5, thresholdType: 'below' })).toBe('< 5');
    expect(limitText({ threshold: 1, thresholdMax: 9, thresholdType: 'between' })).toBe('between 1 and 9');
  });

  it('writes values in the unit of what is watched', () => {
    const bytes = { output: 'byte' as const };
    expect(limitText({ threshold: 268_435_456, thresholdType: 'above_exclusive' }, bytes)).toBe('> 256 MiB');
    expect(valueText(1_500_000, bytes)).toBe('1.43 MiB');
    expect(valueText(1234.5)).toBe('1,234.5');
  });

  it('counts what a preview found', () => {
    expect(outcomeText(0, 0)).toBe('would not have fired, no notifications.');
    expect(outcomeText(1, 1)).toBe('fired once, 1 notification.');
    expect(outcomeText(3, 5)).toBe('fired 3 times, 5 notifications.');
  });

  it('says the rule with windows and recovery', () => {
    expect(ruleText({ ...record, recoveryThreshold: 2 })).toBe(
      'Fires when the value is ≥ 5 in 3 windows of 5m in a row. Resolves only when the value has also passed 2.',
    );
  });
});

describe('the body that keeps an alert as it is', () => {
  it('decisions A3: holds the whole rule, with what the page does not show, and nothing that the service sets', () => {
    expect(bodyOfAlert(record)).toEqual({
      dashboardId: 'd1',
      tileId: 'tile',
      source: 'tile',
      threshold: 5,
      thresholdType: 'above',
      interval: '5m',
      channels: [channel],
      name: 'Errors',
      note: 'See the runbook',
      numConsecutiveWindows: 3,
      scheduleStartAt: '2026-01-01T00:00:00Z',
    });
  });
});

it('a value shows on which side of the threshold it is', () => {
  const rule = { threshold: 0.3, thresholdType: 'above' } as const;
  const twoDigits = { output: 'number', mantissa: 1 } as const;
  expect(valueText(0.3004, twoDigits, rule)).toContain('0.3004');
  expect(valueText(0.3, twoDigits, rule)).not.toContain('(');
  expect(valueText(0.30000001, undefined, { ...rule })).toContain('0.30000001');
});

it('a notification is delivered, or the problem is said', () => {
  const window = (state: 'failing' | 'given_up' | 'delivered', attempts: number, lastError?: string) => ({
    windowStart: '',
    windowEnd: '',
    evaluatedAt: '',
    state: 'ALERT' as const,
    groups: [],
    reason: 'sent' as const,
    notifications: [
      { webhookId: 'w', reason: 'firing' as const, group: [], state, attempts, ...(lastError && { lastError }) },
    ],
  });
  expect(deliveryProblem(window('delivered', 1))).toBeUndefined();
  expect(deliveryProblem(window('failing', 3, 'The receiver answered 503.'))).toBe(
    'after 3 attempts: The receiver answered 503.',
  );
  expect(deliveryProblem(window('given_up', 1))).toBe('after 1 attempt');
});
