import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alignSeries, stackColumns } from './align-series.ts';

describe('alignSeries', () => {
  it('leaves a gap where a series has no bucket that another one has', () => {
    const aligned = alignSeries(
      [
        {
          points: [
            [0, 1],
            [60, 2],
          ],
        },
        { points: [[60, 5]] },
      ],
      { granularityMs: 60 },
    );
    expect(aligned.times).toEqual([0, 60]);
    expect(aligned.values).toEqual([
      [1, 2],
      [null, 5],
    ]);
  });

  it('leaves a gap where no series has buckets', () => {
    const aligned = alignSeries(
      [
        {
          points: [
            [0, 1],
            [300, 2],
          ],
        },
      ],
      { granularityMs: 60 },
    );
    expect(aligned.times).toEqual([0, 60, 300]);
    expect(aligned.values).toEqual([[1, null, 2]]);
  });

  it('knows which points a line would not show', () => {
    expect(
      alignSeries(
        [
          {
            points: [
              [0, 1],
              [60, null],
              [120, 3],
              [180, 4],
            ],
          },
        ],
        { granularityMs: 60 },
      ).isolated,
    ).toEqual([[0]]);
  });

  it('takes series whose times have nothing or only some in common, in any order', () => {
    const aligned = alignSeries([
      {
        points: [
          [60, 1],
          [180, 2],
        ],
      },
      {
        points: [
          [60, 3],
          [0, 4],
          [180, 5],
        ],
      },
      { points: [] },
      { points: [[120, 6]] },
    ]);
    expect(aligned.times).toEqual([0, 60, 120, 180]);
    expect(aligned.values).toEqual([
      [null, 1, null, 2],
      [4, 3, null, 5],
      [null, null, null, null],
      [null, null, 6, null],
    ]);
  });

  it('joins points that are close enough: these are no gap, and neither end of a line', () => {
    const at = (...times: number[]) => ({ points: times.map((time): [number, number] => [time, 1]) });
    const { values, isolated } = alignSeries([at(0, 15, 30, 45, 60, 75), at(0, 30, 75), at(15, 60)], {
      granularityMs: 15,
      joinMs: 30,
    });
    expect(values.slice(1)).toEqual([
      [1, undefined, 1, null, null, 1],
      [null, 1, null, null, 1, null],
    ]);
    expect(isolated).toEqual([[], [5], [1, 4]]);
  });

  it('takes nothing', () => {
    expect(alignSeries([], { granularityMs: 60 })).toEqual({
      times: [],
      values: [],
      isolated: [],
      whole: [],
      summaries: [],
    });
  });
});

describe('stackColumns', () => {
  it('sums from the last to the first', () => {
    expect(
      stackColumns(
        [
          [1, 2],
          [10, null],
        ],
        () => false,
      ),
    ).toEqual([
      [11, 2],
      [10, null],
    ]);
  });

  it('leaves hidden ones out of the sums', () => {
    expect(stackColumns([[1], [10], [100]], (index) => index === 1)).toEqual([[101], [null], [100]]);
  });
});

describe('summaries', () => {
  it('do not count gaps', () => {
    const { summaries, whole } = alignSeries([
      {
        points: [
          [0, 1],
          [1, null],
          [2, 3],
        ],
      },
      {
        points: [
          [0, 5],
          [1, -2],
          [2, 3],
        ],
      },
      { points: [[0, null]] },
      { points: [[2, 7]] },
    ]);
    expect(summaries).toEqual([
      { last: 3, mean: 2, max: 3 },
      { last: 3, mean: 2, max: 5 },
      { last: null, mean: null, max: null },
      { last: 7, mean: 7, max: 7 },
    ]);
    expect(whole).toEqual([false, true, false, false]);
  });
});

/** What is meant, point by point. */
function slowly(series: { points: [number, number | null][] }[]) {
  const times = [...new Set(series.flatMap(({ points }) => points.map(([at]) => at)))].sort((a, b) => a - b);
  return {
    times,
    values: series.map(({ points }) => times.map((time) => points.findLast(([at]) => at === time)?.[1] ?? null)),
  };
}

describe('whatever the times of the series', () => {
  it('each value is at its time', () => {
    const point = fc.tuple(fc.integer({ min: 0, max: 12 }), fc.option(fc.integer({ min: -5, max: 5 })));
    const inOrder = fc
      .uniqueArray(point, { selector: ([at]) => at })
      .map((points) => points.sort((a, b) => a[0] - b[0]));
    const anyPoints = fc.oneof(inOrder, fc.array(point));
    fc.assert(
      fc.property(fc.array(fc.record({ points: anyPoints }), { maxLength: 4 }), (series) => {
        const { times, values, whole, isolated } = alignSeries(series);
        expect({ times, values }).toEqual(slowly(series));
        for (const [index, column] of values.entries()) {
          expect(whole[index]).toBe(column.every((value) => value !== null));
          const alone = column.flatMap((value, at) =>
            value !== null && (column[at - 1] ?? null) === null && (column[at + 1] ?? null) === null ? [at] : [],
          );
          expect(isolated[index]).toEqual(whole[index] ? [] : alone);
        }
      }),
    );
  });
});
