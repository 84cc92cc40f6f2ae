import { useComputedColorScheme } from '@mantine/core';
import { useMemo } from 'react';
import type { AlertInput } from '../../../../src/contract/alert.ts';
import type { NumberFormat } from '../../../../src/contract/number-format.ts';
import { colorOfToken } from '../../charts/palette.ts';
import { TimeChart } from '../../charts/TimeChart.tsx';
import { valueText } from './alert-labels.ts';
import type { StateWindow } from './StateTimeline.tsx';
import { stateRuns } from './state-runs.ts';

export interface ValueChartProps {
  /** How the values are written. */
  numberFormat?: NumberFormat | undefined;
  windows: readonly StateWindow[];
  /** Without a threshold while none is chosen. */
  rule: Partial<Pick<AlertInput, 'threshold' | 'thresholdMax' | 'recoveryThreshold'>>;
}

/** A value covers its whole window; if none follows, it ends there. */
function stepsOf(windows: readonly StateWindow[]): [number, number | null][] {
  return windows.flatMap(({ startMs, endMs, value }, at): [number, number | null][] =>
    windows[at + 1]?.startMs === endMs
      ? [[startMs, value]]
      : [
          [startMs, value],
          [endMs, value],
        ],
  );
}

/** Values of the windows against the thresholds; where the alert fired is shaded. */
export function ValueChart({ windows, rule, numberFormat }: ValueChartProps) {
  const { threshold, thresholdMax, recoveryThreshold } = rule;
  const scheme = useComputedColorScheme();
  const series = useMemo(
    () => [
      {
        key: 'value',
        name: 'Value',
        color: colorOfToken('chart-blue', scheme) ?? '',
        numberFormat,
        points: stepsOf(windows),
      },
    ],
    [windows, scheme, numberFormat],
  );
  const thresholds = useMemo(
    () =>
      [
        { value: threshold, name: 'threshold' },
        { value: thresholdMax, name: 'upper threshold' },
        { value: recoveryThreshold, name: 'recovery' },
      ].flatMap(({ value, name }) =>
        typeof value === 'number' ? [{ value, label: `${name} ${valueText(value, numberFormat)}` }] : [],
      ),
    [threshold, thresholdMax, recoveryThreshold, numberFormat],
  );
  const periods = useMemo(
    () =>
      stateRuns(windows)
        .filter(({ state }) => state === 'ALERT')
        .map(({ startMs, endMs }) => ({ startMs, endMs, label: 'Firing' })),
    [windows],
  );
  return (
    <div style={{ height: 200 }}>
      <TimeChart
        label="Value of each window against the threshold"
        interpolation="step"
        series={series}
        startMs={windows[0]?.startMs ?? 0}
        endMs={windows.at(-1)?.endMs ?? 1}
        thresholds={thresholds}
        periods={periods}
        legend={false}
      />
    </div>
  );
}
