import { AppError } from '../../contract/errors.ts';
import type { TargetGuard } from './target-guard-port.ts';
import type { WebhookService } from './webhook-service.ts';
import type { WebhookTester, WebhookTestOutcome } from './webhook-tester-port.ts';

export interface WebhookTestDeps {
  webhooks: Pick<WebhookService, 'get'>;
  targets: TargetGuard;
  tester: WebhookTester;
}

/** Tries a stored webhook out. */
export class WebhookTestService {
  readonly #deps: WebhookTestDeps;

  constructor(deps: WebhookTestDeps) {
    this.#deps = deps;
  }

  /** Sends one message. Throws `webhook_not_found`, and `request_invalid` if the URL is rejected (decisions A9). */
  async test(tenantId: string, id: string, signal: AbortSignal): Promise<WebhookTestOutcome> {
    const { webhooks, targets, tester } = this.#deps;
    const webhook = await webhooks.get(tenantId, id);
    const result = await targets.check(webhook.url);
    if (!result.ok) throw new AppError('request_invalid', { public: `url: ${result.reason}` });
    return tester.sendTest(tenantId, webhook, signal);
  }
}
