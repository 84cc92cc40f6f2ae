import type { MouseEvent } from 'react';
import type { ChartSeries } from './chart-series.ts';
import { markOf } from './palette.ts';
import classes from './TimeChart.module.css';

export interface SeriesButtonProps {
  series: ChartSeries;
  isHidden: boolean;
  onClick: (event: MouseEvent) => void;
}

/** The name of a series with its mark. */
export function SeriesButton({ series, isHidden, onClick }: SeriesButtonProps) {
  return (
    <button type="button" className={classes.name} title={series.name} aria-pressed={!isHidden} onClick={onClick}>
      <i className={classes.mark} style={{ background: markOf(series) }} />
      <span>{series.name}</span>
    </button>
  );
}

export interface LegendLineProps {
  series: readonly ChartSeries[];
  hidden: ReadonlySet<string>;
  onChoose: (key: string, event: MouseEvent) => void;
  onTable: () => void;
}

/** More than fit into a line. */
const namesMax = 60;

/** The names in one line, so that the plot has the room; their figures are in the table. */
export function LegendLine({ series, hidden, onChoose, onTable }: LegendLineProps) {
  return (
    <div className={classes.line}>
      <ul className={classes.names}>
        {series.slice(0, namesMax).map((each) => (
          <li key={each.key} className={hidden.has(each.key) ? classes.off : undefined}>
            <SeriesButton
              series={each}
              isHidden={hidden.has(each.key)}
              onClick={(event) => onChoose(each.key, event)}
            />
          </li>
        ))}
      </ul>
      <button type="button" className={classes.switch} aria-expanded={false} onClick={onTable}>
        {series.length === 1 ? 'Values' : `Values of ${series.length}`}
      </button>
    </div>
  );
}
