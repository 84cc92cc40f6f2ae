import fc from 'fast-check';
import { expect, it } from 'vitest';
import { roundTicks } from './round-ticks.ts';

it('are round and start at zero', () => {
  expect(roundTicks(746e6)).toEqual([0, 200e6, 400e6, 600e6]);
  expect(roundTicks(1e9)).toEqual([0, 200e6, 400e6, 600e6, 800e6]);
  expect(roundTicks(0)).toEqual([0]);
});

it('are few, and none is beyond the end', () => {
  fc.assert(
    fc.property(fc.double({ min: 1, max: 1e15, noNaN: true }), (totalNs) => {
      const ticks = roundTicks(totalNs);
      expect(ticks.length).toBeGreaterThanOrEqual(2);
      expect(ticks.length).toBeLessThanOrEqual(6);
      expect(ticks.at(-1)).toBeLessThanOrEqual(totalNs);
    }),
  );
});
