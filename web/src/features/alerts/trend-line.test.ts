import { describe, expect, it } from 'vitest';
import { trendLine, trendText } from './trend-line.ts';

const minute = (of: number) => new Date(Date.UTC(2026, 0, 1, 0, of)).toISOString();
const windowOf = (of: number, value: number | null, state: 'OK' | 'ALERT' = 'OK') => ({
  ...{ windowStart: minute(of), windowEnd: minute(of + 1), value, state },
});
const above = (threshold: number) => ({ threshold, thresholdType: 'above' as const });

describe('the line of a trend', () => {
  it('has a step for each window, and the threshold on the same scale', () => {
    const { values, thresholds, firing } = trendLine([windowOf(0, 0), windowOf(1, 5, 'ALERT')], above(10));
    expect(values).toBe('M0 100L50 100L50 50L100 50');
    expect(thresholds).toBe('M0 0L100 0');
    expect(firing).toEqual([{ x: 50, width: 50 }]);
  });

  it('is broken where there are no data, and where nothing was evaluated', () => {
    expect(trendLine([windowOf(0, 1), windowOf(1, null), windowOf(2, 1), windowOf(3, 1)], above(1)).values).toBe(
      'M0 0L25 0M50 0L75 0L75 0L100 0',
    );
    expect(trendLine([windowOf(0, 1), windowOf(3, 1)], above(1)).values).toBe('M0 0L25 0M75 0L100 0');
  });

  it('has both bounds of a range, also below zero', () => {
    const range = { threshold: -10, thresholdMax: 10, thresholdType: 'between' as const };
    const { values, thresholds } = trendLine([windowOf(0, 0)], range);
    expect([values, thresholds]).toEqual(['M0 50L100 50', 'M0 100L100 100M0 0L100 0']);
  });
});

it('says in words what the line shows', () => {
  const text = (...windows: Parameters<typeof trendText>[0][number][]) => trendText(windows, String);
  expect(text(windowOf(0, 3), windowOf(1, 12, 'ALERT'), windowOf(2, null))).toBe('Last 3 windows: 3 to 12, fired in 1');
  expect(text(windowOf(0, 3))).toBe('Last window: 3');
  expect(text(windowOf(0, null), windowOf(1, null))).toBe('Last 2 windows: no data');
});
