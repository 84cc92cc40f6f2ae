import type { Tile } from '../../../../src/contract/tile.ts';

/** A tile with nothing asked yet, below all others. */
export function newTile(tiles: readonly Tile[], id: string): Tile {
  return { id, name: '', x: 0, y: bottomOf(tiles), w: 12, h: 7 };
}

/** The tile in the place of the one with its id, or after all others. */
export function replaceTile(tiles: readonly Tile[], tile: Tile): Tile[] {
  const known = tiles.some(({ id }) => id === tile.id);
  return known ? tiles.map((one) => (one.id === tile.id ? tile : one)) : [...tiles, tile];
}

/** All tiles and a copy of one, below them. */
export function duplicateTile(tiles: readonly Tile[], tile: Tile, id: string): Tile[] {
  return [...tiles, { ...tile, id, name: `${tile.name ?? ''} (copy)`.trim(), y: bottomOf(tiles) }];
}

function bottomOf(tiles: readonly Tile[]): number {
  return Math.max(0, ...tiles.map(({ y, h }) => y + h));
}
