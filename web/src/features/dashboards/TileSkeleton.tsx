import { Skeleton } from '@mantine/core';
import type { Tile } from '../../../../src/contract/tile.ts';
import { TileGrid } from './TileGrid.tsx';
import classes from './TileSkeleton.module.css';
import type { DisplayType } from './tile-look.ts';

const heights = [42, 58, 50, 74, 62, 48, 66, 80, 56, 70, 60, 52];
const widths = [92, 80, 88, 74, 84, 90];

/** A tile while it is read, in the shape of what comes: a number, rows, or a plot beside its axis. */
export function TileSkeleton({ display }: { display: DisplayType | undefined }) {
  if (display === 'number') {
    return (
      <div className={classes.number}>
        <Skeleton height={36} width="40%" />
      </div>
    );
  }
  if (display === 'table' || display === 'search' || display === 'markdown' || display === 'event_patterns') {
    return (
      <div className={classes.rows}>
        {widths.map((width) => (
          <Skeleton key={width} height={10} width={`${width}%`} style={{ flex: 'none' }} />
        ))}
      </div>
    );
  }
  return (
    <div className={classes.plot}>
      {heights.map((height) => (
        <Skeleton key={height} height={`${height}%`} radius={2} />
      ))}
    </div>
  );
}

/** Where tiles are as a rule. */
const usual: readonly Tile[] = [0, 8, 16].map((x) => ({ id: `at-${x}`, x, y: 0, w: 8, h: 10 }));

/** A dashboard of which nothing is known yet. */
export function DashboardSkeleton() {
  return (
    <TileGrid
      tiles={usual}
      renderTile={() => (
        <div className={classes.frame}>
          <TileSkeleton display={undefined} />
        </div>
      )}
    />
  );
}
