import type { CSSProperties, ReactNode } from 'react';
import type { Tile } from '../../../../src/contract/tile.ts';
import classes from './Dashboard.module.css';
import { gridColumns, gridGapPx, gridRowPx, layoutOf, readingOrder, settle } from './settle-tiles.ts';

/** Narrower grids show one tile below the other, in reading order; small ones in pairs. The style sheet has the same. */
export const stackedBelowPx = 640;

function isSmall({ w, h }: Tile): boolean {
  return w <= 8 && h <= 4;
}

/** Tiles where they were put, in 24 columns. */
export function TileGrid({ tiles, renderTile }: { tiles: readonly Tile[]; renderTile: (tile: Tile) => ReactNode }) {
  const places = new Map(settle(layoutOf(tiles)).map((place) => [place.i, place]));
  const ofGrid = { '--columns': gridColumns, '--row': `${gridRowPx}px`, '--gap': `${gridGapPx}px` };
  return (
    <div className={classes.tiles} style={styled(ofGrid)}>
      {readingOrder(tiles).map((tile) => {
        const { x, y, w, h } = places.get(tile.id) ?? tile;
        const place = { '--x': x + 1, '--y': y + 1, '--w': w, '--h': h };
        const stacked = { '--stacked-height': `${Math.max(h, 3) * gridRowPx}px` };
        return (
          <div
            key={tile.id}
            className={isSmall(tile) ? classes.tile : `${classes.tile} ${classes.whole}`}
            style={styled({ ...place, ...stacked })}
          >
            {renderTile(tile)}
          </div>
        );
      })}
    </div>
  );
}

function styled(variables: Record<`--${string}`, string | number>): CSSProperties {
  // React's type of styles does not know variables.
  return variables as CSSProperties;
}
