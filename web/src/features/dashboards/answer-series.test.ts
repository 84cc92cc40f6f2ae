import { describe, expect, it } from 'vitest';
import type { TileSeriesAnswer } from '../../../../src/contract/tile-query.ts';
import { chartSeriesOf } from './answer-series.ts';

const seriesOf = (count: number, points: number, change: Partial<TileSeriesAnswer> = {}): TileSeriesAnswer[] =>
  Array.from({ length: count }, (_, index) => ({
    select: 0,
    name: 'count',
    group: [`group ${index}`],
    points: Array.from({ length: points }, (__, at): [number, number] => [at * 1_000, at]),
    ...change,
  }));
const dashed = (series: TileSeriesAnswer[]): number =>
  chartSeriesOf({ ref: 'a', series }, 'light').filter(({ dash }) => dash !== undefined).length;

describe('the lines of a chart', () => {
  it('are dashed once all colours are taken', () => {
    expect(dashed(seriesOf(8, 60))).toBe(0);
    expect(dashed(seriesOf(20, 60))).toBe(12);
  });

  it('are solid where they have too many points for dashes to be told; their colours differ all the same', () => {
    const many = seriesOf(20, 1_000);
    expect(dashed(many)).toBe(0);
    expect(new Set(chartSeriesOf({ ref: 'a', series: many }, 'light').map(({ color }) => color)).size).toBe(20);
  });

  it('of the period before are dashed in any case', () => {
    expect(dashed(seriesOf(2, 1_000, { previous: true }))).toBe(2);
  });
});
