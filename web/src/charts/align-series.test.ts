import { describe, expect, it } from 'vitest';
import { alignSeries, stackColumns, summarize } from './align-series.ts';

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
      60,
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
      60,
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
        60,
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

  it('takes nothing', () => {
    expect(alignSeries([], 60)).toEqual({ times: [], values: [], isolated: [] });
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

describe('summarize', () => {
  it('does not count gaps', () => {
    expect(
      summarize([
        [0, 1],
        [1, null],
        [2, 3],
      ]),
    ).toEqual({ last: 3, mean: 2, max: 3 });
    expect(summarize([[0, null]])).toEqual({ last: null, mean: null, max: null });
  });
});
