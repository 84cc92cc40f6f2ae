import { describe, expect, it } from 'vitest';
import { otherOf, sharesOf, withOther } from './share-parts.ts';

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

  it('what the answer left out is among them, and adds up', () => {
    const left = otherOf([null, null, 100], 30);
    expect(left).toEqual({ name: 'Other', value: 100, groups: 30 });
    const few = Array.from({ length: 3 }, (_, index) => ({ name: `${index}`, value: index }));
    expect(withOther(few, left)).toEqual([...few, left]);
    const many = Array.from({ length: 12 }, (_, index) => ({ name: `${index}`, value: index + 1 }));
    expect(withOther(many, left)).toHaveLength(12);
    expect(withOther(many, left).at(-1)).toEqual({ name: 'Other', value: 101, groups: 31 });
  });

  it('up to a dozen are all shown', () => {
    const shares = Array.from({ length: 12 }, (_, index) => ({ name: `${index}`, value: index }));
    expect(withOther(shares)).toEqual(shares);
  });
});
