import type { TileHeatmap } from '../../../src/contract/tile-query.ts';
import { PartButton, placeBelow } from '../ui/PartButton.tsx';
import { formatValue } from './format-value.ts';
import classes from './Heatmap.module.css';
import { boundsOf, type Cell, type ChosenRegion, type HeatmapGrid, regionBetween } from './heatmap-grid.ts';
import { timesText, valuesText } from './heatmap-texts.ts';

const rowsMax = 200;

export interface HeatmapTableProps {
  label: string;
  heatmap: TileHeatmap;
  grid: HeatmapGrid;
  onRegion?: ((region: ChosenRegion) => void) | undefined;
}

/** The cells with the largest amounts, for those who read better than they see. */
export function HeatmapTable({ label, heatmap, grid, onRegion }: HeatmapTableProps) {
  const largest = [...grid.amounts].sort(([, a], [, b]) => b - a);
  const cells = largest.slice(0, rowsMax).map(([place, amount]) => {
    const cell: Cell = { column: Math.floor(place / grid.rows), row: place % grid.rows };
    return { key: place, amount, bounds: boundsOf(grid, regionBetween(cell, cell)) };
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={classes.scroll} tabIndex={0} aria-label={`${label}, cells as a table`}>
      <table>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Values</th>
            <th scope="col">{heatmap.amount === 'count()' ? 'Events' : heatmap.amount}</th>
            {onRegion ? <th aria-label="Actions" /> : null}
          </tr>
        </thead>
        <tbody>
          {cells.map(({ key, amount, bounds }) => (
            <tr key={key}>
              <td>{timesText(bounds)}</td>
              <td>{valuesText(bounds, heatmap.numberFormat)}</td>
              <td>{formatValue(amount)}</td>
              {onRegion ? (
                <td>
                  <PartButton
                    name={`${timesText(bounds)}, ${valuesText(bounds, heatmap.numberFormat)}`}
                    onClick={(button) => onRegion({ ...bounds, at: placeBelow(button), from: button })}
                  />
                </td>
              ) : null}
            </tr>
          ))}
        </tbody>
      </table>
      {largest.length > rowsMax ? (
        <p>
          The {rowsMax} largest of {largest.length.toLocaleString('en-US')} cells.
        </p>
      ) : null}
    </section>
  );
}
