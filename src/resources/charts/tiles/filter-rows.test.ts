import { describe, expect, it } from 'vitest';
import { filterRows } from './filter-rows.ts';

const names = { groups: ['ServiceName'], values: ['a', 'b'] };
const rows = [
  { group: ['both'], values: [2, 2] },
  { group: ['one'], values: [2, 0] },
  { group: ['unknown'], values: [2, null] },
  { group: ['none'], values: [0, 0] },
];
const kept = (having: string) => filterRows(rows, having, names).map(({ group }) => group[0]);

describe('HAVING is evaluated as in SQL: what is unknown stays unknown', () => {
  it.each([
    ['a > 1 AND b > 1', ['both']],
    ['NOT (a > 1 AND b > 1)', ['one', 'none']],
    ['a > 1 OR b > 1', ['both', 'one', 'unknown']],
    ['NOT (a > 1 OR b > 1)', ['none']],
    ['b > 1 OR b <= 1', ['both', 'one', 'none']],
    ['NOT (a < 1 OR b > 1)', ['one']],
    ['b IN (0, 1)', ['one', 'none']],
    ['b NOT IN (0, 1)', ['both']],
    ['b IS NULL', ['unknown']],
    ['b IS NOT NULL AND a + b > 1', ['both', 'one']],
    ["ServiceName = 'none' OR a * b = 4", ['both', 'none']],
  ])('%s', (having, expected) => expect(kept(having)).toEqual(expected));
});
