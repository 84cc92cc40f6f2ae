import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteBudget, type HeldBytes } from './byte-budget.ts';

const limits = { totalBytesMax: 100, perHolderBytesMax: 40 };

describe('the budget of bytes', () => {
  it('rejects what exceeds the limit of one holder, or of all together', () => {
    const budget = new ByteBudget(limits);
    expect(budget.hold('a').grow(40)).toBe('granted');
    expect(budget.hold('a').grow(1)).toBe('holder');
    expect(budget.hold('b').grow(40)).toBe('granted');
    expect(budget.hold('c').grow(21)).toBe('total');
    expect(budget.hold('c').grow(20)).toBe('granted');
  });

  it('releases everything once, and nothing that was rejected', () => {
    const budget = new ByteBudget(limits);
    const held = budget.hold('a');
    held.grow(30);
    held.grow(30);
    held.release();
    held.release();
    expect(budget.total).toBe(0);
    expect(budget.hold('a').grow(40)).toBe('granted');
  });

  it('never holds more than its limits, in any order of holds and releases', () => {
    const step = fc.record({ holder: fc.constantFrom('a', 'b', 'c', 'd'), bytes: fc.nat(60), release: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const budget = new ByteBudget(limits);
        const held = new Map<HeldBytes, number>();
        for (const { holder, bytes, release } of steps) {
          const hold = budget.hold(holder);
          if (hold.grow(bytes) === 'granted') held.set(hold, bytes);
          const [first] = held.keys();
          if (release && first) {
            first.release();
            held.delete(first);
          }
          expect(budget.total).toBe([...held.values()].reduce((sum, one) => sum + one, 0));
          expect(budget.total).toBeLessThanOrEqual(limits.totalBytesMax);
        }
      }),
    );
  });
});
