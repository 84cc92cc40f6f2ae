import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { linePaths } from './line-paths.ts';

// What draws needs a browser's canvas: here a path remembers its corners.
class RecordingPath {
  readonly corners: number[][] = [];
  lineTo(x: number, y: number): void {
    this.corners.push([x, y]);
  }
}

const bbox = { left: 10, top: 5, width: 100, height: 50 };

function plotOf(times: number[], values: number[]) {
  return { bbox, data: [times, values], scales: { x: { min: 0, max: 10 }, y: { min: 0, max: 5 } } };
}

describe('linePaths', () => {
  beforeEach(() => void vi.stubGlobal('Path2D', RecordingPath));
  afterEach(() => void vi.unstubAllGlobals());

  function cornersOf(times: number[], values: number[], [first, last]: [number, number]) {
    const paths = linePaths()(() => true)(plotOf(times, values) as never, 1, first, last);
    return (paths?.stroke as unknown as RecordingPath | undefined)?.corners;
  }

  it('puts each point on its pixel, the largest value on top', () => {
    expect(cornersOf([0, 5, 10], [0, 5, 2.51], [0, 2])).toEqual([
      [10, 55],
      [60, 5],
      [110, 30],
    ]);
  });

  it('draws the requested points', () => {
    expect(cornersOf([0, 5, 10], [0, 5, 0], [1, 2])).toEqual([
      [60, 5],
      [110, 55],
    ]);
  });

  it('makes no corner of a point on the pixel of the one before', () => {
    expect(cornersOf([0, 0.01, 0.02, 10], [0, 0.01, 5, 5], [0, 3])).toEqual([
      [10, 55],
      [10, 5],
      [110, 5],
    ]);
  });
});
