import { expect, it } from 'vitest';
import type { TileAnswer, TileSeriesAnswer } from '../../../../src/contract/tile-query.ts';
import { colorOfToken } from '../../charts/palette.ts';
import { chartSeriesOf } from './answer-series.ts';

const one = (name: string, group: string[] = []): TileSeriesAnswer => ({ select: 0, name, group, points: [] });
const colorsOf = (...series: TileSeriesAnswer[]) =>
  chartSeriesOf({ series } as unknown as TileAnswer, 'light').map(({ color }) => color);

it('a single series is blue, unless its name means a colour', () => {
  expect(colorsOf(one('requests'))).toEqual([colorOfToken('chart-blue', 'light')]);
  expect(colorsOf(one('Error'))).toEqual([colorOfToken('chart-error', 'light')]);
  expect(colorsOf(one('requests', ['warn']))).toEqual([colorOfToken('chart-warning', 'light')]);
});

it('several series are distinguished, and keep their colours when others join', () => {
  const [cart, payment] = colorsOf(one('n', ['cart']), one('n', ['payment']));
  expect(cart).not.toBe(payment);
  expect(colorsOf(one('n', ['cart']), one('n', ['payment']), one('n', ['error']))).toEqual([
    cart,
    payment,
    colorOfToken('chart-error', 'light'),
  ]);
});
