import {
  isSameDestination,
  namedUsersMax,
  type Webhook,
  type WebhookDestination,
  type WebhookRemoval,
  type WebhookRepository,
  type WebhookUser,
} from '../resources/webhooks/webhook-repository.ts';
import { columnText } from './bound-values.ts';
import { readDocumentPage } from './document-page.ts';
import { findDocument } from './find-document.ts';
import type { Executor, MetadataDatabase } from './metadata-database.ts';
import { lockReferences } from './reference-lock.ts';
import { parseDocument } from './stored-document.ts';

export class SqlWebhookRepository implements WebhookRepository {
  readonly #database: MetadataDatabase;

  constructor(database: MetadataDatabase) {
    this.#database = database;
  }

  async list(
    tenantId: string,
    page: { limit: number; offset: number },
  ): Promise<{ webhooks: Webhook[]; total: number }> {
    const { documents, total } = await readDocumentPage<Webhook>(this.#database.reads, 'webhooks', tenantId, page);
    return { webhooks: documents, total };
  }

  async find(tenantId: string, id: string): Promise<Webhook | undefined> {
    const document = await this.#document(tenantId, id);
    return document === undefined ? undefined : parseDocument<Webhook>(document);
  }

  async findByName(tenantId: string, service: string, name: string): Promise<Webhook | undefined> {
    const row = await this.#database.reads
      .selectFrom('webhooks')
      .select('document')
      .where('tenant_id', '=', tenantId)
      .where('service', '=', service)
      .where('name', '=', columnText(name))
      .executeTakeFirst();
    return row && parseDocument<Webhook>(row.document);
  }

  async insert(tenantId: string, webhook: Webhook): Promise<'inserted' | 'nameTaken'> {
    const outcome = await this.#database.unlessTaken((executor) =>
      executor
        .insertInto('webhooks')
        .values({ id: webhook.id, tenant_id: tenantId, ...columnsOf(webhook) })
        .execute(),
    );
    return outcome === 'taken' ? 'nameTaken' : 'inserted';
  }

  async replace(
    tenantId: string,
    webhook: Webhook,
    seen?: WebhookDestination,
  ): Promise<'replaced' | 'missing' | 'nameTaken' | 'stale'> {
    for (;;) {
      const stored = await this.#document(tenantId, webhook.id);
      if (stored === undefined) return 'missing';
      if (seen && !isSameDestination(parseDocument<Webhook>(stored), seen)) return 'stale';
      const outcome = await this.#replaceDocument(tenantId, webhook, stored);
      if (outcome !== 'changed') return outcome;
    }
  }

  #document(tenantId: string, id: string): Promise<string | undefined> {
    return findDocument(this.#database.reads, 'webhooks', tenantId, id);
  }

  /** Compare and set on the stored text; `changed` when someone else wrote since it was read. */
  async #replaceDocument(
    tenantId: string,
    webhook: Webhook,
    stored: string,
  ): Promise<'replaced' | 'nameTaken' | 'changed'> {
    const outcome = await this.#database.unlessTaken((executor) =>
      executor
        .updateTable('webhooks')
        .set(columnsOf(webhook))
        .where('tenant_id', '=', tenantId)
        .where('id', '=', webhook.id)
        .where('document', '=', stored)
        .executeTakeFirst(),
    );
    if (outcome === 'taken') return 'nameTaken';
    if (outcome.numUpdatedRows === 0n) return 'changed';
    // What is known of its receiver was of the one before.
    await this.#database.writes.deleteFrom('webhook_receivers').where('webhook_id', '=', webhook.id).execute();
    return 'replaced';
  }

  remove(tenantId: string, id: string): Promise<WebhookRemoval> {
    return this.#database.transaction(async (inside) => {
      await lockReferences(inside, 'webhooks', tenantId);
      const alerts = await countAlerts(inside.writes, tenantId, id);
      if (alerts > 0) return { kind: 'inUse', alerts, named: await firstUsers(inside.writes, tenantId, id) };
      const result = await inside.writes
        .deleteFrom('webhooks')
        .where('tenant_id', '=', tenantId)
        .where('id', '=', id)
        .executeTakeFirst();
      return { kind: result.numDeletedRows > 0n ? 'removed' : 'missing' };
    });
  }
}

function columnsOf(webhook: Webhook): { service: string; name: string; document: string } {
  return { service: webhook.service, name: columnText(webhook.name), document: JSON.stringify(webhook) };
}

/** Each alert once, whichever of its channels use the webhook (decisions A10). */
async function countAlerts(executor: Executor, tenantId: string, webhookId: string): Promise<number> {
  const row = await executor
    .selectFrom('alert_channels')
    .select((select) => select.fn.count<number>('alert_id').distinct().as('alerts'))
    .where('tenant_id', '=', tenantId)
    .where('webhook_id', '=', webhookId)
    .executeTakeFirstOrThrow();
  return row.alerts;
}

/** The oldest alerts that use it, by name where they have one. */
async function firstUsers(executor: Executor, tenantId: string, webhookId: string): Promise<WebhookUser[]> {
  const rows = await executor
    .selectFrom('alert_channels')
    .innerJoin('alerts', 'alerts.id', 'alert_channels.alert_id')
    .select(['alerts.id', 'alerts.document'])
    .where('alert_channels.tenant_id', '=', tenantId)
    .where('alert_channels.webhook_id', '=', webhookId)
    .orderBy('alerts.sequence')
    .limit(namedUsersMax)
    .execute();
  return rows.map(({ id, document }) => {
    const { name } = parseDocument<Omit<WebhookUser, 'id'>>(document);
    return { id, ...(name !== undefined && { name }) };
  });
}
