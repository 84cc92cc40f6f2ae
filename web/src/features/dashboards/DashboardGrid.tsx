import type { ReactNode } from 'react';
import ReactGridLayout, { type Layout, useContainerWidth } from 'react-grid-layout';
import 'react-grid-layout/css/styles.css';
import type { Tile } from '../../../../src/contract/tile.ts';
import classes from './Dashboard.module.css';

export interface DashboardGridProps {
  tiles: readonly Tile[];
  editing: boolean;
  onMove: (tiles: Tile[]) => void;
  renderTile: (tile: Tile) => ReactNode;
}

const columns = 24;
const rowHeight = 36;
/** Narrower screens show one tile below the other, in reading order; small ones in pairs. */
const stackedBelowPx = 640;

function isSmall({ w, h }: Tile): boolean {
  return w <= 8 && h <= 4;
}

/** Tiles where they were put: 24 columns, moved by their heading and sized at their corner while editing. */
export function DashboardGrid({ tiles, editing, onMove, renderTile }: DashboardGridProps) {
  const { width, containerRef, mounted } = useContainerWidth();
  const inOrder = [...tiles].sort((a, b) => a.y - b.y || a.x - b.x);
  const isStacked = mounted && width < stackedBelowPx;
  const layout = tiles.map(({ id, x, y, w, h }) => ({ i: id, x, y, w, h, minW: 3, minH: 2 }));
  const moved = (next: Layout) => {
    const places = new Map(next.map((place) => [place.i, place]));
    const placed = tiles.map((tile) => {
      const { x, y, w, h } = places.get(tile.id) ?? tile;
      return x === tile.x && y === tile.y && w === tile.w && h === tile.h ? tile : { ...tile, x, y, w, h };
    });
    if (placed.some((tile, index) => tile !== tiles[index])) onMove(placed);
  };
  return (
    <div ref={containerRef} className={classes.grid}>
      {!mounted ? null : isStacked ? (
        <div className={classes.stack}>
          {inOrder.map((tile) => (
            <div
              key={tile.id}
              className={isSmall(tile) ? undefined : classes.whole}
              style={{ height: Math.max(tile.h, 3) * rowHeight }}
            >
              {renderTile(tile)}
            </div>
          ))}
        </div>
      ) : (
        <ReactGridLayout
          width={width}
          layout={layout}
          gridConfig={{ cols: columns, rowHeight, margin: [8, 8], containerPadding: [0, 0] }}
          dragConfig={{ enabled: editing, handle: '.tile-handle' }}
          resizeConfig={{ enabled: editing }}
          onDragStop={(next) => moved(next)}
          onResizeStop={(next) => moved(next)}
        >
          {inOrder.map((tile) => (
            <div key={tile.id}>{renderTile(tile)}</div>
          ))}
        </ReactGridLayout>
      )}
    </div>
  );
}
