import {
  isSameDestination,
  namedUsersMax,
  type Webhook,
  type WebhookDestination,
  type WebhookRemoval,
  type WebhookRepository,
  type WebhookUser,
} from './webhook-repository.ts';

/** Webhooks in memory, in the order of their creation. `usersOf` says which alerts use one. */
export class FakeWebhookRepository implements WebhookRepository {
  readonly #tenants = new Map<string, Map<string, Webhook>>();
  readonly #usersOf: (tenantId: string, id: string) => readonly WebhookUser[];

  constructor(usersOf: (tenantId: string, id: string) => readonly WebhookUser[] = () => []) {
    this.#usersOf = usersOf;
  }

  async list(tenantId: string, { limit, offset }: { limit: number; offset: number }) {
    const all = [...this.#of(tenantId).values()];
    return { webhooks: all.slice(offset, offset + limit), total: all.length };
  }

  async find(tenantId: string, id: string): Promise<Webhook | undefined> {
    return this.#of(tenantId).get(id);
  }

  async findByName(tenantId: string, service: string, name: string): Promise<Webhook | undefined> {
    return [...this.#of(tenantId).values()].find((other) => other.service === service && other.name === name);
  }

  async insert(tenantId: string, webhook: Webhook): Promise<'inserted' | 'nameTaken'> {
    if (await this.findByName(tenantId, webhook.service, webhook.name)) return 'nameTaken';
    this.#of(tenantId).set(webhook.id, webhook);
    return 'inserted';
  }

  async replace(
    tenantId: string,
    webhook: Webhook,
    seen?: WebhookDestination,
  ): Promise<'replaced' | 'missing' | 'nameTaken' | 'stale'> {
    const stored = this.#of(tenantId).get(webhook.id);
    if (!stored) return 'missing';
    if (seen && !isSameDestination(stored, seen)) return 'stale';
    const namesake = await this.findByName(tenantId, webhook.service, webhook.name);
    if (namesake && namesake.id !== webhook.id) return 'nameTaken';
    this.#of(tenantId).set(webhook.id, webhook);
    return 'replaced';
  }

  async remove(tenantId: string, id: string): Promise<WebhookRemoval> {
    if (!this.#of(tenantId).has(id)) return { kind: 'missing' };
    const users = this.#usersOf(tenantId, id);
    if (users.length > 0) return { kind: 'inUse', alerts: users.length, named: users.slice(0, namedUsersMax) };
    this.#of(tenantId).delete(id);
    return { kind: 'removed' };
  }

  #of(tenantId: string): Map<string, Webhook> {
    const webhooks = this.#tenants.get(tenantId) ?? new Map<string, Webhook>();
    this.#tenants.set(tenantId, webhooks);
    return webhooks;
  }
}
