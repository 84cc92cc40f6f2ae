/** How one try to deliver a notification ended; after `retried` there is another. */
export type DeliveryOutcome =
  | 'delivered'
  | 'retried'
  /** Given up: not worth another try, or too old. */
  | 'failed'
  /** Cut off by the stop of the program; tried again after the next start. */
  | 'interrupted';

/** Port: what the delivery of notifications counts; the app connects it to its metrics. */
export interface DeliveryMetrics {
  /** One try, from looking up the webhook to the receiver's answer. */
  tried(outcome: DeliveryOutcome, durationMs: number): void;
}

export const uncountedDeliveries: DeliveryMetrics = { tried: () => {} };
