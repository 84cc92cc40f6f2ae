import { expect, it } from 'vitest';
import type { SeriesQuery } from '../chart-query.ts';
import { quantileDecoders } from './quantile-decoders.ts';

/** The quantile of what the engine says of a bucket and group: `[scale, zeros, positive, negative]` for each scale. */
function quantileIn(parts: unknown, level: number): number | null | undefined {
  const series: SeriesQuery = {
    aggregate: 'quantile',
    level,
    where: '',
    whereLanguage: 'lucene',
    metric: { name: 'latency', kind: 'exponentialHistogram' },
  };
  return quantileDecoders([series])?.get('v0')?.(JSON.stringify(parts));
}

const none = [[], []];

it.each<[string, unknown, number, number | null]>([
  [
    'level 0 is the lower edge of the first bucket',
    [
      [
        0,
        0,
        [
          [0, 1, 2],
          [4, 4, 4],
        ],
        none,
      ],
    ],
    0,
    1,
  ],
  [
    'level 1 is the upper edge of the last',
    [
      [
        0,
        0,
        [
          [0, 1, 2],
          [4, 4, 4],
        ],
        none,
      ],
    ],
    1,
    8,
  ],
  [
    'in between it lies on the exponential curve',
    [
      [
        0,
        0,
        [
          [0, 1, 2],
          [4, 4, 4],
        ],
        none,
      ],
    ],
    0.5,
    2 * Math.SQRT2,
  ],
  [
    'the largest negative magnitude comes first',
    [
      [
        0,
        4,
        [[1], [4]],
        [
          [0, 1],
          [2, 2],
        ],
      ],
    ],
    0,
    -4,
  ],
  [
    'negative buckets are mirrored',
    [
      [
        0,
        4,
        [[1], [4]],
        [
          [0, 1],
          [2, 2],
        ],
      ],
    ],
    1 / 12,
    -2 * Math.SQRT2,
  ],
  [
    'then comes zero',
    [
      [
        0,
        4,
        [[1], [4]],
        [
          [0, 1],
          [2, 2],
        ],
      ],
    ],
    0.5,
    0,
  ],
  [
    'several scales are read at the smallest: index 3 of 1 is 1 of 0, -1 is -1',
    [
      [
        1,
        0,
        [
          [-1, 3],
          [1, 1],
        ],
        none,
      ],
      [0, 0, [[1], [2]], none],
    ],
    0.625,
    2 * Math.SQRT2,
  ],
  [
    'a scale that nothing was counted at still is one',
    [
      [3, 0, [[0], [1]], none],
      [-2, 0, none, none],
    ],
    1,
    16,
  ],
  ['parts of a tuple may come by name', [{ step_scale: 0, zero_count: 0, positive: [[0], [2]], negative: none }], 1, 2],
  ['indexes may come as text', [[0, 0, [['2'], [1]], none]], 1, 8],
  ['there is none of nothing', [[0, 0, none, none]], 0.5, null],
  ['nor where it is beyond all numbers', [[-20, 0, [[1], [1]], none]], 1, null],
])('%s (decisions C9)', (_, parts, level, expected) => {
  const found = quantileIn(parts, level);
  if (expected === null) expect(found).toBeNull();
  else expect(found).toBeCloseTo(expected, 9);
});
