import { useComputedColorScheme } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { TileHeatmap } from '../../../src/contract/tile-query.ts';
import { NoData } from '../ui/NoData.tsx';
import { formatValue } from './format-value.ts';
import classes from './Heatmap.module.css';
import { HeatmapPlot } from './HeatmapPlot.tsx';
import { HeatmapTable } from './HeatmapTable.tsx';
import { type ChosenRegion, heatmapGrid } from './heatmap-grid.ts';
import { heatColor } from './palette.ts';

export interface HeatmapProps {
  /** What it shows, for those who don't see it. */
  label: string;
  heatmap: TileHeatmap;
  startMs: number;
  endMs: number;
  granularityMs: number;
  /** Some of its cells were chosen: by dragging, or one in the table. */
  onRegion?: ((region: ChosenRegion) => void) | undefined;
}

/** How a number is distributed over time. Fills its parent, which needs a height. */
export function Heatmap({ label, heatmap, startMs, endMs, granularityMs, onRegion }: HeatmapProps) {
  const scheme = useComputedColorScheme();
  const [isTable, setTable] = useState(false);
  const grid = useMemo(
    () => heatmapGrid(heatmap, { startMs, endMs }, granularityMs),
    [heatmap, startMs, endMs, granularityMs],
  );
  if (grid.amounts.size === 0) return <NoData />;
  const shades = [0, 0.25, 0.5, 0.75, 1].map((share) => heatColor(share, scheme));
  return (
    <div className={classes.chart}>
      {isTable ? (
        <HeatmapTable label={label} heatmap={heatmap} grid={grid} onRegion={onRegion} />
      ) : (
        <HeatmapPlot label={label} heatmap={heatmap} grid={grid} scheme={scheme} onRegion={onRegion} />
      )}
      <div className={classes.foot}>
        <span>
          {heatmap.amount === 'count()' ? 'Events' : heatmap.amount} per cell: 0
          <i className={classes.ramp} style={{ background: `linear-gradient(90deg, ${shades.join(', ')})` }} />
          {formatValue(grid.most)}
        </span>
        <button type="button" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          {isTable ? 'Show as a heatmap' : 'Show as a table'}
        </button>
      </div>
    </div>
  );
}
