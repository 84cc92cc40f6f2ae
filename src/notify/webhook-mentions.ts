import type { Mentioned, Mentions, Notification } from '../evaluator/ports.ts';
import type { Webhook, WebhookRepository } from '../resources/webhooks/webhook-repository.ts';
import type { MessageRenderer } from './message-renderer.ts';

/** More webhooks of a tenant are not looked through. */
const webhooksMax = 1_000;
/** One message names no more. */
const mentionsMax = 20;

/** Finds the webhooks that messages mention: a webhook by its id, else by its name or the beginning of it, the oldest first. */
export class WebhookMentions implements Mentions {
  readonly #webhooks: Pick<WebhookRepository, 'list'>;

  readonly #renderer: Pick<MessageRenderer, 'mentions'>;

  constructor(webhooks: Pick<WebhookRepository, 'list'>, renderer: Pick<MessageRenderer, 'mentions'>) {
    this.#webhooks = webhooks;
    this.#renderer = renderer;
  }

  async find(tenantId: string, notifications: readonly Notification[]): Promise<readonly Mentioned[]> {
    const named = await this.#renderer.mentions(tenantId, notifications);
    const mentions = named.map((names) => names.slice(0, mentionsMax));
    if (mentions.every((names) => names.length === 0)) return mentions.map(() => ({ webhookIds: [], unknown: [] }));
    const { webhooks } = await this.#webhooks.list(tenantId, { limit: webhooksMax, offset: 0 });
    return mentions.map((names) => {
      const found = names.map((name) => ({ name, id: idOf(name, webhooks) }));
      return {
        webhookIds: [...new Set(found.flatMap(({ id }) => id ?? []))],
        unknown: found.filter(({ id }) => id === undefined).map(({ name }) => name),
      };
    });
  }
}

function idOf(mention: string, webhooks: readonly Webhook[]): string | undefined {
  const name = mention.toLowerCase();
  const named = (is: (webhook: Webhook) => boolean) => webhooks.find(is)?.id;
  return (
    named(({ id }) => id === mention) ??
    named((webhook) => webhook.name.toLowerCase() === name) ??
    named((webhook) => webhook.name.toLowerCase().startsWith(name))
  );
}
