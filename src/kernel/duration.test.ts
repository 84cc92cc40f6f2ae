import { describe, expect, it } from 'vitest';
import { formatDuration, parseDuration } from './duration.ts';

describe('durations: a positive number and a unit suffix (decisions C3)', () => {
  it.each([
    ['1s', 1_000],
    ['5m', 300_000],
    ['1h', 3_600_000],
    ['7d', 604_800_000],
  ])('%s is %i ms, and is written back the same', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
    expect(formatDuration(ms)).toBe(text);
  });

  it.each(['', '0m', '-1m', '1.5h', '1', 'h', '1w', '1H', ' 1h', '1h ', '1e3s', '99999999999d'])(
    '%j is not one',
    (text) => {
      expect(parseDuration(text)).toBeUndefined();
    },
  );

  it('is written in the largest unit that is exact', () => {
    expect(formatDuration(90_000)).toBe('90s');
    expect(formatDuration(7_200_000)).toBe('2h');
    expect(formatDuration(1_500)).toBe('1500ms');
  });
});
