import { List, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AlertRecord } from '../../../../src/contract/alert.ts';
import { stateLabels } from './alert-labels.ts';
import { useWatchedNames } from './use-watched-names.ts';

export interface LostAlertsProps {
  alerts: readonly AlertRecord[];
  /** Why they are deleted. */
  children: ReactNode;
}

/** The alerts that a deletion takes along, by name and state; nothing if there are none. */
export function LostAlerts({ alerts, children }: LostAlertsProps) {
  const { watched } = useWatchedNames();
  if (alerts.length === 0) return null;
  return (
    <Stack gap={6}>
      <Text size="sm">{children}</Text>
      <List size="sm" className="long-text" aria-label="Alerts that will be deleted">
        {alerts.map((alert) => (
          <List.Item key={alert.id}>
            {alert.name ?? watched(alert).label} ({stateLabels[alert.state]})
          </List.Item>
        ))}
      </List>
    </Stack>
  );
}
