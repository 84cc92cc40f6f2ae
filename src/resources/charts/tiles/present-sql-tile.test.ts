import { expect, test } from 'vitest';
import { arrangeColumns } from '../raw-sql/arrange-columns.ts';
import type { SqlFrame } from '../raw-sql/write-sql.ts';
import type { SqlTile } from '../request/sql-tile.ts';
import { presentSqlTime } from './present-sql-tile.ts';

const minuteMs = 60_000;
const frame: SqlFrame = {
  range: { startMs: 0, endMs: 60 * minuteMs },
  intervalMs: minuteMs,
  originMs: 0,
  conditions: [],
  variables: new Map(),
};
const tile: SqlTile = {
  ...{ displayType: 'line', layout: 'time', template: '', connectionId: 'c' },
  ...{ fill: true, alignRange: false, comparePrevious: false },
};

function columnsOf(rows: readonly [minute: number, group: string, count: number][]) {
  const columns = [
    rows.map(([minute]) => new Date(minute * minuteMs).toISOString()),
    rows.map(([, group]) => group),
    rows.map(([, , count]) => count),
  ];
  const cost = { rowsRead: 0, bytesRead: 0, elapsedMs: 0 };
  const types = ['DateTime', 'String', 'UInt64'];
  return arrangeColumns({ names: ['ts', 'service', 'n'], types, columns, rows: rows.length, ...cost }, tile);
}

/** Of six thousand groups in sixty buckets. */
const many = Array.from({ length: 6_000 }, (_, at): [number, string, number] => [at % 60, `g${at}`, at]);

test('gaps of the groups that are drawn are filled, however many are left out', () => {
  const { series, truncated } = presentSqlTime({ ...tile, seriesLimit: 3 }, columnsOf(many), frame);
  expect(truncated).toBe(true);
  expect(series.map(({ group, points }) => [group[0], points.length])).toEqual([
    ['g5997', 60],
    ['g5998', 60],
    ['g5999', 60],
  ]);
  expect(series[0]?.points.filter(([, value]) => value !== 0)).toEqual([[57 * minuteMs, 5_997]]);
});

test('rows that are no buckets of the chart stay as they are', () => {
  const columns = columnsOf([
    [0, 'a', 1],
    [0.5, 'a', 2],
  ]);
  expect(presentSqlTime(tile, columns, frame).series[0]?.points).toEqual([
    [0, 1],
    [minuteMs / 2, 2],
  ]);
});

test('gaps stay when filling them would make more than a quarter of a million values', () => {
  const { series } = presentSqlTime({ ...tile, seriesLimit: 0 }, columnsOf(many), frame);
  expect(series).toHaveLength(6_000);
  expect(series.every(({ points }) => points.length === 1)).toBe(true);
});
