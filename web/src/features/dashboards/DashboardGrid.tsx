import { Text, VisuallyHidden } from '@mantine/core';
import type { ReactNode, TransitionEvent } from 'react';
import ReactGridLayout, { type Layout, useContainerWidth } from 'react-grid-layout';
import 'react-grid-layout/css/styles.css';
import type { Tile } from '../../../../src/contract/tile.ts';
import { styleNonce } from '../../boot.ts';
import { gridColumns, gridRowPx, layoutOf, placeTiles, readingOrder } from './arrange-tiles.ts';
import classes from './Dashboard.module.css';
import { TileHandle } from './TileHandle.tsx';
import { useArranging } from './use-arranging.ts';

export interface DashboardGridProps {
  tiles: readonly Tile[];
  editing: boolean;
  onMove: (tiles: Tile[]) => void;
  /** `handle` belongs into the tile's head; it is absent unless tiles are arranged. */
  renderTile: (tile: Tile, handle?: ReactNode) => ReactNode;
}

// What drags adds a style element while it does, and takes the nonce that lets it through from here.
Object.assign(globalThis, { __webpack_nonce__: styleNonce });

/** Narrower screens show one tile below the other, in reading order; small ones in pairs. */
const stackedBelowPx = 640;

function isSmall({ w, h }: Tile): boolean {
  return w <= 8 && h <= 4;
}

/** Tiles where they were put: 24 columns; while editing, dragged by their heading and corner, or moved by their handle. */
export function DashboardGrid({ tiles, editing, onMove, renderTile }: DashboardGridProps) {
  const { width, containerRef, mounted } = useContainerWidth();
  const { said, step, putBack } = useArranging(tiles, onMove);
  const inOrder = readingOrder(tiles);
  const isStacked = mounted && width < stackedBelowPx;
  const moved = (next: Layout) => {
    const placed = placeTiles(tiles, next);
    if (placed.some((tile, index) => tile !== tiles[index])) onMove(placed);
  };
  return (
    <div ref={containerRef} className={classes.grid}>
      <VisuallyHidden role="status">{said}</VisuallyHidden>
      {editing && isStacked ? (
        <Text size="sm" mb={8} c="var(--sb-muted)">
          This window is too narrow for the grid, so the tiles are stacked. Arrange them in a wider window.
        </Text>
      ) : null}
      {!mounted ? null : isStacked ? (
        <div className={classes.stack}>
          {inOrder.map((tile) => (
            <div
              key={tile.id}
              className={isSmall(tile) ? undefined : classes.whole}
              style={{ height: Math.max(tile.h, 3) * gridRowPx }}
            >
              {renderTile(tile)}
            </div>
          ))}
        </div>
      ) : (
        <ReactGridLayout
          width={width}
          layout={layoutOf(tiles)}
          gridConfig={{ cols: gridColumns, rowHeight: gridRowPx, margin: [8, 8], containerPadding: [0, 0] }}
          dragConfig={{ enabled: editing, handle: '.tile-handle' }}
          resizeConfig={{ enabled: editing }}
          onDragStop={(next) => moved(next)}
          onResizeStop={(next) => moved(next)}
        >
          {inOrder.map((tile) => (
            <div key={tile.id} onTransitionEnd={keepInSight}>
              {renderTile(
                tile,
                editing ? (
                  <TileHandle
                    name={tile.name || 'Untitled tile'}
                    onStep={(by) => step(tile, by)}
                    onPutBack={() => putBack(tile.id)}
                  />
                ) : undefined,
              )}
            </div>
          ))}
        </ReactGridLayout>
      )}
    </div>
  );
}

/** The tile that is moved by its handle is followed once it has arrived. */
function keepInSight({ target, currentTarget }: TransitionEvent<HTMLElement>): void {
  if (target !== currentTarget || !currentTarget.contains(document.activeElement)) return;
  currentTarget.scrollIntoView({ block: 'nearest' });
}
