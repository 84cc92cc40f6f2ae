import type { Generated } from 'kysely';

/** What the evaluator and the notifier keep. Times are Unix ms, documents JSON text. */
export interface AlertTables {
  alert_states: AlertStateRow;
  alert_history: AlertHistoryRow;
  alert_delivery_errors: AlertDeliveryErrorRow;
  outbox: OutboxRow;
  delivery_attempts: DeliveryAttemptRow;
  webhook_receivers: WebhookReceiverRow;
}

interface AlertStateRow {
  alert_id: string;
  tenant_id: string;
  /** Grows with each edit of the alert. */
  epoch: number;
  /** End of the first window that has not been evaluated; guarantees "exactly once". */
  next_window_ms: number;
  /** When to look next: `next_window_ms`, or the retry of a failed window. */
  due_ms: number;
  lease_owner: string | null;
  /** 0 = not leased. */
  lease_until_ms: number;
  status: string;
  state: string;
  /** JSON array; null until the first evaluation. */
  errors: string | null;
}

interface AlertHistoryRow {
  alert_id: string;
  tenant_id: string;
  window_end_ms: number;
  document: string;
}

interface AlertDeliveryErrorRow {
  alert_id: string;
  webhook_id: string;
  document: string;
}

interface OutboxRow {
  sequence: Generated<number>;
  id: string;
  tenant_id: string;
  alert_id: string;
  webhook_id: string;
  event_id: string;
  status: 'open' | 'delivered' | 'failed';
  created_ms: number;
  next_attempt_ms: number;
  attempts: number;
  claim: string | null;
  /** 0 = not claimed. */
  claim_until_ms: number;
  document: string;
  /** This and the next are of the last try; null before it, and of messages of earlier versions. */
  last_at_ms: number | null;
  last_status: number | null;
  last_error: string | null;
}

interface DeliveryAttemptRow {
  sequence: Generated<number>;
  message_id: string;
  tenant_id: string;
  alert_id: string;
  webhook_id: string;
  attempt: number;
  at_ms: number;
  duration_ms: number;
  status: number | null;
  error: string | null;
  /** This and the next are null in rows that were written before they were kept. */
  reason: string | null;
  /** JSON array of the group's parts. */
  group_parts: string | null;
  notice: string | null;
}

/** A webhook whose receiver failed last. */
interface WebhookReceiverRow {
  webhook_id: string;
  /** In a row. */
  failures: number;
  /** Nothing is sent before. */
  resume_ms: number;
}
