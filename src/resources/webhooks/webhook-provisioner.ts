import type { SecretBox } from '../../access/secret-box.ts';
import type { Tenant } from '../../access/tenants.ts';
import { AppError } from '../../contract/errors.ts';
import type { WebhookInput } from '../../contract/webhook.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Ids } from '../../kernel/ids.ts';
import { webhookFault } from './check-webhook.ts';
import type { TargetGuard } from './target-guard-port.ts';
import { toWebhook } from './to-webhook.ts';
import type { Webhook, WebhookRepository } from './webhook-repository.ts';
import { mergeWebhookSecrets, openWebhookSecrets } from './webhook-secrets.ts';

export interface WebhookProvisionerDependencies {
  webhooks: WebhookRepository;
  targets: TargetGuard;
  secrets: SecretBox;
  ids: Ids;
  clock: Clock;
}

/** Webhooks of a provisioning file: matched by service and name, the id stays, the rest is reset to the file. */
export class WebhookProvisioner {
  readonly #dependencies: WebhookProvisionerDependencies;

  constructor(dependencies: WebhookProvisionerDependencies) {
    this.#dependencies = dependencies;
  }

  /** Answers a warning for a refused address, which fails at send (decisions A9). Throws `request_invalid`. */
  async apply(tenant: Tenant, input: WebhookInput): Promise<string | undefined> {
    // The operator may point a slack webhook to another receiver that speaks its format.
    const fault = webhookFault(input, { slackHostsOnly: false });
    if (fault) throw new AppError('request_invalid', { public: fault });
    const { webhooks, targets } = this.#dependencies;
    const stored = await webhooks.findByName(tenant.id, input.service, input.name.trim());
    if (!stored) await webhooks.insert(tenant.id, this.#toWebhook(input, undefined));
    else if (!this.#isSame(stored, input)) await webhooks.replace(tenant.id, this.#toWebhook(input, stored));
    const verdict = await targets.check(input.url);
    return verdict.ok ? undefined : `nothing will be sent to this URL: ${verdict.reason}`;
  }

  #toWebhook(input: WebhookInput, stored: Webhook | undefined): Webhook {
    const { ids, clock, secrets } = this.#dependencies;
    const now = new Date(clock.nowMs()).toISOString();
    const identity = { id: stored?.id ?? ids.hex24(), createdAt: stored?.createdAt ?? now, updatedAt: now };
    return toWebhook(identity, input, mergeWebhookSecrets(input, {}), secrets);
  }

  /** Sealing the same secrets twice gives two texts, so what is compared is what they say. */
  #isSame(stored: Webhook, input: WebhookInput): boolean {
    const { url, description, body } = stored;
    const wanted = [input.url, input.description, input.body, mergeWebhookSecrets(input, {})];
    return JSON.stringify([url, description, body, this.#secretsOf(stored)]) === JSON.stringify(wanted);
  }

  /** Secrets that were sealed with another key count as different, and are then replaced by the file's. */
  #secretsOf(stored: Webhook): unknown {
    try {
      return openWebhookSecrets(this.#dependencies.secrets, stored);
    } catch {
      return undefined;
    }
  }
}
