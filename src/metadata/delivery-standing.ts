import { type DeliveryStanding, type DeliveryState, neverSentText } from '../resources/alerts/alert-log.ts';

export type OutboxStatus = 'open' | 'delivered' | 'failed';

export interface StandingColumns {
  status: OutboxStatus;
  attempts: number;
  last_at_ms: number | null;
  last_status: number | null;
  last_error: string | null;
}

/** What the delivery log says of a message in the outbox. */
export function standingOf(row: StandingColumns): DeliveryStanding {
  const state = deliveryState(row.status, row.attempts);
  const error = row.last_error ?? (state === 'given_up' && row.attempts === 0 ? neverSentText : null);
  return {
    state,
    attempts: row.attempts,
    ...(row.last_at_ms !== null && { lastAttemptMs: row.last_at_ms }),
    ...(row.last_status !== null && { lastStatus: row.last_status }),
    ...(error !== null && { lastError: error }),
  };
}

export function deliveryState(status: OutboxStatus, attempts: number): DeliveryState {
  if (status === 'delivered') return 'delivered';
  if (status === 'failed') return 'given_up';
  return attempts > 0 ? 'failing' : 'queued';
}
