import { describe, expect, it } from 'vitest';
import { rowsAt } from './tooltip-rows.ts';

describe('what the box at the pointer lists', () => {
  const series = Array.from({ length: 20 }, (_, index) => ({
    ...{ key: `k${index}`, name: `service-${index}`, color: '#123456', points: [] },
  }));
  const values = series.map((_, index) => [100 - index]);
  const parts = { series, values, isHidden: (index: number) => index === 0 };

  it('is the largest first, and says how many more there are', () => {
    const rows = rowsAt(parts, 0, { most: 3, nearest: undefined });
    expect(rows.map(({ name, value }) => [name, value])).toEqual([
      ['service-1', '99'],
      ['service-2', '98'],
      ['service-3', '97'],
      ['and 16 more', ''],
    ]);
  });

  it('includes the one under the pointer, marked, at any position', () => {
    const rows = rowsAt(parts, 0, { most: 3, nearest: 19 });
    expect(rows.map(({ name, isNearest }) => [name, isNearest])).toEqual([
      ['service-1', false],
      ['service-2', false],
      ['service-19', true],
      ['and 16 more', false],
    ]);
    expect(rowsAt(parts, 0, { most: 3, nearest: 2 })[1]).toMatchObject({ name: 'service-2', isNearest: true });
  });

  it('leaves out what is hidden or has no value there', () => {
    const gaps = series.map(() => [null]);
    expect(rowsAt({ ...parts, values: gaps }, 0, { most: 3, nearest: 0 })).toEqual([]);
  });
});
