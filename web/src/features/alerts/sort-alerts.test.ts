import fc from 'fast-check';
import { expect, it } from 'vitest';
import { alertStates } from '../../../../src/contract/alert.ts';
import { byName, longestFirst, needsOwner, sortAlerts } from './sort-alerts.ts';

const acknowledged = { by: 'ada', at: '2026-01-01T00:00:00Z' };
const alert = fc.record({
  state: fc.constantFrom(...alertStates),
  isOwned: fc.boolean(),
  sinceMs: fc.integer({ min: 0, max: 1_000 }),
});

it('what needs a person comes first, the newest first; alerts that are alike keep their order', () => {
  fc.assert(
    fc.property(fc.array(alert), (all) => {
      const alerts = all.map(({ state, isOwned, sinceMs }, index) => ({
        index,
        state,
        ...(state === 'ALERT' && { firingSince: new Date(sinceMs).toISOString() }),
        ...(state === 'ALERT' && isOwned && { acknowledged }),
      }));
      const sorted = sortAlerts(alerts);
      expect(new Set(sorted)).toEqual(new Set(alerts));
      for (const [at, next] of sorted.slice(1).entries()) {
        const before = sorted[at];
        if (!before) throw new Error('no alert before');
        const keyOf = ({ state, firingSince = '', index }: typeof before): unknown[] => [state, firingSince, index];
        expect(Number(needsOwner(before)), 'without an owner first').toBeGreaterThanOrEqual(Number(needsOwner(next)));
        const [isFiring, isNextFiring] = [before.state === 'ALERT', next.state === 'ALERT'];
        expect(Number(isFiring), 'firing first').toBeGreaterThanOrEqual(Number(isNextFiring));
        if (isNextFiring && needsOwner(before) === needsOwner(next))
          expect((before.firingSince ?? '') >= (next.firingSince ?? ''), 'newest first').toBe(true);
        if (
          before.state === next.state &&
          before.firingSince === next.firingSince &&
          needsOwner(before) === needsOwner(next)
        )
          expect(before.index, JSON.stringify([keyOf(before), keyOf(next)])).toBeLessThan(next.index);
      }
    }),
  );
});

it('what has fired for longest comes first, what does not fire last', () => {
  const firing = (name: string, minute: string) => ({
    ...{ name, state: 'ALERT' as const, firingSince: `2026-01-01T00:${minute}:00Z` },
  });
  const alerts = [{ name: 'a', state: 'OK' as const }, firing('b', '20'), { name: 'c', state: 'PENDING' as const }];
  expect(longestFirst([...alerts, firing('d', '10')]).map(({ name }) => name)).toEqual(['d', 'b', 'a', 'c']);
});

it('names are in the order of people, numbers by their size', () => {
  expect(byName(['queue 10', 'Queue 9', 'cart'], (name) => name)).toEqual(['cart', 'Queue 9', 'queue 10']);
});
