import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDuration } from '../../../kernel/duration.ts';
import { countBuckets } from './buckets.ts';
import { chooseGranularity } from './granularity.ts';

const start = Date.UTC(2026, 0, 1);
const range = (ms: number) => ({ startMs: start, endMs: start + ms });
const hour = 3_600_000;

describe('granularity (decisions C3)', () => {
  it.each([
    ['1s', 1_000],
    ['90s', 90_000],
    ['1h', hour],
    ['7d', 7 * 24 * hour],
  ])('%s', (text, ms) => {
    expect(chooseGranularity(text, range(hour))).toBe(ms);
  });

  // contract §4.2: the smallest step that is not smaller than a sixtieth of the range.
  it.each([
    [60_000, '15s'],
    [15 * 60_000, '15s'],
    [15 * 60_000 + 1, '30s'],
    [hour, '1m'],
    [24 * hour, '30m'],
    [7 * 24 * hour, '6h'],
    [30 * 24 * hour, '12h'],
    [10 * 365 * 24 * hour, '30d'],
    [100 * 365 * 24 * hour, '30d'],
  ])('auto and absent over %d ms: %s', (ms, expected) => {
    expect(formatDuration(chooseGranularity('auto', range(ms)))).toBe(expected);
    expect(formatDuration(chooseGranularity(undefined, range(ms)))).toBe(expected);
  });

  it.each(['0h', '-1h', '1.5h', '1w', 'h', '', '1 h', '1H', '01h', '9999999999s'])('"%s" is rejected', (text) => {
    expect(() => chooseGranularity(text, range(hour))).toThrow('query_invalid: granularity: ');
  });

  it('10 000 buckets are allowed, one more is not', () => {
    expect(chooseGranularity('1s', range(10_000_000))).toBe(1_000);
    expect(() => chooseGranularity('1s', range(10_000_001))).toThrow('makes 10001 buckets over this range');
  });

  it('what is said to fit does fit, for any range', () => {
    fc.assert(
      fc.property(fc.integer({ min: 10_001_000, max: 8_000_000_000_000 }), (ms) => {
        const wide = { startMs: 1_000_000_000_000, endMs: 1_000_000_000_000 + ms };
        const said = (() => {
          try {
            chooseGranularity('1s', wide);
            return undefined;
          } catch (error) {
            return /, for example with (\w+)\./.exec(String(error))?.[1];
          }
        })();
        expect(said).toBeDefined();
        const granularityMs = chooseGranularity(said, wide);
        expect(countBuckets({ range: wide, granularityMs, bucketOriginMs: 0 })).toBeLessThanOrEqual(10_000);
      }),
    );
  });

  it('counts partial buckets at both ends (decisions C2)', () => {
    const count = (startMs: number, endMs: number, bucketOriginMs = 0): number =>
      countBuckets({ range: { startMs, endMs }, granularityMs: hour, bucketOriginMs });
    expect(count(start + 1, start + hour)).toBe(1);
    expect(count(start + 1, start + hour + 1)).toBe(2);
    expect(count(start + 60_000, start + hour + 60_000, start + 60_000)).toBe(1);
  });

  it.each([
    [15, 0, 15_000],
    [15, 10_000, 15_000],
    [15, 60_000, 60_000],
    // A little late is still once a minute.
    [15, 61_000, 60_000],
    [15, 70_000, 300_000],
    [600, 60_000, 900_000],
  ])('auto over %d minutes of metrics sampled each %d ms takes %d ms', (minutes, samplingMs, expected) => {
    expect(chooseGranularity('auto', { startMs: 0, endMs: minutes * 60_000 }, samplingMs)).toBe(expected);
    expect(chooseGranularity('15s', { startMs: 0, endMs: 60_000 }, samplingMs)).toBe(15_000);
  });
});
