import { describe, expect, it } from 'vitest';
import { fieldDifferences, mergeFields, same } from './differences.ts';

interface Rule {
  threshold: number;
  name?: string;
  note?: string;
}

const base: Rule = { threshold: 5, name: 'Errors', note: 'see the runbook' };

describe('two edits of one record', () => {
  it('take what only one of them changed, and ask where both did', () => {
    const mine: Rule = { ...base, threshold: 7 };
    const theirs: Rule = { ...base, threshold: 9, name: 'Failures' };
    const differences = fieldDifferences(base, mine, theirs, { threshold: 'Threshold' });
    expect(differences).toEqual([
      {
        ...{ key: 'threshold', label: 'Threshold', mine: 'changed to 7', theirs: 'changed to 9' },
        conflict: true,
        suggested: 'mine',
      },
      {
        ...{ key: 'name', label: 'name', mine: 'unchanged', theirs: 'changed to “Failures”' },
        conflict: false,
        suggested: 'theirs',
      },
    ]);
    expect(mergeFields(mine, theirs, differences, new Map())).toEqual({ ...theirs, threshold: 7 });
    expect(mergeFields(mine, theirs, differences, new Map([['threshold', 'theirs']]))).toEqual(theirs);
  });

  it('say what was removed and what is new', () => {
    const { note: _note, ...mine } = base;
    const theirs = { ...base, note: 'another', repeatInterval: '1h' };
    const differences = fieldDifferences<object>(base, mine, theirs, {});
    expect(differences.map(({ key, mine: own, theirs: other }) => [key, own, other])).toEqual([
      ['note', 'removed', 'changed to “another”'],
      ['repeatInterval', 'absent', 'changed to “1h”'],
    ]);
    expect(mergeFields<object>(mine, theirs, differences, new Map())).toEqual({ ...mine, repeatInterval: '1h' });
  });

  it('are the same whatever order their keys have', () => {
    expect(same({ a: 1, b: { c: 2, d: [1, 2] } }, { b: { d: [1, 2], c: 2 }, a: 1 })).toBe(true);
    expect(same({ a: [1, 2] }, { a: [2, 1] })).toBe(false);
    expect(fieldDifferences(base, base, { ...base }, {})).toEqual([]);
  });
});
