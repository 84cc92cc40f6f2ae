import { cloneLayout, correctBounds, type Layout, verticalCompactor } from 'react-grid-layout/core';
import type { Tile } from '../../../../src/contract/tile.ts';

// Every dashboard needs what is here; what only arranging needs is in `arrange-tiles.ts`.

export const gridColumns = 24;
export const gridRowPx = 36;
export const gridGapPx = 8;
const smallest = { minW: 3, minH: 2 };

/** Places of the tiles as the grid takes them. */
export function layoutOf(tiles: readonly Tile[]): Layout {
  return tiles.map(({ id, x, y, w, h }) => ({ i: id, x, y, w, h, ...smallest }));
}

/** As the grid shows what is stored: within its columns, without gaps above a tile. */
export function settle(layout: Layout): Layout {
  return verticalCompactor.compact(correctBounds(cloneLayout(layout), { cols: gridColumns }), gridColumns);
}

/** From the top left to the bottom right, as tiles are read and tabbed through. */
export function readingOrder(tiles: readonly Tile[]): Tile[] {
  return [...tiles].sort((a, b) => a.y - b.y || a.x - b.x);
}
