import { Button, Group } from '@mantine/core';
import type { AlertRecord } from '../../../../src/contract/alert.ts';
import { type AlertState, stateLabels } from './alert-labels.ts';
import { stateColors } from './StateBadge.tsx';
import { stateOrder } from './sort-alerts.ts';

interface StateFilterProps {
  /** Absent while they are read. */
  alerts: readonly AlertRecord[] | undefined;
  /** Any when absent. */
  chosen: string | undefined;
  onChoose: (state: AlertState | undefined) => void;
}

/** How many alerts are in each state; pressed, the list has only those. All are always there, at the same places. */
export function StateFilter({ alerts, chosen, onChoose }: StateFilterProps) {
  const countOf = (state: AlertState) => alerts?.filter((alert) => alert.state === state).length;
  return (
    <Group gap={4} role="group" aria-label="Filter by state">
      <Choice label="All" count={alerts?.length} isPressed={!chosen} onPress={() => onChoose(undefined)} />
      {stateOrder.map((state) => (
        <Choice
          key={state}
          label={stateLabels[state]}
          count={countOf(state)}
          color={stateColors[state]}
          isPressed={chosen === state}
          onPress={() => onChoose(chosen === state ? undefined : state)}
        />
      ))}
    </Group>
  );
}

interface ChoiceProps {
  label: string;
  count: number | undefined;
  color?: string;
  isPressed: boolean;
  onPress: () => void;
}

function Choice({ label, count, color, isPressed, onPress }: ChoiceProps) {
  return (
    <Button
      size="xs"
      px={10}
      variant={isPressed ? 'light' : 'default'}
      aria-pressed={isPressed}
      onClick={onPress}
      rightSection={
        <span style={{ color: count ? color : 'var(--sb-muted)', minWidth: '2ch' }}>
          {count?.toLocaleString('en-US')}
        </span>
      }
    >
      {label}
    </Button>
  );
}
