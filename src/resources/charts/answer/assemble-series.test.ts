import { describe, expect, it } from 'vitest';
import { queryResult } from '../../../telemetry/testing.ts';
import { addRatio } from './add-ratio.ts';
import { type AssembledScan, assembleSeries } from './assemble-series.ts';
import type { Cell, ChartTable } from './chart-table.ts';
import { fillBuckets } from './fill-buckets.ts';
import { presentChartColumns, presentChartRows } from './present-chart-rows.ts';

const scan = (seriesIndexes: number[], columns: Record<string, readonly unknown[]>): AssembledScan => ({
  seriesIndexes,
  result: queryResult(columns),
});
const rowsOf = (table: ChartTable): unknown => JSON.parse(presentChartRows(table));

describe('merging series on bucket and group (decisions C1, C4)', () => {
  it('U-113: rows of two sources are aligned; the missing side is absent; sorted by bucket', () => {
    const table = assembleSeries(
      [scan([0], { ts: [0, 1], n0: [1, 1], v0: [10, 11] }), scan([1], { ts: [1, 2], n0: [1, 1], v0: [21, 22] })],
      { seriesCount: 2, groupFields: 0, groupsMax: 10 },
    );
    expect(rowsOf(table)).toEqual([
      { ts_bucket: 0, group: [], 'series_0.data': 10 },
      { ts_bucket: 1, group: [], 'series_0.data': 11, 'series_1.data': 21 },
      { ts_bucket: 2, group: [], 'series_1.data': 22 },
    ]);
  });

  it('groups whose values hold separators are kept apart', () => {
    const columns = { ts: [0, 0], g0: ['a|b', 'a'], g1: ['c', 'b|c'], n0: [1, 1], v0: [1, 2] };
    const table = assembleSeries([scan([0], columns), scan([1], columns)], {
      seriesCount: 2,
      groupFields: 2,
      groupsMax: 10,
    });
    expect(rowsOf(table)).toEqual([
      { ts_bucket: 0, group: ['a', 'b|c'], 'series_0.data': 2, 'series_1.data': 2 },
      { ts_bucket: 0, group: ['a|b', 'c'], 'series_0.data': 1, 'series_1.data': 1 },
    ]);
  });

  it('a series that matched no row in a bucket is absent, one that matched rows without a number is null', () => {
    const columns = { ts: [0], n0: [0], v0: [0], n1: [3], v1: [null] };
    const table = assembleSeries([scan([1, 0], columns)], { seriesCount: 2, groupFields: 0, groupsMax: 10 });
    expect(rowsOf(table)).toEqual([{ ts_bucket: 0, group: [], 'series_0.data': null }]);
  });

  it('a bucket in which no series matched is absent (decisions C5)', () => {
    const table = assembleSeries([scan([0], { ts: [0], n0: [0], v0: [0] })], {
      seriesCount: 1,
      groupFields: 0,
      groupsMax: 10,
    });
    expect(rowsOf(table)).toEqual([]);
  });

  it('decisions C5: the groups with most rows over all buckets and series are kept', () => {
    const columns = { ts: [0, 0, 1], g0: ['a', 'b', 'c'], n0: [1, 2, 5], v0: [100, 1, 1] };
    const table = assembleSeries([scan([0], columns)], { seriesCount: 1, groupFields: 1, groupsMax: 2 });
    expect(rowsOf(table)).toEqual([
      { ts_bucket: 0, group: ['b'], 'series_0.data': 1 },
      { ts_bucket: 1, group: ['c'], 'series_0.data': 1 },
    ]);
    expect(table.truncated).toBe(true);
  });

  it('groups of other tiles that shared the statement are not counted and cut nothing', () => {
    const columns = { ts: [0, 0, 1], g0: ['a', 'b', 'c'], n0: [1, 0, 0], v0: [7, null, null] };
    const table = assembleSeries([scan([0], columns)], { seriesCount: 1, groupFields: 1, groupsMax: 1 });
    expect(table).toMatchObject({ groups: [['a']], bucketsMs: [0], series: [[7]], truncated: false });
  });

  it('or, bucket by bucket, those with most rows in each; the first of equal ones', () => {
    const one = { ts: [0, 0, 0, 1], g0: ['a', 'b', 'c', 'a'], n0: [1, 2, 1, 1], v0: [1, 2, 3, 4] };
    const other = { ts: [0, 1], g0: ['c', 'd'], n0: [5, 1], v0: [30, 40] };
    const options = { seriesCount: 2, groupFields: 1, groupsMax: 2, groupsPerBucket: true };
    const table = assembleSeries([scan([0], one), scan([1], other)], options);
    expect(rowsOf(table)).toEqual([
      { ts_bucket: 0, group: ['b'], 'series_0.data': 2 },
      { ts_bucket: 0, group: ['c'], 'series_0.data': 3, 'series_1.data': 30 },
      { ts_bucket: 1, group: ['a'], 'series_0.data': 4 },
      { ts_bucket: 1, group: ['d'], 'series_1.data': 40 },
    ]);
    expect(table).toMatchObject({ truncated: true, truncatedBuckets: new Set([0]) });
  });
});

const tableOf = (bucketsMs: number[], ...series: Cell[][]): ChartTable => ({
  groups: [[]],
  bucketsMs,
  groupOf: bucketsMs.map(() => 0),
  series,
  truncated: false,
});

describe('ratio (decisions C8)', () => {
  it.each<[string, Cell, Cell, number | null]>([
    ['both', 1, 4, 0.25],
    ['numerator missing', undefined, 5, 0],
    ['numerator without a number', null, 5, null],
    ['denominator 0', 2, 0, null],
    ['denominator missing', 2, undefined, null],
    ['denominator without a number', 2, null, null],
    ['beyond all numbers', 1e308, 1e-10, null],
  ])('%s', (_, numerator, denominator, expected) => {
    expect(addRatio(tableOf([0], [numerator], [denominator])).ratio).toEqual([expected]);
  });
});

describe('filling (decisions C5)', () => {
  const buckets = { range: { startMs: 1_500, endMs: 4_000 }, granularityMs: 1_000, bucketOriginMs: 0 };
  const options = { buckets, rowsMax: 100 };

  it('every bucket of the range, the partial first one included', () => {
    const filled = fillBuckets(tableOf([2_000], [7]), { ...options, value: 0, grouped: false });
    expect(rowsOf(filled)).toEqual([
      { ts_bucket: 1_000, group: [], 'series_0.data': 0 },
      { ts_bucket: 2_000, group: [], 'series_0.data': 7 },
      { ts_bucket: 3_000, group: [], 'series_0.data': 0 },
    ]);
  });

  it('a value that is null stays null; a ratio of a filled bucket is null', () => {
    const table = addRatio(tableOf([1_000], [null], [2]));
    expect(rowsOf(fillBuckets(table, { ...options, value: 0, grouped: false }))).toEqual([
      { ts_bucket: 1_000, group: [], 'series_0.data': null, 'series_1.data': 2, ratio: null },
      { ts_bucket: 2_000, group: [], 'series_0.data': 0, 'series_1.data': 0, ratio: null },
      { ts_bucket: 3_000, group: [], 'series_0.data': 0, 'series_1.data': 0, ratio: null },
    ]);
  });

  it('without any row: all buckets when ungrouped, none when grouped', () => {
    const empty = { ...tableOf([], []), groups: [] };
    expect(rowsOf(fillBuckets(empty, { ...options, value: null, grouped: false }))).toHaveLength(3);
    expect(rowsOf(fillBuckets(empty, { ...options, value: null, grouped: true }))).toEqual([]);
  });

  it('groups that were cut stay out', () => {
    const table = { ...tableOf([1_000], [1]), groups: [['kept'], ['cut']] };
    const filled = rowsOf(fillBuckets(table, { ...options, value: 0, grouped: true })) as { group: string[] }[];
    expect(new Set(filled.flatMap(({ group }) => group))).toEqual(new Set(['kept']));
  });
});

describe('rows as text', () => {
  it('is JSON whatever the groups hold', () => {
    const group = ['"},{"x":1', '\u2028\\', ''];
    const table = { ...tableOf([5], [1e21, Number.MIN_VALUE]), groups: [group] };
    expect(rowsOf(table)).toEqual([{ ts_bucket: 5, group, 'series_0.data': 1e21 }]);
  });

  it('column form: a group field never replaces a key of ours', () => {
    const table = { ...tableOf([0], [3]), groups: [['a', 'b', 'c']] };
    expect(JSON.parse(presentChartColumns(table, ['group', 'series_0', 'x']))).toEqual([
      { ts_bucket: 0, __hdx_time_bucket: '1970-01-01T00:00:00.000Z', group: ['a', 'b', 'c'], x: 'c', series_0: 3 },
    ]);
  });
});
