import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { AlertRecord } from '../../../../src/contract/alert.ts';
import { historyQuery, recentDeliveriesQuery } from './alert-queries.ts';
import { concernsNotifications, notificationLines } from './notification-lines.ts';
import { useWatchedNames } from './use-watched-names.ts';

/** Whether the notifications of an alert have arrived, by the delivery log; or why none was sent. */
export function NotificationState({ alert }: { alert: AlertRecord }) {
  const { webhookName } = useWatchedNames();
  const enabled = concernsNotifications(alert);
  const { data: deliveries } = useQuery({ ...recentDeliveriesQuery(alert.id), enabled });
  const { data: windows } = useQuery({ ...historyQuery(alert.id, 1), enabled });
  if (!deliveries) return null;
  return notificationLines({ alert, deliveries, lastReason: windows?.[0]?.reason, webhookName }).map(
    ({ text, isProblem }) => (
      <Text key={text} size="xs" className="long-text" c={isProblem ? 'var(--sb-firing)' : 'dimmed'}>
        {text}
      </Text>
    ),
  );
}
