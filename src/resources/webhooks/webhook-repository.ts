import type { webhookTemplates } from '../../contract/webhook.ts';

export type WebhookTemplate = (typeof webhookTemplates)[number];

/** A webhook as stored. Secrets are sealed (authenticated encryption) before they reach the repository. */
export interface Webhook {
  id: string;
  name: string;
  service: 'slack' | 'generic' | 'incidentio';
  url: string;
  description?: string;
  /** Body template of generic webhooks. */
  body?: string;
  /** Built-in body of generic webhooks, instead of `body`. */
  template?: WebhookTemplate;
  /** Sealed JSON of `{headers?, queryParams?, signingSecret?, routingKey?}`. */
  sealedSecrets?: string;
  createdAt: string;
  updatedAt: string;
}

export interface WebhookSecrets {
  headers?: Record<string, string>;
  queryParams?: Record<string, string>;
  signingSecret?: string;
  /** Of PagerDuty: which service the incident is opened at. */
  routingKey?: string;
}

/** Where a webhook sends, and with which secrets. */
export type WebhookDestination = Pick<Webhook, 'service' | 'url' | 'sealedSecrets'>;

export function isSameDestination(one: WebhookDestination, other: WebhookDestination): boolean {
  return one.service === other.service && one.url === other.url && one.sealedSecrets === other.sealedSecrets;
}

/** An alert that uses a webhook. */
export interface WebhookUser {
  id: string;
  name?: string;
}

/** So many of the alerts that keep a webhook are named. */
export const namedUsersMax = 3;

export type WebhookRemoval =
  | { kind: 'removed' }
  | { kind: 'missing' }
  /** `named` are the oldest of them, at most `namedUsersMax`. */
  | { kind: 'inUse'; alerts: number; named: readonly WebhookUser[] };

export interface WebhookRepository {
  list(tenantId: string, page: { limit: number; offset: number }): Promise<{ webhooks: Webhook[]; total: number }>;
  find(tenantId: string, id: string): Promise<Webhook | undefined>;
  findByName(tenantId: string, service: string, name: string): Promise<Webhook | undefined>;
  /** `nameTaken` when (tenant, service, name) exists already. */
  insert(tenantId: string, webhook: Webhook): Promise<'inserted' | 'nameTaken'>;
  /**
   * Writes the whole record. With `seen`, only while the stored destination and secrets are still those of `seen`
   * (same `service`, `url` and `sealedSecrets`); otherwise `stale`, and nothing is written.
   */
  replace(
    tenantId: string,
    webhook: Webhook,
    seen?: WebhookDestination,
  ): Promise<'replaced' | 'missing' | 'nameTaken' | 'stale'>;
  /** Check and removal in one transaction; counts alerts over all their channels (decisions A10). */
  remove(tenantId: string, id: string): Promise<WebhookRemoval>;
}
