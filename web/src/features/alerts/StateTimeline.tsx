import { Group, Text } from '@mantine/core';
import type { NumberFormat } from '../../../../src/contract/number-format.ts';
import { instantText } from '../../ui/instant-text.ts';
import { type AlertState, stateLabels, valueText } from './alert-labels.ts';
import { StateBadge, stateColors } from './StateBadge.tsx';
import { type StateSpan, stateRuns } from './state-runs.ts';

export interface StateWindow extends StateSpan<AlertState> {
  value: number | null;
}

export interface StateTimelineProps {
  windows: readonly StateWindow[];
  numberFormat?: NumberFormat | undefined;
}

/** One bar per run of windows with the same state, oldest at the left; empty where nothing was evaluated. */
export function StateTimeline({ windows, numberFormat }: StateTimelineProps) {
  const runs = stateRuns(windows);
  const startMs = windows[0]?.startMs ?? 0;
  const endMs = windows.at(-1)?.endMs ?? startMs + 1;
  const length = Math.max(endMs - startMs, 1);
  const label = runs.map((run) => `${stateLabels[run.state]} from ${instantText(run.startMs)}`).join('; ');
  const states = [...new Set(runs.map(({ state }) => state))];
  return (
    <div>
      <svg width="100%" height="18" role="img" aria-label={`States: ${label}`}>
        {runs.map((run) => (
          <rect
            key={run.startMs}
            x={`${((run.startMs - startMs) / length) * 100}%`}
            width={`${((run.endMs - run.startMs) / length) * 100}%`}
            height="18"
            fill={stateColors[run.state]}
          >
            <title>
              {`${stateLabels[run.state]}, ${instantText(run.startMs)} – ${instantText(run.endMs)}, ${valueText(run.value, numberFormat)}`}
            </title>
          </rect>
        ))}
      </svg>
      <Group justify="space-between" mt={4} wrap="nowrap">
        <Text size="xs" c="dimmed">
          {instantText(startMs)}
        </Text>
        <Text size="xs" c="dimmed">
          {instantText(endMs)}
        </Text>
      </Group>
      <Group gap={12}>
        {states.map((state) => (
          <StateBadge key={state} state={state} />
        ))}
      </Group>
    </div>
  );
}
