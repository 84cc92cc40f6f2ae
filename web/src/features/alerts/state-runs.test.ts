import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type StateSpan, stateRuns } from './state-runs.ts';

const span = (startMs: number, endMs: number, state: string): StateSpan => ({ startMs, endMs, state });

describe('runs of windows in one state', () => {
  it.each<[string, StateSpan[], StateSpan[]]>([
    ['nothing', [], []],
    ['touching windows are one run', [span(0, 1, 'OK'), span(1, 2, 'OK')], [span(0, 2, 'OK')]],
    ['newest first makes no difference', [span(1, 2, 'OK'), span(0, 1, 'OK')], [span(0, 2, 'OK')]],
    ['another state is another run', [span(0, 1, 'OK'), span(1, 2, 'ALERT')], [span(0, 1, 'OK'), span(1, 2, 'ALERT')]],
    [
      'a gap ends a run, and belongs to none',
      [span(0, 1, 'ALERT'), span(3, 4, 'ALERT')],
      [span(0, 1, 'ALERT'), span(3, 4, 'ALERT')],
    ],
    ['longer windows of another interval overlap', [span(0, 5, 'OK'), span(2, 3, 'OK')], [span(0, 5, 'OK')]],
  ])('%s', (_, windows, runs) => {
    expect(stateRuns(windows)).toEqual(runs);
  });

  it('cover just what the windows cover, and leave those as they were', () => {
    const windows = fc.array(
      fc.tuple(fc.nat(30), fc.constantFrom('OK', 'ALERT')).map(([at, state]) => span(at, at + 1, state)),
    );
    const minutes = (spans: readonly StateSpan[]) =>
      new Set(spans.flatMap(({ startMs, endMs, state }) => ticks(startMs, endMs).map((at) => `${at} ${state}`)));
    const ticks = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);
    fc.assert(
      fc.property(windows, (all) => {
        const before = structuredClone(all);
        const runs = stateRuns(all);
        expect(minutes(runs)).toEqual(minutes(all));
        expect(all).toEqual(before);
        expect(stateRuns(runs)).toEqual(runs);
      }),
    );
  });
});
