import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { TileConfig } from '../../contract/tile-config.ts';
import { tileToChart } from '../charts/request/tile-to-chart.ts';
import { checkTile } from './check-tile.ts';

const lineOf = (expression: string): TileConfig => ({
  displayType: 'line',
  sourceId: 'a00000000000000000000001',
  select: [{ aggFn: 'count' }, { aggFn: 'count' }],
  formulas: [{ expression }],
});

const tileOf = (expression: string) => ({ id: 't', name: 't', x: 0, y: 0, w: 1, h: 1, config: lineOf(expression) });

const isSaved = (expression: string) => checkTile(tileOf(expression)).length === 0;
const isDrawn = (expression: string) => tileToChart(tileOf(expression)).kind === 'chart';

it.each(['A', ' 100 * A / B ', `${'-'.repeat(64)}A`, `${'('.repeat(64)}A${')'.repeat(64)}`])('accepts %s', (text) => {
  expect(isSaved(text)).toBe(true);
});

it.each([
  ['A + C', 'there is no C; the select items are A to B (at position 4)'],
  ['A +', 'expected a number, a letter or "(", found the end (at position 3)'],
  [`${'-'.repeat(65)}A`, 'is nested more than 64 deep (at position 64)'],
])('rejects %s with reason and position', (text, message) => {
  expect(checkTile(tileOf(text))).toEqual([{ path: 'config.formulas.0.expression', message }]);
});

it('what is saved is drawn, and what is rejected would not be (contract §2.3)', () => {
  const piece = fc.constantFrom(...'ABC1.+-*/() x', '-'.repeat(33), '('.repeat(33), ')'.repeat(33));
  const text = fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(text, (expression) => isSaved(expression) === isDrawn(expression)),
    { numRuns: 2000 },
  );
});
