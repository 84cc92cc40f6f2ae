import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { linePaths } from './line-paths.ts';

// What draws needs a browser's canvas: here a path remembers its corners.
class RecordingPath {
  readonly corners: number[][];
  constructor(path?: RecordingPath) {
    this.corners = [...(path?.corners ?? [])];
  }
  lineTo(x: number, y: number): void {
    this.corners.push([x, y]);
  }
}

const bbox = { left: 10, top: 5, width: 100, height: 50 };

function plotOf(times: number[], values: number[], fill?: string) {
  const scales = { x: { min: 0, max: 10 }, y: { min: 0, max: 5 } };
  return { bbox, data: [times, values], scales, series: [{}, { fill }] };
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

  it('fills what is below a line down to zero, if the series has a fill', () => {
    const areaOf = (fill?: string) =>
      linePaths()(() => true)(plotOf([0, 5, 10], [1, 5, 2], fill) as never, 1, 0, 2)?.fill as unknown;
    expect(areaOf()).toBeNull();
    const { corners } = areaOf('#2f6fed1f') as RecordingPath;
    expect(corners.slice(-2)).toEqual([
      [110, 55],
      [10, 55],
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
