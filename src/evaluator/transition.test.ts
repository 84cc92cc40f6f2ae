import { describe, expect, it } from 'vitest';
import type { MissingDataPolicy } from '../resources/alerts/alert.ts';
import { type AlertState, freshState, type GroupState } from './alert-state.ts';
import type { MuteCheck, MuteReason, Reading, Sample } from './ports.ts';
import { type Rule, type Transition, transition } from './transition.ts';

const minuteMs = 60_000;
const above5: Rule = { threshold: 5, thresholdType: 'above', consecutiveWindows: 1 };

type Samples = Extract<Reading, { kind: 'samples' }>;

function whole(value?: number | null, parts: Partial<Samples> = {}): Samples {
  const samples: Sample[] = value === undefined ? [] : [{ group: [], value }];
  return { kind: 'samples', samples, missingIsZero: true, grouped: false, ...parts };
}

function byPod(values: Record<string, number | null>, parts: Partial<Samples> = {}): Samples {
  const samples = Object.entries(values).map(([pod, value]) => ({ group: [{ key: 'pod', value: pod }], value }));
  return { kind: 'samples', samples, missingIsZero: true, grouped: true, ...parts };
}

const failed: Reading = { kind: 'error', type: 'QUERY_ERROR', message: 'The query could not be run.' };

/** Runs readings as windows of a minute each; answers the state and the notifications after each. */
function play(
  rule: Rule,
  readings: readonly Reading[],
  muted?: (index: number) => MuteCheck,
): { steps: Transition[]; notified: string[]; states: string[] } {
  let state: AlertState = freshState;
  const steps = readings.map((reading, index) => {
    const window = { startMs: index * minuteMs, endMs: (index + 1) * minuteMs };
    const step = transition(rule, state, reading, window, muted?.(index));
    state = step.next;
    return step;
  });
  return {
    steps,
    notified: steps.map(({ changes }) => changes.map(written).join(' ')),
    states: steps.map((s) => s.next.status),
  };
}

function written({ reason, group }: Transition['changes'][number]): string {
  return group.length > 0 ? `${reason}(${group.map(({ value }) => value).join()})` : reason;
}

describe('decisions A7: notified on change', () => {
  it('once when it starts, once when it ends', () => {
    const { notified, states } = play(
      above5,
      [1, 7, 9, 2, 1].map((value) => whole(value)),
    );
    expect(notified).toEqual(['', 'firing', '', 'resolved', '']);
    expect(states).toEqual(['OK', 'ALERT', 'ALERT', 'OK', 'OK']);
  });

  it('U-37: hosts a=9, b=1, c=8, above 5 → firing for a and c only; next a=1, c=8 → resolved(a), nothing for c', () => {
    const { notified } = play(above5, [byPod({ a: 9, b: 1, c: 8 }), byPod({ a: 1, c: 8 })]);
    expect(notified).toEqual(['firing(a) firing(c)', 'resolved(a)']);
  });

  it('repeatInterval notifies again while firing, not more often', () => {
    const rule = { ...above5, repeatMs: 2 * minuteMs };
    const { notified } = play(
      rule,
      [7, 7, 7, 7, 7, 1].map((value) => whole(value)),
    );
    expect(notified).toEqual(['firing', '', 'repeat', '', 'repeat', 'resolved']);
  });

  it('U-27: N=3, values 11, 12, 9, 11, 11, 11, 9 → one firing (6th window), one resolved (7th)', () => {
    const rule = { ...above5, threshold: 10, consecutiveWindows: 3 };
    const { notified, states } = play(
      rule,
      [11, 12, 9, 11, 11, 11, 9].map((value) => whole(value)),
    );
    expect(notified).toEqual(['', '', '', '', '', 'firing', 'resolved']);
    expect(states).toEqual(['PENDING', 'PENDING', 'OK', 'PENDING', 'PENDING', 'ALERT', 'OK']);
    expect(
      play(
        rule,
        [11, 12, 9].map((value) => whole(value)),
      ).notified.join(''),
    ).toBe('');
  });

  it('a change carries the value, and the window in which the group started to fire', () => {
    const { steps } = play(above5, [whole(7), whole(8), whole(2)]);
    expect(steps[0]?.changes).toEqual([{ reason: 'firing', group: [], value: 7, firingSinceMs: minuteMs }]);
    expect(steps[2]?.changes).toEqual([{ reason: 'resolved', group: [], value: 2, firingSinceMs: minuteMs }]);
  });
});

describe('decisions A6: an error neither fires nor resolves', () => {
  it.each([
    ['OK', [whole(1)]],
    ['PENDING', [whole(7)]],
    ['ALERT', [whole(7), whole(7)]],
    ['INSUFFICIENT_DATA', [whole(undefined, { missingIsZero: false })]],
  ] as const)('in state %s', (status, before) => {
    const rule = { ...above5, consecutiveWindows: 2 };
    const { states, notified, steps } = play(rule, [...before, failed]);
    expect(states.at(-1)).toBe(status);
    expect(notified.at(-1)).toBe('');
    expect(steps.at(-1)?.next).toEqual(steps.at(-2)?.next);
  });

  it('U-24: breach, then no database, then fine → one firing, one resolved', () => {
    expect(play(above5, [whole(7), failed, whole(1)]).notified).toEqual(['firing', '', 'resolved']);
  });
});

describe('decisions A6: missing data of a tile without groups', () => {
  const rows: { policy?: MissingDataPolicy; zero: boolean; fromOk: string; fromAlert: string }[] = [
    { zero: true, fromOk: 'OK ', fromAlert: 'OK resolved' },
    { zero: false, fromOk: 'INSUFFICIENT_DATA ', fromAlert: 'INSUFFICIENT_DATA ' },
    { policy: 'zero', zero: false, fromOk: 'OK ', fromAlert: 'OK resolved' },
    { policy: 'noData', zero: true, fromOk: 'INSUFFICIENT_DATA ', fromAlert: 'INSUFFICIENT_DATA ' },
    { policy: 'keep', zero: true, fromOk: 'OK ', fromAlert: 'ALERT ' },
    { policy: 'ok', zero: false, fromOk: 'OK ', fromAlert: 'OK resolved' },
    { policy: 'alert', zero: true, fromOk: 'ALERT firing', fromAlert: 'ALERT ' },
  ];
  it.each(rows)('policy $policy, aggregation zero when missing: $zero', ({ policy, zero, fromOk, fromAlert }) => {
    const rule = { ...above5, ...(policy && { missingData: policy }) };
    const silence = whole(undefined, { missingIsZero: zero });
    const last = (readings: Reading[]) => {
      const { states, notified } = play(rule, readings);
      return `${states.at(-1)} ${notified.at(-1)}`;
    };
    expect(last([whole(1), silence])).toBe(fromOk);
    expect(last([whole(7), silence])).toBe(fromAlert);
  });

  it('U-22: ungrouped count, below 1, no rows → fires with value 0; above 1 stays OK', () => {
    const below1: Rule = { threshold: 1, thresholdType: 'below', consecutiveWindows: 1 };
    expect(play(below1, [whole()]).steps[0]?.changes).toMatchObject([{ reason: 'firing', value: 0 }]);
    expect(play({ ...below1, thresholdType: 'above' }, [whole()]).steps[0]?.evaluations).toMatchObject([
      { status: 'OK', value: 0 },
    ]);
  });

  it('after a gap without data the incident continues: no second firing, one resolved', () => {
    const gap = whole(undefined, { missingIsZero: false });
    expect(play(above5, [whole(7), gap, whole(7), gap, whole(1)]).notified).toEqual(['firing', '', '', '', 'resolved']);
  });

  it('a value that is no number (ratio with denominator 0) is missing data, never 0', () => {
    const below1: Rule = { threshold: 1, thresholdType: 'below', consecutiveWindows: 1 };
    const { states, notified } = play(below1, [whole(null)]);
    expect([states, notified]).toEqual([['INSUFFICIENT_DATA'], ['']]);
  });
});

describe('decisions A6: a group that disappears', () => {
  it('U-23: is resolved once; nothing more is sent; it may fire again', () => {
    const rule = { ...above5, threshold: 2 };
    const others = byPod({ p2: 1 });
    const { notified } = play(rule, [byPod({ p1: 3 }), others, others, others, byPod({ p1: 5 })]);
    expect(notified).toEqual(['firing(p1)', 'resolved(p1)', '', '', 'firing(p1)']);
  });

  const rows: [MissingDataPolicy | undefined, string, string][] = [
    [undefined, 'OK', 'resolved(p1)'],
    ['zero', 'OK', 'resolved(p1)'],
    ['ok', 'OK', 'resolved(p1)'],
    ['keep', 'ALERT', ''],
    ['alert', 'ALERT', ''],
    ['noData', 'INSUFFICIENT_DATA', ''],
  ];
  it.each(rows)('under policy %s: state %s, notified "%s"', (policy, status, message) => {
    const rule = { ...above5, ...(policy && { missingData: policy }) };
    const { notified, states } = play(rule, [byPod({ p1: 7 }), byPod({ p2: 1 })]);
    expect([states[1], notified[1]]).toEqual([status, message]);
  });

  it('U-26: keep: no message while gone; resolved when it comes back fine', () => {
    const rule: Rule = { ...above5, missingData: 'keep' };
    const { notified } = play(rule, [byPod({ p1: 7 }), byPod({}), byPod({ p1: 1 })]);
    expect(notified).toEqual(['firing(p1)', '', 'resolved(p1)']);
  });

  it('explicit zero: a known group that falls silent breaks a "below" rule', () => {
    const rule: Rule = { threshold: 1, thresholdType: 'below', consecutiveWindows: 1, missingData: 'zero' };
    expect(play(rule, [byPod({ p1: 4 }), byPod({ p2: 4 })]).notified).toEqual(['', 'firing(p1)']);
  });

  it('U-31: when groups were cut off, those that are missing keep their state', () => {
    const { notified, states } = play(above5, [byPod({ p1: 7, p2: 8 }), byPod({ p3: 1 }, { truncated: true })]);
    expect([notified[1], states[1]]).toEqual(['', 'ALERT']);
  });

  it('U-31: a pod that was cut off in one window is still missed when it is gone in the next', () => {
    const rule: Rule = { ...above5, missingData: 'alert' };
    const { notified } = play(rule, [byPod({ p1: 1, p2: 1 }), byPod({ p2: 1 }, { truncated: true }), byPod({ p2: 1 })]);
    expect(notified).toEqual(['', '', 'firing(p1)']);
  });

  it('U-116: groups of an earlier groupBy end, whatever the policy', () => {
    const rule: Rule = { ...above5, missingData: 'keep' };
    const { notified, steps } = play(rule, [byPod({ p1: 7 }), whole(7)]);
    expect(notified[1]).toBe('firing resolved(p1)');
    expect(steps[1]?.next.groups.map(({ group }) => group)).toEqual([[]]);
  });
});

describe('what is remembered', () => {
  it('decisions A3: a changed query starts again at OK without a message', () => {
    const { notified, states } = play(above5, [whole(7, { fingerprint: 'a' }), whole(1, { fingerprint: 'b' })]);
    expect([notified, states]).toEqual([
      ['firing', ''],
      ['ALERT', 'OK'],
    ]);
  });

  it('groups that are plainly OK are not kept', () => {
    const { steps } = play(above5, [byPod({ a: 1, b: 2, c: 7 })]);
    expect(steps[0]?.next.groups).toHaveLength(1);
    expect(steps[0]?.evaluations).toHaveLength(3);
  });

  it('groups without any row at all: INSUFFICIENT_DATA for averages, OK for counts', () => {
    expect(play(above5, [byPod({}, { missingIsZero: false })]).states).toEqual(['INSUFFICIENT_DATA']);
    expect(play(above5, [byPod({})]).states).toEqual(['OK']);
  });
});

describe('U-28: a recovery threshold', () => {
  it('fire ≥ 80, recover < 70: 81, 79, 81, 75, 69, 81 → firing, resolved (at 69), firing', () => {
    const rule: Rule = { threshold: 80, recoveryThreshold: 70, thresholdType: 'above', consecutiveWindows: 1 };
    const { notified, states } = play(
      rule,
      [81, 79, 81, 75, 69, 81].map((value) => whole(value)),
    );
    expect(notified).toEqual(['firing', '', '', '', 'resolved', 'firing']);
    expect(states).toEqual(['ALERT', 'ALERT', 'ALERT', 'ALERT', 'OK', 'ALERT']);
  });

  it('does not make anything fire, nor keeps what is only pending', () => {
    const rule: Rule = { threshold: 80, recoveryThreshold: 70, thresholdType: 'above', consecutiveWindows: 2 };
    const { notified, states } = play(
      rule,
      [75, 81, 75, 81, 81].map((value) => whole(value)),
    );
    expect(notified).toEqual(['', '', '', '', 'firing']);
    expect(states).toEqual(['OK', 'PENDING', 'OK', 'PENDING', 'ALERT']);
  });
});

describe('decisions: what is muted is evaluated as ever', () => {
  const repeating = { ...above5, repeatMs: minuteMs };
  const values = (...all: number[]) => all.map((value) => whole(value));
  const said = (steps: readonly Transition[]) =>
    steps.map(({ changes, evaluations }) => {
      const suppressed = evaluations.flatMap((evaluated) => evaluated.suppressed ?? []);
      return [...changes.map(written), ...suppressed.map((cause) => `(${cause})`)].join(' ');
    });

  it('U-34: still breaching when the silence ends → one firing message then, and one when it ends', () => {
    const { steps, states } = play(above5, values(7, 8, 9, 9, 1), during([0, 1], 'silenced'));
    expect(said(steps)).toEqual(['(silenced)', '(silenced)', 'firing', '', 'resolved']);
    expect(states).toEqual(['ALERT', 'ALERT', 'ALERT', 'ALERT', 'OK']);
    expect(steps[2]?.changes).toEqual([{ reason: 'firing', group: [], value: 9, firingSinceMs: minuteMs }]);
  });

  it('U-34: recovered under the silence → no message at all, and the next one fires anew', () => {
    const { steps } = play(above5, values(7, 1, 1, 7), during([0, 1], 'silenced'));
    expect(said(steps)).toEqual(['(silenced)', '(silenced)', '', 'firing']);
  });

  it('notified before the silence: not again after it; its end is notified, also under the silence', () => {
    expect(said(play(above5, values(7, 7, 7, 7), during([1, 2], 'silenced')).steps)).toEqual(['firing', '', '', '']);
    expect(said(play(above5, values(7, 7, 1), during([1, 2], 'silenced')).steps)).toEqual(['firing', '', 'resolved']);
  });

  it('a repeat that falls due under the silence is notified once when it ends', () => {
    const { steps } = play(repeating, values(7, 7, 7, 7, 7), during([1, 2], 'silenced'));
    expect(said(steps)).toEqual(['firing', '(silenced)', '(silenced)', 'repeat', 'repeat']);
  });

  it('acknowledged: repeats stop until it has ended', () => {
    const { steps } = play(repeating, values(7, 7, 7, 1, 7), during([1, 2], 'acknowledged'));
    expect(said(steps)).toEqual(['firing', '(acknowledged)', '(acknowledged)', 'resolved', 'firing']);
  });

  it('one group is muted, the others are not', () => {
    const quietPod: MuteCheck = ([part]) => (part?.value === 'p1' ? 'silenced' : undefined);
    const { notified } = play(above5, [byPod({ p1: 7, p2: 7 }), byPod({ p1: 1, p2: 1 })], () => quietPod);
    expect(notified).toEqual(['firing(p2)', 'resolved(p2)']);
  });
});

/**
 * Every state × every outcome × every policy for a group without data, of one tile that is not grouped: the rule fires
 * at ≥ 5, recovers below 3, after two windows in a row, and repeats after two more.
 */
describe('the step: state before, outcome → state after, notified or suppressed', () => {
  const before = {
    OK: { status: 'OK', groups: [] },
    PENDING: { status: 'PENDING', groups: [{ group: [], status: 'PENDING', breaches: 1 }] },
    'ALERT, notified': firing({ notifiedMs: 10 * minuteMs }),
    'ALERT, repeat due': firing({ notifiedMs: 9 * minuteMs }),
    'ALERT, not notified': firing({}),
    INSUFFICIENT_DATA: {
      status: 'INSUFFICIENT_DATA',
      groups: [{ group: [], status: 'INSUFFICIENT_DATA', breaches: 0 }],
    },
    'INSUFFICIENT_DATA, firing': firing({ status: 'INSUFFICIENT_DATA', breaches: 0, notifiedMs: 10 * minuteMs }),
  } as const satisfies Record<string, AlertState>;
  const outcomes = {
    'breaks the rule': whole(7),
    'between recovery and threshold': whole(4),
    'well within the rule': whole(1),
    'no data': whole(undefined),
    'query error': failed,
  };
  const policies: readonly MissingDataPolicy[] = ['zero', 'noData', 'keep', 'ok', 'alert'];
  const mutings = { 'not muted': undefined, silenced: 'silenced', acknowledged: 'acknowledged' } as const;

  function row(state: AlertState, outcome: Reading, cause?: MuteReason, missingData?: MissingDataPolicy): string {
    const rule: Rule = {
      threshold: 5,
      recoveryThreshold: 3,
      thresholdType: 'above',
      consecutiveWindows: 2,
      repeatMs: 2 * minuteMs,
      ...(missingData && { missingData }),
    };
    const window = { startMs: 10 * minuteMs, endMs: 11 * minuteMs };
    const { next, changes, evaluations } = transition(rule, state, outcome, window, () => cause);
    const suppressed = evaluations.flatMap((evaluated) =>
      evaluated.suppressed ? [`suppressed: ${evaluated.suppressed}`] : [],
    );
    return [next.status, ...changes.map(({ reason }) => `notified: ${reason}`), ...suppressed].join(', ');
  }

  const table = Object.entries(before).flatMap(([name, state]) =>
    Object.entries(outcomes).flatMap(([seen, outcome]) =>
      Object.entries(mutings).flatMap(([muted, cause]) =>
        (seen === 'no data' ? policies : [undefined]).map((policy) => {
          const evaluated = policy ? `${seen}, policy ${policy}` : seen;
          return `${name} | ${evaluated} | ${muted} → ${row(state, outcome, cause, policy)}`;
        }),
      ),
    ),
  );

  it('is what this table says', async () => {
    await expect(`${table.join('\n')}\n`).toMatchFileSnapshot('transition-table.txt');
  });

  it('an outcome that can’t be evaluated changes nothing, and nothing muted is notified as firing', () => {
    for (const line of table.filter((each) => each.includes('| query error |'))) {
      const [name = '', result = ''] = line.split(/ \| .* → /);
      expect(result, line).toBe(name.replace(/, .*/, ''));
    }
    const muted = table.filter((each) => each.includes('| silenced →') || each.includes('| acknowledged →'));
    expect(muted.filter((line) => /notified: (firing|repeat)/.test(line))).toEqual([]);
  });

  it('muted never changes a state', () => {
    const states = (which: string) =>
      table.filter((line) => line.includes(`| ${which} →`)).map((line) => line.split('→ ')[1]?.split(',')[0]);
    expect(states('silenced')).toEqual(states('not muted'));
    expect(states('acknowledged')).toEqual(states('not muted'));
  });
});

function firing(parts: Partial<GroupState>): AlertState {
  const group: GroupState = { group: [], status: 'ALERT', breaches: 3, firingSinceMs: 8 * minuteMs, ...parts };
  return { status: group.status, groups: [group] };
}

function during(windows: readonly number[], cause: MuteReason): (index: number) => MuteCheck {
  return (index) => () => (windows.includes(index) ? cause : undefined);
}
