import { expect, it } from 'vitest';
import { sparkline } from './sparkline.ts';

it('draws over the whole range, from zero up to the largest value', () => {
  const { line, area } = sparkline(
    [
      [0, 5],
      [50, 10],
      [100, 0],
    ],
    { startMs: 0, endMs: 100 },
  );
  expect(line).toBe('M0 50L50 0L100 100');
  expect(area).toBe('M0 100L0 50L50 0L100 100L100 100Z');
});

it('breaks where values are missing, and draws nothing of nothing', () => {
  const { line } = sparkline(
    [
      [0, 1],
      [50, null],
      [100, 1],
    ],
    { startMs: 0, endMs: 100 },
  );
  expect(line).toBe('M0 0M100 0');
  expect(sparkline([], { startMs: 0, endMs: 100 })).toEqual({ line: '', area: '' });
});

it('starts at the lowest value if one is below zero', () => {
  const { line } = sparkline(
    [
      [0, -10],
      [100, 10],
    ],
    { startMs: 0, endMs: 100 },
  );
  expect(line).toBe('M0 100L100 0');
});

it('joins what is close enough, as the lines of a chart are', () => {
  const points = [
    [0, 1],
    [25, null],
    [50, 1],
    [75, null],
    [76, null],
    [101, 1],
  ] as const;
  expect(sparkline(points, { startMs: 0, endMs: 100, joinMs: 50 }).line).toBe('M0 0L50 0M101 0');
});
