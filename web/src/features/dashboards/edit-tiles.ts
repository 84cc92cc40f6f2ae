import { limits } from '../../../../src/contract/limits.ts';
import type { Tile } from '../../../../src/contract/tile.ts';

type Box = Pick<Tile, 'x' | 'y' | 'w' | 'h'>;

/** A tile with nothing asked yet, at the first free place beside the others on its grid. */
export function newTile(tiles: readonly Tile[], id: string): Tile {
  return placedIn(tiles, { id, name: '', x: 0, y: 0, w: 12, h: 7 });
}

/** The tile in the place of the one with its id, or after all others. */
export function replaceTile(tiles: readonly Tile[], tile: Tile): Tile[] {
  const known = tiles.some(({ id }) => id === tile.id);
  return known ? tiles.map((one) => (one.id === tile.id ? tile : one)) : [...tiles, tile];
}

/** A copy of the tile, at the first free place beside those on its grid. */
export function duplicateOf(tile: Tile, beside: readonly Tile[], id: string): Tile {
  return placedIn(beside, { ...tile, id, name: `${tile.name ?? ''} (copy)`.trim() });
}

/** The tile at the first place, in reading order, where it covers none of the others: gaps are filled. */
export function placedIn<T extends Box>(others: readonly Box[], tile: T): T {
  const bottom = Math.max(0, ...others.map(({ y, h }) => y + h));
  // Only where something ends can a place begin that is the first one.
  const rows = [...new Set([0, ...others.map(({ y, h }) => y + h)])].sort((a, b) => a - b);
  const columns = [...new Set([0, ...others.map(({ x, w }) => x + w)])].sort((a, b) => a - b);
  for (const y of rows) {
    for (const x of columns) {
      const place = { ...tile, x, y };
      if (x + tile.w <= limits.gridColumns && !others.some((other) => overlap(place, other))) return place;
    }
  }
  return { ...tile, x: 0, y: bottom };
}

function overlap(a: Box, b: Box): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}
