import { limits } from '../../contract/limits.ts';
import type { Tile } from '../../contract/tile.ts';

const defaultWidth = 8;
const defaultHeight = 10;

/** A tile that may still lack its place on the grid. */
export type UnplacedTile = Partial<Tile> & { id: string };

/** Gives each tile without a place one below the last tile, 8 wide and 10 high (decisions D7). */
export function placeTiles(tiles: readonly UnplacedTile[]): Tile[] {
  let bottom = 0;
  for (const { y, h = defaultHeight } of tiles) {
    if (y !== undefined) bottom = Math.max(bottom, y + h);
  }
  return tiles.map((tile) => {
    const { x = 0, h = defaultHeight } = tile;
    const { w = Math.min(defaultWidth, limits.gridColumns - x) } = tile;
    // Never below the lowest row that a client may send back.
    const { y = Math.min(bottom, limits.gridRows) } = tile;
    if (tile.y === undefined) bottom = y + h;
    return { ...tile, x, y, w, h };
  });
}
