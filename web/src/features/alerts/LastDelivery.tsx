import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { AlertRecord } from '../../../../src/contract/alert.ts';
import { deliveryLabels } from './alert-labels.ts';
import { lastDeliveryQuery } from './alert-queries.ts';

/** Whether the firing notification has been delivered, by the delivery log. */
export function LastDelivery({ alert }: { alert: AlertRecord }) {
  const { data } = useQuery({ ...lastDeliveryQuery(alert.id), enabled: alert.state === 'ALERT' });
  const [last] = data ?? [];
  if (alert.state !== 'ALERT' || !last) return null;
  const isWell = last.state === 'delivered' || last.state === 'queued';
  return (
    <Text size="xs" c={isWell ? 'dimmed' : 'var(--sb-firing)'}>
      Notification: {deliveryLabels[last.state].toLowerCase()}
      {isWell || !last.error ? '' : `. ${last.error}`}
    </Text>
  );
}
