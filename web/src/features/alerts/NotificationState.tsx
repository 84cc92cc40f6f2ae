import { Text } from '@mantine/core';
import type { AlertRecord } from '../../../../src/contract/alert.ts';
import type { AlertTrendRecord } from '../../../../src/contract/alert-trend.ts';
import classes from './AlertTrend.module.css';
import { concernsNotifications, notificationLines } from './notification-lines.ts';
import { useWatchedNames } from './use-watched-names.ts';

interface NotificationStateProps {
  alert: AlertRecord;
  /** Absent while it is read. */
  trend: AlertTrendRecord | undefined;
}

/** Whether the notifications of an alert have arrived, by the delivery log; or why none was sent. */
export function NotificationState({ alert, trend }: NotificationStateProps) {
  const { webhookName } = useWatchedNames();
  if (!concernsNotifications(alert)) return null;
  const lines = trend ? notificationLines({ alert, trend, webhookName }) : [];
  return (
    <div className={classes.notifications}>
      {lines.map(({ text, isProblem }) => (
        <Text key={text} size="xs" className="long-text" title={text} c={isProblem ? 'var(--sb-firing)' : 'dimmed'}>
          {text}
        </Text>
      ))}
    </div>
  );
}
