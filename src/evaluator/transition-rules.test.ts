import fc from 'fast-check';
import { expect, it } from 'vitest';
import { alertOf, newYearMs } from '../../test/support/alert-fixtures.ts';
import { FakeAlertStore } from '../../test/support/fake-alert-store.ts';
import type { MissingDataPolicy } from '../resources/alerts/alert.ts';
import { type AlertState, freshState, type GroupState } from './alert-state.ts';
import type { MuteReason, NotificationReason, Reading, Sample } from './ports.ts';
import { type Rule, transition } from './transition.ts';

/**
 * Every state × outcome × policy of one group, against what the contract §3.5, decisions A6 and A7 say of it. The oracle
 * is written from these sentences alone: it knows what has been seen so far, and nothing of how the step remembers it.
 */

const minuteMs = 60_000;
const nowMs = 1_000 * minuteMs;

type Seen = 'breaks' | 'between' | 'fine' | 'no number' | 'no row' | 'error';
type Tile = 'count' | 'average' | 'count by pod' | 'average by pod' | 'count by pod, cut off';

interface Policy {
  type: 'above' | 'below';
  missingData: MissingDataPolicy | undefined;
  consecutiveWindows: number;
  repeatWindows: number | undefined;
  recovers: boolean;
}

interface Before {
  status: AlertState['status'];
  /** An unknown pod can't be missing. */
  known: boolean;
  /** Breaking windows up to now, in a row. */
  streak: number;
  firing: boolean;
  /** Windows since the last notification that it fires. */
  notifiedAgo: number | undefined;
}

interface After {
  status: AlertState['status'];
  known: boolean;
  notified: readonly NotificationReason[];
  suppressed: readonly MuteReason[];
  value: number | null | 'not evaluated';
  /** Breaking windows in a row that count for `numConsecutiveWindows` from here on. */
  streak: number;
  firing: boolean;
  notifiedAgo: number | undefined;
}

/** Above fires at ≥ 5 and recovers below 3; below fires at < 5 and recovers at ≥ 8, so that 0 breaks it. */
const values = {
  above: { breaks: 7, between: 4, fine: 1, zero: 'fine' },
  below: { breaks: 2, between: 6, fine: 9, zero: 'breaks' },
} as const;

/** What a window says of the group, in the words of the specification. */
type Meaning = 'breaks' | 'recovered' | 'nothing is known' | 'as before';

function meaningOf(seen: Exclude<Seen, 'error'>, tile: Tile, policy: Policy, before: Before): Meaning {
  const ofValue = (value: 'breaks' | 'between' | 'fine'): Meaning => {
    // U-28: a firing alert keeps firing until the same comparison with the recovery threshold fails.
    if (value === 'between') return policy.recovers && before.firing ? 'breaks' : 'recovered';
    return value === 'breaks' ? 'breaks' : 'recovered';
  };
  if (seen === 'breaks' || seen === 'between' || seen === 'fine') return ofValue(seen);
  switch (missingDataOf(seen, tile, policy)) {
    case 'zero':
      return ofValue(values[policy.type].zero);
    case 'alert':
      return 'breaks';
    case 'ok':
      return 'recovered';
    case 'keep':
      return 'as before';
    case 'noData':
      return 'nothing is known';
  }
}

function missingDataOf(seen: 'no number' | 'no row', tile: Tile, { missingData }: Policy): MissingDataPolicy {
  // U-31: groups that were cut off are unknown, not gone.
  if (seen === 'no row' && tile === 'count by pod, cut off') return 'keep';
  if (missingData) return missingData;
  // A ratio with denominator 0 is missing data, never 0 (contract §3.4).
  if (seen === 'no number') return 'noData';
  // decisions A6: a group that disappears is resolved; zero for count and sum, noData for the others.
  if (tile.includes('by pod')) return 'ok';
  return tile === 'count' ? 'zero' : 'noData';
}

function oracle(before: Before, seen: Seen, tile: Tile, policy: Policy, muted: MuteReason | undefined): After {
  const after = evaluate(before, seen, tile, policy, muted);
  if (seen === 'error' || after.value === 'not evaluated') return after;
  // What is plainly OK is forgotten, but for pods whose silence would fire: those must be missed when they go.
  const silenceFires = policy.missingData === 'alert' || (policy.missingData === 'zero' && policy.type === 'below');
  const wasThere = after.value !== null || meaningOf(seen, tile, policy, before) === 'as before';
  const missable = tile.includes('by pod') && silenceFires && wasThere;
  return { ...after, known: after.status !== 'OK' || after.firing || missable };
}

function evaluate(before: Before, seen: Seen, tile: Tile, policy: Policy, muted: MuteReason | undefined): After {
  const unchanged = { ...before, notified: [], suppressed: [] };
  // decisions A6: a query error never resolves or fires: the state stays. An unknown pod does not exist.
  const isNobody = seen === 'no row' && tile.includes('by pod') && !before.known;
  if (seen === 'error' || isNobody) return { ...unchanged, value: 'not evaluated' };
  const meaning = meaningOf(seen, tile, policy, before);
  const value = evaluatedValue(seen, tile, policy);
  if (meaning === 'as before') return { ...unchanged, value };
  if (meaning === 'nothing is known') {
    // State INSUFFICIENT_DATA, no notification; an incident that was going on has not ended.
    return { ...unchanged, status: 'INSUFFICIENT_DATA', streak: 0, value };
  }
  if (meaning === 'recovered') {
    // decisions A7: resolved once when it ends; an end is notified if and only if the start was.
    const notified = before.notifiedAgo !== undefined;
    return {
      ...before,
      status: 'OK',
      notified: before.firing && notified ? ['resolved'] : [],
      suppressed: before.firing && !notified ? ['silenced'] : [],
      value,
      streak: 0,
      firing: false,
      notifiedAgo: undefined,
    };
  }
  const streak = before.streak + 1;
  // contract §3.5: PENDING unless the previous M−1 windows were all PENDING or ALERT; then ALERT.
  if (!before.firing && streak < policy.consecutiveWindows) {
    return { ...unchanged, status: 'PENDING', value, streak };
  }
  // decisions A7: firing once per group when it starts; repeatInterval sends again while firing.
  const repeats =
    before.notifiedAgo !== undefined &&
    policy.repeatWindows !== undefined &&
    before.notifiedAgo >= policy.repeatWindows;
  const due = before.notifiedAgo === undefined ? ['firing' as const] : repeats ? ['repeat' as const] : [];
  return {
    ...before,
    status: 'ALERT',
    notified: muted ? [] : due,
    suppressed: muted && due.length > 0 ? [muted] : [],
    value,
    streak,
    firing: true,
    notifiedAgo: due.length > 0 && !muted ? 0 : before.notifiedAgo,
  };
}

function evaluatedValue(seen: Exclude<Seen, 'error'>, tile: Tile, policy: Policy): number | null {
  if (seen === 'breaks' || seen === 'between' || seen === 'fine') return values[policy.type][seen];
  return missingDataOf(seen, tile, policy) === 'zero' ? 0 : null;
}

const unknown: Before = { status: 'OK', known: false, streak: 0, firing: false, notifiedAgo: undefined };
const known: Before = { ...unknown, known: true };
const befores: Record<string, Before> = {
  OK: unknown,
  'OK, known': known,
  'PENDING for 1': { ...known, status: 'PENDING', streak: 1 },
  'PENDING for 2': { ...known, status: 'PENDING', streak: 2 },
  'ALERT, notified just now': { ...known, status: 'ALERT', streak: 3, firing: true, notifiedAgo: 1 },
  'ALERT, notified long ago': { ...known, status: 'ALERT', streak: 9, firing: true, notifiedAgo: 7 },
  'ALERT, not notified': { ...known, status: 'ALERT', streak: 3, firing: true },
  INSUFFICIENT_DATA: { ...known, status: 'INSUFFICIENT_DATA' },
  'INSUFFICIENT_DATA, notified that it fires': { ...known, status: 'INSUFFICIENT_DATA', firing: true, notifiedAgo: 2 },
  'INSUFFICIENT_DATA, fires, not notified': { ...known, status: 'INSUFFICIENT_DATA', firing: true },
};
const seens: readonly Seen[] = ['breaks', 'between', 'fine', 'no number', 'no row', 'error'];
const tiles: readonly Tile[] = ['count', 'average', 'count by pod', 'average by pod', 'count by pod, cut off'];
const mutings = [undefined, 'silenced', 'acknowledged'] as const;
/** Windows before this one that were never evaluated: none, or an hour of them after a long pause (decisions A5). */
const skips = [0, 60] as const;
const policies: readonly Policy[] = (['above', 'below'] as const).flatMap((type) =>
  [undefined, 'zero', 'noData', 'keep', 'ok', 'alert'].flatMap((missingData) =>
    [1, 2, 3].flatMap((consecutiveWindows) =>
      [undefined, 1, 3].flatMap((repeatWindows) =>
        [false, true].map((recovers) => ({
          type,
          missingData: missingData as MissingDataPolicy | undefined,
          consecutiveWindows,
          repeatWindows,
          recovers,
        })),
      ),
    ),
  ),
);

function ruleOf({ type, missingData, consecutiveWindows, repeatWindows, recovers }: Policy): Rule {
  return {
    threshold: 5,
    thresholdType: type,
    consecutiveWindows,
    ...(recovers && { recoveryThreshold: type === 'above' ? 3 : 8 }),
    ...(missingData && { missingData }),
    ...(repeatWindows !== undefined && { repeatMs: repeatWindows * minuteMs }),
  };
}

const pod = (value: string) => [{ key: 'pod', value }];

/** The other pod is fine and keeps the tile from being silent as a whole. */
function readingOf(seen: Seen, tile: Tile, policy: Policy): Reading {
  if (seen === 'error') return { kind: 'error', type: 'QUERY_ERROR', message: 'The query could not be run.' };
  const grouped = tile.includes('by pod');
  const value = seen === 'no number' ? null : seen === 'no row' ? undefined : values[policy.type][seen];
  const samples: Sample[] = value === undefined ? [] : [{ group: groupOf(tile), value }];
  if (grouped) samples.push({ group: pod('other'), value: values[policy.type].fine });
  const truncated = tile === 'count by pod, cut off';
  return {
    kind: 'samples',
    samples,
    grouped,
    missingIsZero: tile.startsWith('count'),
    ...(truncated && { truncated }),
  };
}

function groupOf(tile: Tile) {
  return tile.includes('by pod') ? pod('p1') : [];
}

/** The state that the store holds before the window that ends at `nowMs`. */
function storedState({ status, known: isKnown, streak, firing, notifiedAgo }: Before, tile: Tile): AlertState {
  if (!isKnown || status === 'DISABLED') return freshState;
  const group: GroupState = {
    group: groupOf(tile),
    status,
    breaches: streak,
    ...(firing && { firingSinceMs: nowMs - 10 * minuteMs }),
    ...(notifiedAgo !== undefined && { notifiedMs: nowMs - notifiedAgo * minuteMs }),
  };
  return { status, groups: [group] };
}

/** What the step made of it, in the oracle's words. */
function observed(rule: Rule, state: AlertState, reading: Reading, muted: MuteReason | undefined): After {
  const window = { startMs: nowMs - minuteMs, endMs: nowMs };
  const { next, changes, evaluations } = transition(rule, state, reading, window, () => muted);
  const isIt = ({ group }: { group: Sample['group'] }) => group[0]?.value !== 'other';
  const evaluated = evaluations.find(isIt);
  const kept = next.groups.find(isIt);
  const notified = changes.filter(isIt).map(({ reason }) => reason);
  const { notifiedMs } = kept ?? {};
  return {
    status: next.status,
    known: kept !== undefined,
    notified,
    suppressed: evaluated?.suppressed ? [evaluated.suppressed] : [],
    value: evaluated ? evaluated.value : 'not evaluated',
    streak: kept?.breaches ?? 0,
    firing: kept?.firingSinceMs !== undefined,
    notifiedAgo: notifiedMs === undefined ? undefined : (nowMs - notifiedMs) / minuteMs,
  };
}

function isSame(a: After, b: After): boolean {
  return (
    a.status === b.status &&
    a.known === b.known &&
    a.notified.join() === b.notified.join() &&
    a.suppressed.join() === b.suppressed.join() &&
    a.value === b.value &&
    a.streak === b.streak &&
    a.firing === b.firing &&
    a.notifiedAgo === b.notifiedAgo
  );
}

it.each(Object.entries(befores))(
  '%s × every outcome × every policy is as the specification says',
  { timeout: 30_000 },
  (_name, stored) => {
    const wrong: unknown[] = [];
    const { notifiedAgo } = stored;
    let cases = 0;
    for (const [seen, tile, muted, skipped] of product(
      seens,
      tiles,
      mutings,
      notifiedAgo === undefined ? [0] : skips,
    )) {
      const before = { ...stored, notifiedAgo: notifiedAgo === undefined ? undefined : notifiedAgo + skipped };
      for (const policy of policies) {
        cases += 1;
        const expected = oracle(before, seen, tile, policy, muted);
        const found = observed(ruleOf(policy), storedState(before, tile), readingOf(seen, tile, policy), muted);
        if (!isSame(found, expected)) wrong.push({ seen, tile, muted, skipped, policy, found, expected });
      }
    }
    expect(wrong.slice(0, 3)).toEqual([]);
    expect(cases).toBe(6 * 5 * 3 * (notifiedAgo === undefined ? 1 : 2) * 216);
  },
);

it('DISABLED is never evaluated: such an alert is never claimed, however long its windows have been due', async () => {
  const store = new FakeAlertStore();
  const alert = alertOf({ enabled: false });
  await store.transaction((inside) => inside.insert('tenant', alert, newYearMs));
  const lease = {
    owner: 'e',
    nowMs: newYearMs + nowMs,
    dueBeforeMs: newYearMs + nowMs,
    leaseUntilMs: Infinity,
    max: 9,
  };
  expect(await store.claimDue(lease)).toEqual([]);
  expect(await store.find('tenant', alert.id)).toMatchObject({ status: 'DISABLED' });
});

it('over whole histories: the notifications follow from what was seen', { timeout: 30_000 }, () => {
  const window = fc.record({ seen: fc.constantFrom(...seens), muted: fc.constantFrom(...mutings) });
  fc.assert(
    fc.property(
      fc.constantFrom(...policies),
      fc.constantFrom(...tiles),
      fc.array(window, { maxLength: 30 }),
      (policy, tile, windows) => {
        let state: AlertState = freshState;
        let expected: Before = unknown;
        const notified: NotificationReason[] = [];
        for (const [index, { seen, muted }] of windows.entries()) {
          const range = { startMs: index * minuteMs, endMs: (index + 1) * minuteMs };
          const step = transition(ruleOf(policy), state, readingOf(seen, tile, policy), range, () => muted);
          const notifiedAgo = expected.notifiedAgo === undefined ? undefined : expected.notifiedAgo + 1;
          const after = oracle({ ...expected, notifiedAgo }, seen, tile, policy, muted);
          const said = step.changes.map(({ reason }) => reason);
          expect([step.next.status, said]).toEqual([after.status, after.notified]);
          notified.push(...said);
          state = step.next;
          // decisions A5: a window that was never evaluated ends every streak.
          expected = seen === 'error' ? { ...after, streak: 0 } : after;
        }
        // decisions A7: firing and resolved take turns, repeats come in between.
        expect(notified.join(' ')).toMatch(/^(firing( repeat)*( resolved|$) ?)*$/);
      },
    ),
    { numRuns: 1_000 },
  );
});

function product<A, B, C, D>(a: readonly A[], b: readonly B[], c: readonly C[], d: readonly D[]): [A, B, C, D][] {
  return a.flatMap((w) => b.flatMap((x) => c.flatMap((y) => d.map((z): [A, B, C, D] => [w, x, y, z]))));
}
