import { join } from 'node:path';
import { expect } from 'vitest';
import type { AlertInput } from '../../src/contract/alert.ts';
import type { AlertState, GroupState, HistoryEntry } from '../../src/evaluator/alert-state.ts';
import { neverMs } from '../../src/metadata/alert-rows.ts';
import { openEmbedded } from '../../src/metadata/embedded/open-embedded.ts';
import type { OpenStore } from '../../src/metadata/metadata-database.ts';
import { messageOf, minuteMs } from './alert-fixtures.ts';
import { insertHistoryRows } from './alert-rows.ts';
import type { RunningProgram } from './start-program.ts';

export interface OnCallAlert {
  name: string;
  status: GroupState['status'];
  /** Of the last windows, oldest first; the last one ended a minute before `untilMs`. */
  values: readonly (number | null)[];
  /** Minutes for which it has been firing. */
  firingMinutes?: number;
  /** Of its newest message. */
  delivery?: 'delivered' | 'failing';
  group?: string;
  rule?: Partial<AlertInput>;
}

/** Alerts on one tile, in these states: evaluating them until they are would take hours. They stay as they are. */
export async function makeOnCallAlerts(
  program: RunningProgram,
  alerts: readonly OnCallAlert[],
  untilMs: number,
): Promise<string[]> {
  const call = async <T>(method: string, path: string, body?: unknown) => {
    const { status, json } = await program.call(method, `/api/v2${path}`, body);
    expect(status, JSON.stringify(json)).toBe(200);
    return (json as { data: T }).data;
  };
  const sources = await call<{ id: string; kind: string }[]>('GET', '/sources');
  const sourceId = sources.find(({ kind }) => kind === 'log')?.id;
  const url = 'https://example.com/hook';
  const webhook = await call<{ id: string }>('POST', '/webhooks', { name: 'On call', service: 'generic', url });
  const tile = { name: 'Errors', series: [{ sourceId, aggFn: 'count', where: '', groupBy: [] }] };
  const board = await call<{ id: string; tiles: { id: string }[] }>('POST', '/dashboards', {
    ...{ name: 'Checkout', tiles: [tile] },
  });
  const store = openEmbedded(join(program.dataDir, 'metadata.db'));
  const ids: string[] = [];
  for (const alert of alerts) {
    const { id } = await call<{ id: string }>('POST', '/alerts', {
      ...{ name: alert.name, dashboardId: board.id, tileId: board.tiles[0]?.id, interval: '1m' },
      ...{ threshold: 100, thresholdType: 'above', channel: { type: 'webhook', webhookId: webhook.id } },
      ...alert.rule,
    });
    await writeState(store, { ...alert, id, webhookId: webhook.id, endMs: Math.floor(untilMs / minuteMs) * minuteMs });
    ids.push(id);
  }
  await store.close();
  return ids;
}

interface Written extends OnCallAlert {
  id: string;
  webhookId: string;
  endMs: number;
}

async function writeState(store: OpenStore, alert: Written): Promise<void> {
  const { id, status, values, endMs, firingMinutes = 0, delivery, webhookId } = alert;
  const group = alert.group === undefined ? [] : [{ key: 'ServiceName', value: alert.group }];
  const firing = status === 'ALERT' && { firingSinceMs: endMs - firingMinutes * minuteMs, notifiedMs: endMs };
  const state: AlertState = { status, groups: [{ group, status, breaches: 1, ...firing }] };
  await store.writes
    .updateTable('alert_states')
    .set({ due_ms: neverMs, status, state: JSON.stringify(state), errors: '[]' })
    .where('alert_id', '=', id)
    .execute();
  const history = values.map((value, at): HistoryEntry => {
    const windowEndMs = endMs - (values.length - 1 - at) * minuteMs;
    const isFiring = status === 'ALERT' && endMs - windowEndMs <= firingMinutes * minuteMs;
    const was = value === null ? 'INSUFFICIENT_DATA' : isFiring ? 'ALERT' : at === values.length - 1 ? status : 'OK';
    const groups = value === null ? [] : [{ group, value, status: was }];
    return { windowStartMs: windowEndMs - minuteMs, windowEndMs, evaluatedAtMs: windowEndMs, status: was, groups };
  });
  if (history.length > 0) await insertHistoryRows(store, id, history);
  if (delivery) await writeMessage(store, { alertId: id, webhookId, delivery, atMs: endMs });
}

interface SentMessage {
  alertId: string;
  webhookId: string;
  delivery: 'delivered' | 'failing';
  atMs: number;
}

async function writeMessage(store: OpenStore, { alertId, webhookId, delivery, atMs }: SentMessage): Promise<void> {
  const { tenant_id } = await store.reads
    .selectFrom('alerts')
    .select('tenant_id')
    .where('id', '=', alertId)
    .executeTakeFirstOrThrow();
  const message = messageOf(tenant_id, { webhookId, createdAtMs: atMs });
  const { notification } = message;
  const isOpen = delivery === 'failing';
  await store.writes
    .insertInto('outbox')
    .values({
      ...{ id: message.id, tenant_id, alert_id: alertId, webhook_id: webhookId, event_id: message.eventId },
      ...{
        status: isOpen ? 'open' : 'delivered',
        created_ms: atMs,
        next_attempt_ms: neverMs,
        attempts: isOpen ? 3 : 1,
      },
      ...{ claim: null, claim_until_ms: 0, last_at_ms: atMs, last_status: isOpen ? 503 : 200 },
      last_error: isOpen ? 'The receiver answered 503.' : null,
      document: JSON.stringify({
        ...message,
        notification: { ...notification, alert: { ...notification.alert, id: alertId } },
      }),
    })
    .execute();
}
