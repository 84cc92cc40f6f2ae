import { expect, it } from 'vitest';
import { evaluatedSeries } from './evaluated-series.ts';

const sourceId = 'a00000000000000000000001';
const series = (field?: string, alias?: string) => ({
  sourceId,
  aggFn: 'avg' as const,
  where: '',
  groupBy: [],
  ...(field && { field }),
  ...(alias && { alias }),
});
const select = [{ aggFn: 'count' as const }, { aggFn: 'max' as const, valueExpression: 'Duration' }];

it.each([
  ['one series', { series: [series('a')] }, undefined],
  ['the last of several', { series: [series('a'), series('b')] }, 'avg(b) (the last of 2)'],
  ['by its alias', { series: [series('a'), series('b', 'p95')] }, 'p95 (the last of 2)'],
  ['a ratio', { series: [series('a'), series('b')], asRatio: true }, 'avg(a) / avg(b) (the ratio)'],
  [
    'config: the last of several',
    { config: { displayType: 'line', sourceId, select } },
    'max(Duration) (the last of 2)',
  ],
  [
    'config: the last formula before all',
    {
      config: {
        displayType: 'line',
        sourceId,
        select,
        asRatio: true,
        formulas: [{ expression: 'A' }, { expression: 'A/B' }],
      },
    },
    'A/B (the last formula)',
  ],
  ['text', { config: { displayType: 'markdown' } }, undefined],
] as const)('%s', (_title, tile, expected) => {
  // The table has the parts of a tile as constants.
  expect(evaluatedSeries(tile as unknown as Parameters<typeof evaluatedSeries>[0])).toBe(expected);
});
