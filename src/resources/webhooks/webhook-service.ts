import type { SecretBox } from '../../access/secret-box.ts';
import { AppError } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import type { PageQuery } from '../../contract/pagination.ts';
import type { WebhookInput } from '../../contract/webhook.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Ids } from '../../kernel/ids.ts';
import { routingKeyProblem, slackHostProblem, webhookProblem } from './check-webhook.ts';
import type { TargetGuard } from './target-guard-port.ts';
import { toWebhook } from './to-webhook.ts';
import type { Webhook, WebhookRemoval, WebhookRepository, WebhookSecrets } from './webhook-repository.ts';
import { mergeWebhookSecrets, openWebhookSecrets } from './webhook-secrets.ts';

/** A lost race is run again this often before the client hears of it. */
const attemptsMax = 5;

export interface WebhookServiceDeps {
  webhooks: WebhookRepository;
  targets: TargetGuard;
  secrets: SecretBox;
  ids: Ids;
  clock: Clock;
}

export interface WebhookPage {
  webhooks: Webhook[];
  page: { total: number; limit: number; offset: number };
}

/** The rules of webhooks (decisions A9, A10; contract §6). Every method stays within one tenant. */
export class WebhookService {
  readonly #webhooks: WebhookRepository;
  readonly #targets: TargetGuard;
  readonly #secrets: SecretBox;
  readonly #ids: Ids;
  readonly #clock: Clock;

  constructor({ webhooks, targets, secrets, ids, clock }: WebhookServiceDeps) {
    this.#webhooks = webhooks;
    this.#targets = targets;
    this.#secrets = secrets;
    this.#ids = ids;
    this.#clock = clock;
  }

  /** In order of creation. */
  async list(tenantId: string, { limit = limits.pageSize, offset = 0 }: PageQuery): Promise<WebhookPage> {
    const { webhooks, total } = await this.#webhooks.list(tenantId, { limit, offset });
    return { webhooks, page: { total, limit, offset } };
  }

  /** Throws `webhook_not_found`, also for another tenant's id (decisions F2). */
  async get(tenantId: string, id: string): Promise<Webhook> {
    const webhook = await this.#webhooks.find(tenantId, id);
    if (!webhook) throw new AppError('webhook_not_found');
    return webhook;
  }

  /** Throws `request_invalid` for an invalid field, a rejected URL or a name in use; nothing is stored then. */
  async create(tenantId: string, input: WebhookInput): Promise<Webhook> {
    await this.#check(input);
    const now = this.#now();
    const identity = { id: this.#ids.hex24(), createdAt: now, updatedAt: now };
    const secrets = mergeWebhookSecrets(input, {});
    rejectWithoutRoutingKey(input, secrets);
    const webhook = toWebhook(identity, input, secrets, this.#secrets);
    if ((await this.#webhooks.insert(tenantId, webhook)) === 'nameTaken') throw nameTaken(input);
    return webhook;
  }

  /**
   * Replaces the readable fields; secrets that the request leaves out are kept while service and URL stay.
   * Throws `webhook_not_found`, `request_invalid`, and `conflict` when others keep changing it at the same time.
   */
  async replace(tenantId: string, id: string, input: WebhookInput): Promise<Webhook> {
    await this.get(tenantId, id);
    await this.#check(input);
    for (let attempt = 1; attempt <= attemptsMax; attempt++) {
      const stored = await this.get(tenantId, id);
      const identity = { id, createdAt: stored.createdAt, updatedAt: this.#now() };
      const secrets = mergeWebhookSecrets(input, this.#keptSecrets(stored, input));
      rejectWithoutRoutingKey(input, secrets);
      const webhook = toWebhook(identity, input, secrets, this.#secrets);
      const outcome = await this.#webhooks.replace(tenantId, webhook, stored);
      if (outcome === 'replaced') return webhook;
      if (outcome === 'missing') throw new AppError('webhook_not_found');
      if (outcome === 'nameTaken') throw nameTaken(input);
    }
    throw new AppError('conflict', { public: 'The webhook was changed by someone else at the same time; try again.' });
  }

  /** Throws `webhook_not_found`, and `conflict` while alerts use it (decisions A10). */
  async remove(tenantId: string, id: string): Promise<void> {
    const removal = await this.#webhooks.remove(tenantId, id);
    if (removal.kind === 'missing') throw new AppError('webhook_not_found');
    if (removal.kind === 'inUse') {
      throw new AppError('conflict', { public: inUseText(removal) });
    }
  }

  async #check(input: WebhookInput): Promise<void> {
    const problem = webhookProblem(input);
    if (problem) throw new AppError('request_invalid', { public: problem });
    const result = await this.#targets.check(input.url);
    if (!result.ok) throw new AppError('request_invalid', { public: `url: ${result.reason}` });
    const hostProblem = slackHostProblem(input, result.listed === true);
    if (hostProblem) throw new AppError('request_invalid', { public: hostProblem });
  }

  #keptSecrets(stored: Webhook, input: WebhookInput): WebhookSecrets {
    const sameDestination = stored.url === input.url && stored.service === input.service;
    return sameDestination ? openWebhookSecrets(this.#secrets, stored) : {};
  }

  #now(): string {
    return new Date(this.#clock.nowMs()).toISOString();
  }
}

function rejectWithoutRoutingKey(input: WebhookInput, secrets: WebhookSecrets): void {
  const problem = routingKeyProblem(input, secrets);
  if (problem) throw new AppError('request_invalid', { public: problem });
}

function nameTaken({ service, name }: WebhookInput): AppError {
  return new AppError('request_invalid', {
    public: `name: a ${service} webhook named "${name.trim()}" already exists.`,
  });
}

/** `2 alerts still use this webhook: "Errors" (65…0a) and 65…0b; give …` */
function inUseText({ alerts, named }: Extract<WebhookRemoval, { kind: 'inUse' }>): string {
  const users = alerts === 1 ? '1 alert still uses' : `${alerts} alerts still use`;
  const names = named.map(({ id, name }) => (name === undefined ? id : `"${name}" (${id})`));
  if (alerts > named.length) names.push(`${alerts - named.length} more`);
  const last = names.pop() ?? '';
  const list = names.length > 0 ? `${names.join(', ')} and ${last}` : last;
  return `${users} this webhook: ${list}; give them another channel or delete them first.`;
}
