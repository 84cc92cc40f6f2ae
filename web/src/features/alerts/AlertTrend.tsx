import type { AlertRecord } from '../../../../src/contract/alert.ts';
import type { AlertTrendRecord } from '../../../../src/contract/alert-trend.ts';
import type { NumberFormat } from '../../../../src/contract/number-format.ts';
import classes from './AlertTrend.module.css';
import { groupText, valueText } from './alert-labels.ts';
import { trendLine, trendText } from './trend-line.ts';

export interface AlertTrendProps {
  alert: AlertRecord;
  numberFormat: NumberFormat | undefined;
  /** Absent while it is read. */
  trend: AlertTrendRecord | undefined;
}

/** The last windows of an alert as a small line, and the last value; of a grouped alert, of the deciding group. */
export function AlertTrend({ alert, numberFormat, trend }: AlertTrendProps) {
  const group = groupText(trend?.last?.group ?? []);
  return (
    <div className={classes.trend}>
      <TrendSvg alert={alert} numberFormat={numberFormat} windows={trend?.windows ?? []} />
      <span title={group || undefined}>{trend ? valueText(trend.last?.value, numberFormat, alert) : null}</span>
    </div>
  );
}

interface TrendSvgProps extends Omit<AlertTrendProps, 'trend'> {
  windows: AlertTrendRecord['windows'];
}

function TrendSvg({ alert, numberFormat, windows }: TrendSvgProps) {
  if (windows.length === 0) return <span className={classes.line} />;
  const { values, thresholds, firing } = trendLine(windows, alert);
  return (
    <svg className={classes.line} viewBox="-1 -6 102 112" preserveAspectRatio="none" role="img">
      <title>{trendText(windows, (value) => valueText(value, numberFormat))}</title>
      {firing.map(({ x, width }) => (
        <rect key={x} x={x} width={width} y={-6} height={112} className={classes.firing} />
      ))}
      <path d={thresholds} className={classes.threshold} vectorEffect="non-scaling-stroke" />
      <path d={values} className={classes.values} vectorEffect="non-scaling-stroke" />
    </svg>
  );
}
