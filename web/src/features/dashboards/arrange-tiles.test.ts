import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Tile } from '../../../../src/contract/tile.ts';
import { type ArrangeStep, arrangeTile, type Direction } from './arrange-tiles.ts';

type Place = readonly [x: number, y: number, w: number, h: number];

/** Tiles named a, b, c … at these places. */
function tilesAt(...places: Place[]): Tile[] {
  return places.map(([x, y, w, h], index) => ({ id: 'abcdefghij'.charAt(index), name: '', x, y, w, h }));
}

const placesOf = (tiles: readonly Tile[] | undefined) => tiles?.map(({ x, y, w, h }) => [x, y, w, h]);
const move = (direction: Direction): ArrangeStep => ({ kind: 'move', direction });
const resize = (direction: Direction): ArrangeStep => ({ kind: 'resize', direction });

describe('a step of one tile', () => {
  it.each([
    { says: 'one cell to the right', step: move('right'), from: tilesAt([0, 0, 8, 5]), to: [[1, 0, 8, 5]] },
    { says: 'one cell to the left', step: move('left'), from: tilesAt([4, 0, 8, 5]), to: [[3, 0, 8, 5]] },
    { says: 'wider', step: resize('right'), from: tilesAt([0, 0, 8, 5]), to: [[0, 0, 9, 5]] },
    { says: 'narrower', step: resize('left'), from: tilesAt([0, 0, 8, 5]), to: [[0, 0, 7, 5]] },
    { says: 'higher', step: resize('down'), from: tilesAt([0, 0, 8, 5]), to: [[0, 0, 8, 6]] },
    { says: 'less high', step: resize('up'), from: tilesAt([0, 0, 8, 5]), to: [[0, 0, 8, 4]] },
    {
      says: 'down, behind the tile below, which comes up',
      step: move('down'),
      from: tilesAt([0, 0, 8, 5], [0, 5, 8, 3], [0, 8, 8, 2]),
      to: [
        [0, 3, 8, 5],
        [0, 0, 8, 3],
        [0, 8, 8, 2],
      ],
    },
    {
      says: 'up, before the tile above',
      step: move('up'),
      from: tilesAt([0, 3, 8, 5], [0, 0, 8, 3]),
      to: [
        [0, 0, 8, 5],
        [0, 5, 8, 3],
      ],
    },
    {
      says: 'to the right onto a neighbour, which makes room below',
      step: move('right'),
      from: tilesAt([0, 0, 8, 5], [8, 0, 8, 5]),
      to: [
        [1, 0, 8, 5],
        [8, 5, 8, 5],
      ],
    },
    {
      says: 'higher, and what is below makes room',
      step: resize('down'),
      from: tilesAt([0, 0, 8, 5], [0, 5, 8, 3]),
      to: [
        [0, 0, 8, 6],
        [0, 6, 8, 3],
      ],
    },
    {
      says: 'in a grid whose stored gap is not shown',
      step: move('right'),
      from: tilesAt([0, 7, 8, 5], [20, 30, 4, 4]),
      to: [
        [1, 0, 8, 5],
        [20, 0, 4, 4],
      ],
    },
  ])('$says', ({ step, from, to }) => {
    expect(placesOf(arrangeTile(from, 'a', step))).toEqual(to);
  });

  it.each([
    { says: 'left of the left edge', step: move('left'), from: tilesAt([0, 0, 8, 5]) },
    { says: 'beyond the right edge', step: move('right'), from: tilesAt([16, 0, 8, 5]) },
    { says: 'above the top', step: move('up'), from: tilesAt([0, 0, 8, 5]) },
    { says: 'below the last', step: move('down'), from: tilesAt([0, 3, 8, 5], [0, 0, 8, 3]) },
    { says: 'wider than the grid', step: resize('right'), from: tilesAt([16, 0, 8, 5]) },
    { says: 'narrower than a tile may be', step: resize('left'), from: tilesAt([0, 0, 3, 5]) },
    { says: 'less high than a tile may be', step: resize('up'), from: tilesAt([0, 0, 8, 2]) },
    { says: 'of a tile that is not there', step: move('right'), from: [] },
  ])('is none $says', ({ step, from }) => {
    expect(arrangeTile(from, 'a', step)).toBeUndefined();
  });

  it('keeps what else a tile has, and the very tiles that stay', () => {
    const [a, b] = tilesAt([0, 0, 8, 5], [12, 0, 8, 5]);
    if (!a || !b) throw new Error('no tiles');
    const [moved, other] = arrangeTile([{ ...a, name: 'Orders', asRatio: true }, b], 'a', move('right')) ?? [];
    expect(moved).toEqual({ ...a, x: 1, name: 'Orders', asRatio: true });
    expect(other).toBe(b);
  });

  it('many of them leave no tile over another, beside the grid or in the air', () => {
    const start = tilesAt([0, 0, 8, 5], [8, 0, 8, 5], [16, 0, 8, 3], [0, 5, 12, 7], [12, 5, 12, 7], [0, 12, 24, 4]);
    const step = fc.record({
      kind: fc.constantFrom('move' as const, 'resize' as const),
      direction: fc.constantFrom('left' as const, 'right' as const, 'up' as const, 'down' as const),
    });
    const steps = fc.array(fc.tuple(fc.constantFrom(...'abcdef'), step), { maxLength: 60 });
    fc.assert(
      fc.property(steps, (taken) => {
        const tiles = taken.reduce((now, [id, each]) => arrangeTile(now, id, each) ?? now, start);
        expect(tiles.flatMap((tile) => problemsOf(tile, tiles))).toEqual([]);
      }),
    );
  });
});

function problemsOf(tile: Tile, tiles: readonly Tile[]): string[] {
  const others = tiles.filter(({ id }) => id !== tile.id);
  const meets = (place: Tile) =>
    others.some(
      (other) =>
        other.x < place.x + place.w &&
        place.x < other.x + other.w &&
        other.y < place.y + place.h &&
        place.y < other.y + other.h,
    );
  return [
    ...(meets(tile) ? [`${tile.id} is over another`] : []),
    ...(tile.x < 0 || tile.x + tile.w > 24 ? [`${tile.id} is beside the grid`] : []),
    ...(tile.y > 0 && !meets({ ...tile, y: tile.y - 1 }) ? [`${tile.id} is in the air`] : []),
  ];
}
