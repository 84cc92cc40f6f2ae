import { describe, expect, it } from 'vitest';
import { sharesOf, withOther } from './share-parts.ts';

describe('shares', () => {
  it('are named by their groups; unknown values are not zero', () => {
    expect(sharesOf([['cart', 'GET', 3], ['', null, null], [7]])).toMatchObject([
      { name: 'cart, GET', value: 3 },
      { name: '(empty), (empty)', value: null },
      { name: '(all)', value: 7 },
    ]);
  });

  it('beyond a dozen are summed up, the smallest ones, whatever their order', () => {
    const shares = Array.from({ length: 20 }, (_, index) => ({ name: `${index}`, value: index + 1 }));
    const shown = withOther(shares);
    expect(shown.map(({ name }) => name)).toEqual([...shares.slice(9).map(({ name }) => name), 'Other']);
    expect(shown.at(-1)).toEqual({ name: 'Other', value: 45, groups: 9 });
    const sum = (parts: readonly { value: number | null }[]) => parts.reduce((all, { value }) => all + (value ?? 0), 0);
    expect(sum(shown)).toBe(sum(shares));
  });

  it('up to a dozen are all shown', () => {
    const shares = Array.from({ length: 12 }, (_, index) => ({ name: `${index}`, value: index }));
    expect(withOther(shares)).toEqual(shares);
  });
});
