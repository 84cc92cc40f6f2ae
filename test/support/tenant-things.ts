import { randomIds } from '../../src/kernel/ids.ts';
import { evaluationOf, messageOf } from './alert-fixtures.ts';
import type { ApiWorld } from './api-world.ts';
import { pipeBody } from './operation-table.ts';
import type { TenantActor, TenantObjects } from './tenant-objects.ts';

/** One of each, and a delivery of the alert whose message has the alert's id. */
export async function makeObjectsOf(world: ApiWorld, actor: TenantActor, pipe?: string): Promise<TenantObjects> {
  const { tenantId } = actor;
  const objects = await actor.makeObjects(pipe ?? (await makePipe(world, tenantId)));
  const { alertLeases, evaluations, outbox } = world.metadata;
  const nowMs = world.clock.nowMs() + 24 * 3_600_000;
  const due = { owner: 'e', nowMs, dueBeforeMs: nowMs, leaseUntilMs: nowMs, max: 10_000 };
  const leased = (await alertLeases.claimDue(due)).find(({ alert }) => alert.id === objects.alert);
  if (!leased) throw new Error('the alert was not due');
  const made = messageOf(tenantId, { id: objects.alert, webhookId: objects.webhook, createdAtMs: nowMs });
  const { notification } = made;
  const message = { ...made, notification: { ...notification, alert: { ...notification.alert, id: objects.alert } } };
  // It fires, so that it can be acknowledged.
  const firing = { group: [], status: 'ALERT' as const, breaches: 1, firingSinceMs: 0, notifiedMs: 0 };
  const state = { status: 'ALERT' as const, groups: [firing] };
  await evaluations.commit(evaluationOf(leased, { state, notifications: [message], leaseUntilMs: 0 }));
  const attempt = { atMs: nowMs, durationMs: 1, status: 200 };
  await outbox.record({ message, attempts: 0, claim: '', receiverFailures: 0 }, attempt, { kind: 'delivered' });
  return objects;
}

async function makePipe(world: ApiWorld, tenantId: string): Promise<string> {
  const id = randomIds.uuid();
  const at = new Date(world.clock.nowMs()).toISOString();
  await world.metadata.pipes.insert(tenantId, {
    id,
    createdAt: at,
    updatedAt: at,
    fields: { ...pipeBody, state: 'Running' },
  });
  return id;
}

/** Everything that the tenant has, to show that nothing was changed. */
export async function everything(actor: TenantActor): Promise<string> {
  const lists = [
    'listDashboards',
    'listDeletedDashboards',
    'listAlerts',
    'listSources',
    'listWebhooks',
    'listConnections',
    'listSavedSearches',
    'listSilences',
  ];
  return JSON.stringify(await Promise.all(lists.map((id) => actor.act(id))));
}
