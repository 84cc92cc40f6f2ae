import { SecretBox } from '../../../src/access/secret-box.ts';
import type { WebhookRecord } from '../../../src/contract/webhook.ts';
import type { FlavourName } from '../../../src/http/operation.ts';
import { serviceId, TestApi } from '../../../src/http/testing.ts';
import { FakeClock } from '../../../src/kernel/fake-clock.ts';
import { randomIds } from '../../../src/kernel/ids.ts';
import { inlineWorkers } from '../../../src/kernel/inline-workers.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { guardedAgent } from '../../../src/notify/guarded-agent.ts';
import { MessageRenderer } from '../../../src/notify/message-renderer.ts';
import { SsrfGuard } from '../../../src/notify/target-guard.ts';
import { TestMessageSender } from '../../../src/notify/test-message-sender.ts';
import { WebhookSender } from '../../../src/notify/webhook-sender.ts';
import { FakeWebhookRepository } from '../../../src/resources/webhooks/fake-webhook-repository.ts';
import { webhookOperations } from '../../../src/resources/webhooks/operations/webhook-operations.ts';
import type { TargetGuard } from '../../../src/resources/webhooks/target-guard-port.ts';
import type { WebhookSecrets, WebhookUser } from '../../../src/resources/webhooks/webhook-repository.ts';
import { openWebhookSecrets } from '../../../src/resources/webhooks/webhook-secrets.ts';
import { WebhookService } from '../../../src/resources/webhooks/webhook-service.ts';
import { WebhookTestService } from '../../../src/resources/webhooks/webhook-test-service.ts';

export const secrets = new SecretBox('a key for tests');
export const rejection = 'the host is a private address.';

/** Refuses what stands on `private.test`, as the real guard refuses private addresses; `listed.test` is the operator's. */
export const targets: TargetGuard = {
  async check(url) {
    const { hostname } = new URL(url);
    return hostname === 'private.test'
      ? { ok: false, reason: rejection }
      : { ok: true, listed: hostname === 'listed.test' };
  },
};

/** The program's own sender; only loopback may be called. */
function testerOver(clock: FakeClock): TestMessageSender {
  const dispatcher = guardedAgent(new SsrfGuard(['127.0.0.1']), 10_000);
  const sender = new WebhookSender({ dispatcher, clock, timeoutMs: 10_000 });
  const publicUrl = 'https://obs.example.com';
  const renderer = new MessageRenderer({
    ...{ workers: inlineWorkers, clock, logger: silentLogger, publicUrl },
    tenants: { find: async () => undefined },
  });
  return new TestMessageSender({ sender, box: secrets, renderer, clock, ids: randomIds, logger: silentLogger });
}

/** The webhooks API of one flavour over a repository in memory. */
export class WebhookApi extends TestApi {
  readonly webhooks: FakeWebhookRepository;
  readonly time: FakeClock;
  /** Alerts that use a webhook, by its id. */
  readonly alerts: Map<string, WebhookUser[]>;

  constructor(name: FlavourName = 'selfHosted') {
    const alerts = new Map<string, WebhookUser[]>();
    const webhooks = new FakeWebhookRepository((_, id) => alerts.get(id) ?? []);
    const time = new FakeClock();
    const service = new WebhookService({ webhooks, targets, secrets, ids: randomIds, clock: time });
    const tests = new WebhookTestService({ webhooks: service, targets, tester: testerOver(time) });
    super(name, webhookOperations(service, tests));
    this.webhooks = webhooks;
    this.time = time;
    this.alerts = alerts;
  }

  async create(body: unknown): Promise<WebhookRecord> {
    return this.unwrap(await this.send('POST', '/webhooks', { body })) as WebhookRecord;
  }

  async put(id: string, body: unknown): Promise<WebhookRecord> {
    return this.unwrap(await this.send('PUT', `/webhooks/${id}`, { body })) as WebhookRecord;
  }

  async list(query = ''): Promise<WebhookRecord[]> {
    return this.unwrap(await this.send('GET', `/webhooks${query}`)) as WebhookRecord[];
  }

  /** What would be sent along; the API never returns it. */
  async secretsOf(id: string): Promise<WebhookSecrets> {
    const stored = await this.webhooks.find(serviceId, id);
    if (!stored) throw new Error('no such webhook');
    return openWebhookSecrets(secrets, stored);
  }
}

export const generic = { name: 'ops', service: 'generic', url: 'https://example.org/hook' };
export const slack = { name: 'chat', service: 'slack', url: 'https://hooks.slack.com/services/T/B/x' };
