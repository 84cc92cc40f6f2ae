import { describe, expect, it } from 'vitest';
import type { AlertInput } from '../../../../src/contract/alert.ts';
import { draftOf, ruleOf } from './alert-draft.ts';

const rule: AlertInput = {
  source: 'tile',
  dashboardId: 'd1',
  tileId: 't1',
  threshold: 1,
  thresholdMax: 9,
  thresholdType: 'between',
  interval: '5m',
  channels: [{ type: 'webhook', webhookId: 'w1', severity: 'critical' }],
  missingData: 'keep',
  enabled: false,
  scheduleStartAt: '2026-01-01T00:00:00Z',
};

describe('the draft of an alert', () => {
  it('decisions A3: gives the rule back as it was, with what has no field', () => {
    expect(ruleOf(draftOf(rule), rule)).toEqual(rule);
  });

  it('leaves the upper bound out of a comparison that has none', () => {
    expect(ruleOf({ ...draftOf(rule), thresholdType: 'above' }, rule)).not.toHaveProperty('thresholdMax');
  });

  it('leaves the recovery threshold out of a range, which has no field for it', () => {
    expect(ruleOf({ ...draftOf(rule), recoveryThreshold: 3 }, rule)).not.toHaveProperty('recoveryThreshold');
  });

  it('is not a rule without a tile and a threshold', () => {
    expect(ruleOf({ ...draftOf(rule), tileId: null })).toBeUndefined();
    expect(ruleOf({ ...draftOf(rule), threshold: '' })).toBeUndefined();
  });
});
