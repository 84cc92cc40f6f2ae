import { lazy, type ReactNode, Suspense } from 'react';
import type { Tile } from '../../../../src/contract/tile.ts';
import classes from './Dashboard.module.css';
import { TileGrid } from './TileGrid.tsx';

export interface DashboardGridProps {
  tiles: readonly Tile[];
  editing: boolean;
  onMove: (tiles: Tile[]) => void;
  /** `handle` belongs into the tile's head; it is absent unless tiles are arranged. */
  renderTile: (tile: Tile, handle?: ReactNode) => ReactNode;
}

// Most visits only look.
const ArrangedGrid = lazy(async () => ({ default: (await import('./ArrangedGrid.tsx')).ArrangedGrid }));

/** The tiles of a dashboard or a section; while editing, they can be moved. */
export function DashboardGrid({ tiles, editing, onMove, renderTile }: DashboardGridProps) {
  const grid = <TileGrid tiles={tiles} renderTile={renderTile} />;
  return (
    <div className={classes.grid}>
      {editing ? (
        <Suspense fallback={grid}>
          <ArrangedGrid tiles={tiles} onMove={onMove} renderTile={renderTile} />
        </Suspense>
      ) : (
        grid
      )}
    </div>
  );
}
