import type { Webhook } from './webhook-repository.ts';

export interface WebhookTestOutcome {
  delivered: boolean;
  /** HTTP status, if there was a response. */
  status?: number;
  /** A sentence without addresses and secrets; absent when the message was delivered. */
  error?: string;
  /** What is wrong with a template; the default text was sent instead. */
  notice?: string;
}

/** Port: sends one message, marked as a test, once, the way that alerts send theirs. */
export interface WebhookTester {
  sendTest(tenantId: string, webhook: Webhook, signal: AbortSignal): Promise<WebhookTestOutcome>;
}
