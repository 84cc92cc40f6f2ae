import { isDeepStrictEqual } from 'node:util';
import type { SecretBox } from '../../access/secret-box.ts';
import type { Tenant } from '../../access/tenants.ts';
import type { WebhookInput } from '../../contract/webhook.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Ids } from '../../kernel/ids.ts';
import type { TargetGuard } from '../../resources/webhooks/target-guard-port.ts';
import type { Webhook, WebhookRepository } from '../../resources/webhooks/webhook-repository.ts';
import { mergeWebhookSecrets, openWebhookSecrets } from '../../resources/webhooks/webhook-secrets.ts';
import { WebhookService } from '../../resources/webhooks/webhook-service.ts';
import type { ProvisionedKind } from './provisioning-ports.ts';

export interface ProvisionedWebhooksDeps {
  webhooks: WebhookRepository;
  secrets: SecretBox;
  ids: Ids;
  clock: Clock;
}

/**
 * The file is the operator's: any host loads; a rejected address loads with a warning and fails at send (decisions A9).
 */
const everyTarget: TargetGuard = { check: async () => ({ ok: true, listed: true }) };

/** Webhooks of the provisioning file, matched by service and name. */
export class ProvisionedWebhooks implements ProvisionedKind<WebhookInput> {
  readonly #deps: ProvisionedWebhooksDeps;
  readonly #service: WebhookService;

  constructor(deps: ProvisionedWebhooksDeps) {
    this.#deps = deps;
    this.#service = new WebhookService({ ...deps, targets: everyTarget });
  }

  async apply(tenant: Tenant, entry: WebhookInput): Promise<void> {
    const stored = await this.#deps.webhooks.findByName(tenant.id, entry.service, entry.name.trim());
    if (!stored) await this.#service.create(tenant.id, entry);
    else if (!this.#isAsWanted(stored, entry))
      await this.#service.replace(tenant.id, stored.id, withoutKeptSecrets(entry));
  }

  /** An unchanged webhook is not written again, so that its `updatedAt` is the last real change. */
  #isAsWanted(stored: Webhook, entry: WebhookInput): boolean {
    return (
      stored.url === entry.url &&
      stored.description === entry.description &&
      stored.body === entry.body &&
      stored.template === entry.template &&
      isDeepStrictEqual(openWebhookSecrets(this.#deps.secrets, stored), mergeWebhookSecrets(entry, {}))
    );
  }
}

/** Replacing keeps secrets that a request leaves out; the file says all there is. */
function withoutKeptSecrets(entry: WebhookInput): WebhookInput {
  const { headers = {}, queryParams = {}, signingSecret = '', routingKey = '' } = entry;
  return { ...entry, headers, queryParams, signingSecret, routingKey };
}
