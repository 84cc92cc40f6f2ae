import {
  applyPositionConstraints,
  applySizeConstraints,
  type ConstraintContext,
  cloneLayout,
  defaultConstraints,
  type Layout,
  moveElement,
  verticalCompactor,
} from 'react-grid-layout/core';
import type { Tile } from '../../../../src/contract/tile.ts';
import { gridColumns, gridRowPx, layoutOf, readingOrder, settle } from './settle-tiles.ts';

export type Direction = 'left' | 'right' | 'up' | 'down';
/** Sizes change at the right and the lower edge: `right` is wider, `up` is less high. */
export type ArrangeStep = { kind: 'move' | 'resize'; direction: Direction };

const cells: Record<Direction, readonly [x: number, y: number]> = {
  left: [-1, 0],
  right: [1, 0],
  up: [0, -1],
  down: [0, 1],
};

/** The tiles at the places of a layout; those that stay where they are stay the same objects. */
export function placeTiles(tiles: readonly Tile[], layout: Layout): Tile[] {
  const places = new Map(layout.map((place) => [place.i, place]));
  return tiles.map((tile) => {
    const { x, y, w, h } = places.get(tile.id) ?? tile;
    return x === tile.x && y === tile.y && w === tile.w && h === tile.h ? tile : { ...tile, x, y, w, h };
  });
}

/**
 * The tiles after one step of a key or a button: what dragging this tile, or its corner, cell by cell in that direction
 * would give first. Nothing when it is at the edge, or as small as it may be.
 */
export function arrangeTile(tiles: readonly Tile[], id: string, { kind, direction }: ArrangeStep): Tile[] | undefined {
  const ordered = readingOrder(tiles);
  const settled = settle(layoutOf(ordered));
  const layout = kind === 'move' ? moved(settled, { id, direction }) : resized(settled, { id, by: cells[direction] });
  return layout && placeTiles(tiles, layout);
}

/**
 * A tile that is dragged one cell down, say, falls back while the one below is in its way, and changes places with it
 * when it has been dragged far enough. One step goes that far.
 */
function moved(settled: Layout, { id, direction }: { id: string; direction: Direction }): Layout | undefined {
  const from = settled.find(({ i }) => i === id);
  if (!from) return undefined;
  const [dx, dy] = cells[direction];
  let layout = settled;
  for (let distance = 1; distance <= Math.max(gridColumns, bottomOf(settled)); distance += 1) {
    const dragged = cloneLayout(layout);
    const tile = dragged.find(({ i }) => i === id);
    if (!tile) return undefined;
    const to = { x: from.x + dx * distance, y: from.y + dy * distance };
    const { x, y } = applyPositionConstraints(defaultConstraints, tile, to.x, to.y, contextOf(layout));
    if (x !== to.x || y !== to.y) return undefined;
    layout = verticalCompactor.compact(
      moveElement(dragged, tile, x, y, true, false, 'vertical', gridColumns, false),
      gridColumns,
    );
    const now = layout.find(({ i }) => i === id);
    if (now && (now.x - from.x) * dx + (now.y - from.y) * dy > 0) return layout;
  }
  return undefined;
}

function resized(settled: Layout, { id, by }: { id: string; by: readonly [w: number, h: number] }): Layout | undefined {
  const layout = cloneLayout(settled);
  const tile = layout.find(({ i }) => i === id);
  if (!tile) return undefined;
  const to = { w: tile.w + by[0], h: tile.h + by[1] };
  const { w, h } = applySizeConstraints(defaultConstraints, tile, to.w, to.h, 'se', contextOf(layout));
  if (w === tile.w && h === tile.h) return undefined;
  Object.assign(tile, { w, h });
  return verticalCompactor.compact(layout, gridColumns);
}

function bottomOf(layout: Layout): number {
  return Math.max(0, ...layout.map(({ y, h }) => y + h));
}

/** The grid has no lower end, and its constraints do not look at pixels. */
function contextOf(layout: Layout): ConstraintContext {
  const pixels = { containerWidth: 0, containerHeight: 0, rowHeight: gridRowPx, margin: [0, 0] as const };
  return { cols: gridColumns, maxRows: Number.POSITIVE_INFINITY, ...pixels, layout };
}
