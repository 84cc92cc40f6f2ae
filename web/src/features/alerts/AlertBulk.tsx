import { Button, Group, Menu, Text } from '@mantine/core';
import type { AlertRecord } from '../../../../src/contract/alert.ts';
import { showDone, showFailure } from '../../ui/notify.ts';
import { ReasonedButton } from '../../ui/ReasonedButton.tsx';
import { type AlertMark, useMarkAlerts } from './alert-queries.ts';
import { hoursFromNow, silenceChoices } from './silence-choices.ts';
import { needsOwner } from './sort-alerts.ts';

interface AlertBulkProps {
  chosen: readonly AlertRecord[];
  onDone: () => void;
}

/** Acknowledges or silences several alerts together. */
export function AlertBulk({ chosen, onDone }: AlertBulkProps) {
  const change = useMarkAlerts();
  const unowned = chosen.filter(needsOwner);
  const mark = (alerts: readonly AlertRecord[], input: AlertMark, done: string) =>
    change.mutate(
      { ...input, ids: alerts.map(({ id }) => id) },
      {
        onSuccess: ({ failed }) => {
          if (failed > 0) showFailure(new Error(`${failed} of ${alerts.length} alerts could not be changed.`));
          else showDone(`${countText(alerts.length)} ${done}.`);
          onDone();
        },
      },
    );
  return (
    <Group gap={8} mb={10} role="group" aria-label="Chosen alerts">
      <Text size="sm" fw={600} role="status">
        {countText(chosen.length)} chosen
      </Text>
      <ReasonedButton
        reason={unowned.length === 0 ? 'None of them fires without an owner.' : undefined}
        loading={change.isPending}
        onClick={() => mark(unowned, { mark: 'acknowledged', body: {} }, 'acknowledged')}
      >
        {unowned.length === 0 ? 'Acknowledge' : `Acknowledge ${unowned.length}`}
      </ReasonedButton>
      <Menu position="bottom-start">
        <Menu.Target>
          <Button variant="default" loading={change.isPending}>
            Silence {chosen.length}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {silenceChoices.map(({ label, hours }) => (
            <Menu.Item
              key={label}
              onClick={() =>
                mark(chosen, { mark: 'silenced', body: { until: hoursFromNow(hours, Date.now()) } }, 'silenced')
              }
            >
              {label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Button variant="subtle" onClick={onDone}>
        Clear
      </Button>
    </Group>
  );
}

function countText(count: number): string {
  return count === 1 ? '1 alert' : `${count} alerts`;
}
