import { describe, expect, it } from 'vitest';
import { tileQueryLimits } from './tile-query-limits.ts';
import { TextAllowance, tilesByRequest, tileTextLength } from './tile-texts.ts';

const search = (length: number) => ({ config: { displayType: '', where: 'x'.repeat(length) } });
const lengths = (parts: { tile: unknown }[][]) => parts.map((part) => part.length);

describe('texts of tiles', () => {
  it('are filters and expressions, not what is shown', () => {
    const series = [{ where: 'abc', groupBy: ['de', 'f'], alias: 'long name' }, { content: '# text' }];
    expect(tileTextLength({ name: 'long name', series, own: 'kept' })).toBe(6);
    expect(tileTextLength({ config: { markdown: 'text', displayType: 'markdown' } })).toBe('markdown'.length);
    expect([null, 1, 'x', {}].map(tileTextLength)).toEqual([0, 0, 0, 0]);
  });

  it('may be so long together; the first tile is always taken', () => {
    const allowance = new TextAllowance({});
    expect(allowance.take(search(tileQueryLimits.textLength + 1))).toBe(true);
    expect(allowance.take(search(1))).toBe(false);
    const shared = new TextAllowance({ where: 'x'.repeat(tileQueryLimits.textLength / 4) });
    expect([1, 2, 3, 4, 5].map(() => shared.take(search(0)))).toEqual([true, true, true, true, false]);
  });

  it('are parted so that each request may ask for its own', () => {
    const half = tileQueryLimits.textLength / 2;
    const tiles = [half, half, 10, 2 * half, 3 * half, 1].map((length) => ({ tile: search(length) }));
    const parts = tilesByRequest(tiles, {});
    expect(lengths(parts)).toEqual([2, 1, 1, 1, 1]);
    expect(parts.flat()).toEqual(tiles);
    const many = Array.from({ length: 120 }, () => ({ tile: search(100) }));
    expect(lengths(tilesByRequest(many, {}))).toEqual([50, 50, 20]);
  });
});
