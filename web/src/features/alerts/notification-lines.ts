import type { AlertRecord } from '../../../../src/contract/alert.ts';
import type { AlertTrendRecord } from '../../../../src/contract/alert-trend.ts';

type Notification = AlertTrendRecord['notifications'][number];

/** What became of the newest notification of an alert, to one webhook or to all. */
export interface NotificationLine {
  text: string;
  isProblem: boolean;
}

export interface Notified {
  alert: Pick<AlertRecord, 'state' | 'executionErrors'>;
  trend: Pick<AlertTrendRecord, 'notifications' | 'last'>;
  webhookName: (webhookId: string) => string;
}

/** Whether the delivery log has anything to say about the alert as it is now. */
export function concernsNotifications({ state, executionErrors = [] }: Notified['alert']): boolean {
  return state === 'ALERT' || executionErrors.some(({ type }) => type === 'WEBHOOK_ERROR');
}

/**
 * One line for each webhook that does not have its newest message, whatever the others have. If all have theirs, one
 * line says so while the alert fires; or says why no message was sent.
 */
export function notificationLines({ alert, trend, webhookName }: Notified): NotificationLine[] {
  if (!concernsNotifications(alert)) return [];
  const { notifications, last } = trend;
  const problems = notifications
    .filter(({ state }) => state === 'failing' || state === 'given_up')
    .map((sent) => ({ text: problemText(sent, webhookName(sent.webhookId)), isProblem: true }));
  if (problems.length > 0 || alert.state !== 'ALERT') return problems;
  if (last?.suppressed === 'silenced') return [{ text: 'Notification suppressed: silenced', isProblem: false }];
  if (last?.suppressed === 'acknowledged') return [{ text: 'Not repeated: acknowledged', isProblem: false }];
  if (notifications.some(({ state }) => state === 'queued')) return [{ text: 'Notification queued', isProblem: false }];
  return notifications.length > 0 ? [{ text: 'Notification delivered', isProblem: false }] : [];
}

/** `Notification to ops failing after 3 attempts: The receiver answered 503.` */
function problemText({ state, attempts, lastError }: Notification, name: string): string {
  const outcome = state === 'given_up' ? 'given up' : 'failing';
  const tries = attempts === 0 ? '' : ` after ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`;
  return `Notification to ${name} ${outcome}${tries}${lastError ? `: ${lastError}` : ''}`;
}
