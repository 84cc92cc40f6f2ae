import type { AlertRecord } from '../../../../src/contract/alert.ts';
import type { AlertTrendRecord } from '../../../../src/contract/alert-trend.ts';
import { isRange } from '../../../../src/contract/threshold-text.ts';
import { type SparkPoint, sparkline } from '../dashboards/sparkline.ts';
import { stateRuns } from './state-runs.ts';

type Windows = AlertTrendRecord['windows'];
type Rule = Pick<AlertRecord, 'threshold' | 'thresholdMax' | 'thresholdType'>;

export interface TrendLine {
  /** Paths in a box of 100 × 100. */
  values: string;
  thresholds: string;
  /** Where the alert fired, of 100. */
  firing: readonly { x: number; width: number }[];
}

/** The values of the windows and the thresholds, on one scale. */
export function trendLine(windows: Windows, rule: Rule): TrendLine {
  const spans = windows.map(({ windowStart, windowEnd, value, state }) => ({
    ...{ startMs: Date.parse(windowStart), endMs: Date.parse(windowEnd), value, state },
  }));
  const [startMs, endMs] = [spans[0]?.startMs ?? 0, spans.at(-1)?.endMs ?? 1];
  const bounds = [rule.threshold, ...(isRange(rule.thresholdType) ? [rule.thresholdMax ?? rule.threshold] : [])];
  const known = windows.flatMap(({ value }) => (value === null ? [] : [value]));
  const frame = { startMs, endMs, high: Math.max(...bounds, ...known), low: Math.min(...bounds, ...known) };
  const across = (bound: number): SparkPoint[] => [
    [startMs, bound],
    [endMs, bound],
  ];
  const part = (ms: number) => (ms / (endMs - startMs)) * 100;
  return {
    values: sparkline(steps(spans), frame).line,
    thresholds: bounds.map((bound) => sparkline(across(bound), frame).line).join(''),
    firing: stateRuns(spans)
      .filter(({ state }) => state === 'ALERT')
      .map((run) => ({ x: part(run.startMs - startMs), width: part(run.endMs - run.startMs) })),
  };
}

/** A value covers its window; the line is broken where nothing was evaluated. */
function steps(spans: readonly { startMs: number; endMs: number; value: number | null }[]): SparkPoint[] {
  return spans.flatMap(({ startMs, endMs, value }, at): SparkPoint[] => {
    const before = spans[at - 1];
    const gap: SparkPoint[] = before && before.endMs < startMs ? [[before.endMs, null]] : [];
    return [...gap, [startMs, value], [endMs, value]];
  });
}

/** `Last 24 windows: 3 to 12, fired in 2`. */
export function trendText(windows: Windows, written: (value: number) => string): string {
  const known = windows.flatMap(({ value }) => (value === null ? [] : [value]));
  const fired = windows.filter(({ state }) => state === 'ALERT').length;
  const [low, high] = [Math.min(...known), Math.max(...known)].map(written);
  const values = known.length === 0 ? 'no data' : low === high ? low : `${low} to ${high}`;
  const count = windows.length === 1 ? 'Last window' : `Last ${windows.length} windows`;
  return `${count}: ${values}${fired > 0 ? `, fired in ${fired}` : ''}`;
}
