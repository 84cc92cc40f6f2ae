import { describe, expect, it } from 'vitest';
import type { Tile } from '../../../../src/contract/tile.ts';
import { colorOfToken } from '../../charts/palette.ts';
import { backgroundTile, colorOfNumber, numberLookOf } from './number-look.ts';

describe('colour of a number', () => {
  const look = {
    color: 'chart-gray' as const,
    colorRules: [
      { operator: 'gte' as const, value: 10, color: 'chart-error' as const },
      { operator: 'between' as const, value: [5, 9], color: 'chart-warning' as const },
      { operator: 'eq' as const, value: 'down', color: 'chart-red' as const },
    ],
  };
  it.each([
    [12, 'chart-error'],
    [5, 'chart-warning'],
    [4, 'chart-gray'],
    ['down', 'chart-red'],
    [null, 'chart-gray'],
  ])('of %s is that of the first rule that matches, or the tile’s own: %s', (value, token) => {
    expect(colorOfNumber(value, look, 'dark')).toBe(colorOfToken(token, 'dark'));
  });

  it('is that of text where nothing is said', () => {
    expect(colorOfNumber(3, {}, 'light')).toBeUndefined();
  });
});

describe('the line behind a number', () => {
  const config = {
    displayType: 'number' as const,
    sourceId: 'logs',
    select: [{ aggFn: 'count' as const, where: 'a' }],
    backgroundChart: { type: 'area' as const },
  };
  const tile: Tile = { id: 't', name: 'N', x: 0, y: 0, w: 4, h: 3, config };

  it('asks the same over time', () => {
    expect(backgroundTile(tile)).toEqual({
      id: 't~background',
      config: { displayType: 'line', sourceId: 'logs', select: [{ aggFn: 'count', where: 'a' }] },
    });
    expect(numberLookOf(tile).backgroundChart).toEqual({ type: 'area' });
  });

  it('is not requested if the tile has none', () => {
    const { backgroundChart: _chart, ...plain } = config;
    expect(backgroundTile({ ...tile, config: plain })).toBeUndefined();
    expect(numberLookOf({ config: { displayType: 'markdown' } })).toEqual({});
  });
});
