import { Group, Text } from '@mantine/core';
import {
  IconBellRinging,
  IconCircleCheck,
  IconHourglass,
  IconPlayerPause,
  IconQuestionMark,
} from '@tabler/icons-react';
import { type AlertState, stateLabels } from './alert-labels.ts';

const icons = {
  OK: IconCircleCheck,
  PENDING: IconHourglass,
  ALERT: IconBellRinging,
  INSUFFICIENT_DATA: IconQuestionMark,
  DISABLED: IconPlayerPause,
};

export const stateColors: Record<AlertState, string> = {
  OK: 'var(--sb-ok)',
  PENDING: 'var(--sb-pending)',
  ALERT: 'var(--sb-firing)',
  INSUFFICIENT_DATA: 'var(--sb-muted)',
  DISABLED: 'var(--sb-muted)',
};

/** Never by colour alone: icon and word say it too. */
export function StateBadge({ state }: { state: AlertState }) {
  const Icon = icons[state];
  return (
    <Group gap={5} wrap="nowrap" c={stateColors[state]} display="inline-flex" style={{ verticalAlign: 'middle' }}>
      <Icon size={15} aria-hidden="true" />
      <Text size="sm" fw={600} component="span">
        {stateLabels[state]}
      </Text>
    </Group>
  );
}
