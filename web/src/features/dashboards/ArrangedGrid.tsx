import { Text, VisuallyHidden } from '@mantine/core';
import type { ReactNode, TransitionEvent } from 'react';
import ReactGridLayout, { type Layout, useContainerWidth } from 'react-grid-layout';
import 'react-grid-layout/css/styles.css';
import type { Tile } from '../../../../src/contract/tile.ts';
import { styleNonce } from '../../boot.ts';
import { placeTiles } from './arrange-tiles.ts';
import { gridColumns, gridGapPx, gridRowPx, layoutOf, readingOrder } from './settle-tiles.ts';
import { stackedBelowPx, TileGrid } from './TileGrid.tsx';
import { TileHandle } from './TileHandle.tsx';
import { useArranging } from './use-arranging.ts';

export interface ArrangedGridProps {
  tiles: readonly Tile[];
  onMove: (tiles: Tile[]) => void;
  /** `handle` belongs into the tile's head. */
  renderTile: (tile: Tile, handle?: ReactNode) => ReactNode;
}

// What drags adds a style element while it does, and takes the nonce that lets it through from here.
Object.assign(globalThis, { __webpack_nonce__: styleNonce });

/** Tiles that are dragged by their heading and corner, or moved by their handle. */
export function ArrangedGrid({ tiles, onMove, renderTile }: ArrangedGridProps) {
  const { width, containerRef, mounted } = useContainerWidth();
  const { said, step, putBack } = useArranging(tiles, onMove);
  const isStacked = mounted && width < stackedBelowPx;
  const moved = (next: Layout) => {
    const placed = placeTiles(tiles, next);
    if (placed.some((tile, index) => tile !== tiles[index])) onMove(placed);
  };
  const handleOf = (tile: Tile) => (
    <TileHandle
      name={tile.name || 'Untitled tile'}
      onStep={(by) => step(tile, by)}
      onPutBack={() => putBack(tile.id)}
    />
  );
  return (
    <div ref={containerRef}>
      <VisuallyHidden role="status">{said}</VisuallyHidden>
      {isStacked ? (
        <>
          <Text size="sm" mb={8} c="var(--sb-muted)">
            This window is too narrow for the grid, so the tiles are stacked. Arrange them in a wider window.
          </Text>
          <TileGrid tiles={tiles} renderTile={renderTile} />
        </>
      ) : null}
      {mounted && !isStacked ? (
        <ReactGridLayout
          width={width}
          layout={layoutOf(tiles)}
          gridConfig={{
            cols: gridColumns,
            rowHeight: gridRowPx,
            margin: [gridGapPx, gridGapPx],
            containerPadding: [0, 0],
          }}
          dragConfig={{ enabled: true, handle: '.tile-handle' }}
          resizeConfig={{ enabled: true }}
          onDragStop={(next) => moved(next)}
          onResizeStop={(next) => moved(next)}
        >
          {readingOrder(tiles).map((tile) => (
            <div key={tile.id} onTransitionEnd={keepInSight}>
              {renderTile(tile, handleOf(tile))}
            </div>
          ))}
        </ReactGridLayout>
      ) : null}
    </div>
  );
}

/** The tile that is moved by its handle is followed once it has arrived. */
function keepInSight({ target, currentTarget }: TransitionEvent<HTMLElement>): void {
  if (target !== currentTarget || !currentTarget.contains(document.activeElement)) return;
  currentTarget.scrollIntoView({ block: 'nearest' });
}
