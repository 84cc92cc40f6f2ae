import type { AlertRecord } from '../../../../src/contract/alert.ts';
import type { AlertDeliveryRecord, EvaluationReason } from '../../../../src/contract/alert-log.ts';

/** What became of the newest notification of an alert, to one webhook or to all. */
export interface NotificationLine {
  text: string;
  isProblem: boolean;
}

export interface Notified {
  alert: Pick<AlertRecord, 'state' | 'executionErrors'>;
  /** Newest first; far enough back to have one of each webhook. */
  deliveries: readonly AlertDeliveryRecord[];
  /** Of the last evaluated window; absent while it is read. */
  lastReason: EvaluationReason | undefined;
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
export function notificationLines({ alert, deliveries, lastReason, webhookName }: Notified): NotificationLine[] {
  if (!concernsNotifications(alert)) return [];
  const newest = newestOfWebhooks(deliveries);
  const problems = newest
    .filter(({ state }) => state === 'failing' || state === 'given_up')
    .map((delivery) => ({ text: problemText(delivery, webhookName(delivery.webhookId)), isProblem: true }));
  if (problems.length > 0 || alert.state !== 'ALERT') return problems;
  if (lastReason === 'silenced') return [{ text: 'Notification suppressed: silenced', isProblem: false }];
  if (lastReason === 'acknowledged') return [{ text: 'Not repeated: acknowledged', isProblem: false }];
  if (newest.some(({ state }) => state === 'queued')) return [{ text: 'Notification queued', isProblem: false }];
  return newest.length > 0 ? [{ text: 'Notification delivered', isProblem: false }] : [];
}

function newestOfWebhooks(deliveries: readonly AlertDeliveryRecord[]): AlertDeliveryRecord[] {
  const found = new Map<string, AlertDeliveryRecord>();
  for (const delivery of deliveries) if (!found.has(delivery.webhookId)) found.set(delivery.webhookId, delivery);
  return [...found.values()];
}

/** `Notification to ops failing after 3 attempts: The receiver answered 503.` */
function problemText({ state, attempt, error }: AlertDeliveryRecord, name: string): string {
  const outcome = state === 'given_up' ? 'given up' : 'failing';
  const tries = `after ${attempt} ${attempt === 1 ? 'attempt' : 'attempts'}`;
  return `Notification to ${name} ${outcome} ${tries}${error ? `: ${error}` : ''}`;
}
