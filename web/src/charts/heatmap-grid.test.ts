import { describe, expect, it } from 'vitest';
import {
  amountAt,
  boundsOf,
  boxOf,
  cellAt,
  heatmapGrid,
  labelledEdges,
  regionBetween,
  shareOf,
  timeLabels,
  totalOf,
} from './heatmap-grid.ts';

const minute = 60_000;
/** Starts within its first bucket and ends within its last one. */
const range = { startMs: 10 * minute + 15_000, endMs: 14 * minute + 30_000 };
const grid = heatmapGrid(
  {
    edges: [0, 10, 20, 30],
    cells: [
      [10 * minute, 0, 3],
      [10 * minute, 2, 1],
      [13 * minute, 1, 7],
      [99 * minute, 1, 70],
    ],
  },
  range,
  minute,
);

describe('the grid of a heatmap', () => {
  it('has a column for each bucket of the range, and the amounts of those that have any', () => {
    expect([grid.columns, grid.rows, grid.most]).toEqual([5, 3, 7]);
    expect(amountAt(grid, { column: 3, row: 1 })).toBe(7);
    expect(amountAt(grid, { column: 3, row: 2 })).toBeUndefined();
  });

  it('begins its buckets where the answer does: days at the midnight of a zone', () => {
    const [day, hour] = [86_400_000, 3_600_000];
    const days = { startMs: 10 * day, endMs: 13 * day };
    const cells = [
      [11 * day - 5 * hour, 0, 1],
      // After a change of the clocks.
      [12 * day - 4 * hour, 0, 2],
    ] as [number, number, number][];
    const shifted = heatmapGrid({ edges: [0, 1], cells }, days, day);
    expect([shifted.firstMs, shifted.columns]).toEqual([10 * day - 5 * hour, 4]);
    expect([...shifted.amounts]).toEqual([
      [1, 1],
      [2, 2],
    ]);
  });

  it.each([
    [0, 0, { column: 0, row: 2 }],
    [0, 0.99, { column: 0, row: 0 }],
    [1, 0.5, { column: 4, row: 1 }],
    [-3, 7, { column: 0, row: 0 }],
    [3, -7, { column: 4, row: 2 }],
  ])('at %d, %d is the cell %o', (x, y, cell) => {
    expect(cellAt(grid, x, y)).toEqual(cell);
  });

  it('every cell is where it is drawn', () => {
    for (let column = 0; column < grid.columns; column++) {
      for (let row = 0; row < grid.rows; row++) {
        const { left, top, width, height } = boxOf(grid, regionBetween({ column, row }, { column, row }));
        expect(cellAt(grid, left + width / 2, top + height / 2)).toEqual({ column, row });
      }
    }
  });

  it('a region is the same from whichever corner it is drawn', () => {
    const corners = [
      { column: 0, row: 1 },
      { column: 3, row: 2 },
    ] as const;
    expect(regionBetween(corners[1], corners[0])).toEqual(regionBetween(corners[0], corners[1]));
    expect(boundsOf(grid, regionBetween(corners[0], corners[1]))).toEqual({
      startMs: range.startMs,
      endMs: 14 * minute,
      low: 10,
      high: 30,
    });
  });

  it('the whole region is the range and has all amounts', () => {
    const whole = regionBetween({ column: 0, row: 0 }, { column: 4, row: 2 });
    expect(boundsOf(grid, whole)).toEqual({ ...range, low: 0, high: 30 });
    expect(totalOf(grid, whole)).toBe(11);
  });

  it('without values has no rows', () => {
    expect(heatmapGrid({ edges: [], cells: [] }, range, minute)).toMatchObject({ rows: 0, most: 0 });
  });
});

describe('the look of a heatmap', () => {
  it('colours more strongly the more there is, and the most with full strength', () => {
    expect([shareOf(0, 7), shareOf(7, 7), shareOf(0, 0)]).toEqual([0, 1, 0]);
    expect(shareOf(1, 1000)).toBeGreaterThan(0.05);
    expect(shareOf(10, 1000)).toBeLessThan(shareOf(11, 1000));
  });

  it('labels few edges, and decades of a logarithmic scale', () => {
    expect(labelledEdges([0, 1, 2, 3, 4, 5, 6], 'linear', 3)).toEqual([0, 3, 6]);
    const edges = Array.from({ length: 41 }, (_, index) => 10 ** (index / 10));
    expect(labelledEdges(edges, 'log', 5)).toEqual([0, 10, 20, 30, 40]);
    expect(labelledEdges([2, 3, 5], 'log', 5)).toEqual([0, 1, 2]);
  });

  it('labels round times', () => {
    const { atMs, stepMs } = timeLabels(1_736_935_212_345, 1_736_935_212_345 + 3_600_000, 6);
    expect(stepMs).toBe(15 * minute);
    expect(atMs.map((at) => new Date(at).getMinutes())).toEqual([15, 30, 45, 0]);
    expect(timeLabels(0, 400 * 86_400_000, 6).atMs.length).toBeLessThanOrEqual(7);
  });
});
