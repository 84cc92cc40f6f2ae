import { describe, expect, it } from 'vitest';
import { compileGroupingSets, type Grouping } from './compile-grouping-sets.ts';
import { testChart, testGuards, testLogs } from './testing.ts';

const { range, series } = testChart([{}]);
const minutes = { granularityMs: 300_000, bucketOriginMs: 0 };
const together = (groupings: Grouping[]) => compileGroupingSets({ range, series, groupings }, testLogs, testGuards);
const setsIn = (sql: string): string => /GROUPING SETS \((.*)\)\n/.exec(sql)?.[1] ?? '';

describe('several groupings of the same rows in one statement', () => {
  it('lists each set of keys once, also when several charts have it: else its rows would be returned twice', () => {
    const both = { ...minutes, groupBy: ['ServiceName', 'SeverityText'] };
    const turned = { ...minutes, groupBy: ['SeverityText', 'ServiceName'] };
    const whole = { bucketOriginMs: 0, groupBy: ['ServiceName'] };
    const { compiled, places } = together([both, both, turned, whole, whole]);
    expect(setsIn(compiled.sql)).toBe('(t0, g1, g0), (g0)');
    expect(places.map(({ ownKeys }) => [...ownKeys].sort())).toEqual([[0, 1, 2], [0, 1, 2], [0, 1, 2], [1], [1]]);
  });

  it('a grouping that is one bucket over the whole range has no column for it', () => {
    const { places } = together([
      { ...minutes, groupBy: [] },
      { bucketOriginMs: range.startMs, granularityMs: range.endMs - range.startMs, groupBy: [] },
    ]);
    expect(places.map(({ timeColumn }) => timeColumn)).toEqual([0, undefined]);
  });
});
