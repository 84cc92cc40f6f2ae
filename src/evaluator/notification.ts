import { createHash } from 'node:crypto';
import type { TimeRange } from '../query/chart-query.ts';
import { type Alert, watchedOf } from '../resources/alerts/alert.ts';
import type { Mentions, Notification, OutgoingNotification, WatchedNames } from './ports.ts';
import { type Change, groupKey } from './transition.ts';

type Channel = Alert['channels'][number];

interface Told {
  tenantId: string;
  alert: Alert;
  window: TimeRange;
  names: WatchedNames;
  nowMs: number;
}

/** Webhooks that one event may reach. */
const targetsMax = 20;

export interface Telling {
  messages: readonly OutgoingNotification[];
  /** Mentions of webhooks that are none. */
  unknownMentions: readonly string[];
}

/** One message per change and webhook: those of the channels, then those that the text names. */
export async function tell(told: Told, changes: readonly Change[], mentions: Mentions): Promise<Telling> {
  const notifications = changes.map((change) => toNotification(told, change));
  const mentioned = mayMention(told.alert) ? await mentions.find(told.tenantId, notifications) : [];
  return {
    messages: notifications.flatMap((notification, index) => {
      const channels = withMentioned(told.alert.channels, mentioned[index]?.webhookIds ?? []);
      return channels.map((channel) => outgoing(told, notification, channel));
    }),
    unknownMentions: [...new Set(mentioned.flatMap(({ unknown }) => unknown))],
  };
}

function mayMention({ message }: Alert): boolean {
  return message?.includes('@webhook-') ?? false;
}

function withMentioned(channels: readonly Channel[], webhookIds: readonly string[]): Channel[] {
  const others = webhookIds.filter((id) => !channels.some(({ webhookId }) => webhookId === id));
  const targets: Channel[] = [...channels, ...others.map((webhookId) => ({ type: 'webhook' as const, webhookId }))];
  return targets.slice(0, targetsMax);
}

function outgoing(told: Told, notification: Notification, channel: Channel): OutgoingNotification {
  const { webhookId, severity } = channel;
  const eventId = digest([told.alert.id, groupKey(notification.group)]);
  const { reason, window } = notification;
  const id = digest([eventId, webhookId, String(window.startMs), String(window.endMs), reason]);
  return {
    id,
    tenantId: told.tenantId,
    webhookId,
    eventId,
    idempotencyKey: id,
    createdAtMs: told.nowMs,
    ...(severity !== undefined && { severity }),
    notification,
  };
}

function toNotification({ alert, window, names }: Told, change: Change): Notification {
  return {
    reason: change.reason,
    alert: {
      id: alert.id,
      ...(alert.name !== undefined && { name: alert.name }),
      ...(alert.message !== undefined && { message: alert.message }),
      ...(alert.note !== undefined && { note: alert.note }),
      threshold: alert.threshold,
      ...(alert.thresholdMax !== undefined && { thresholdMax: alert.thresholdMax }),
      thresholdType: alert.thresholdType,
      interval: alert.interval,
    },
    ...watchedOfNotification(alert, names),
    group: change.group,
    value: change.value,
    window,
    firingSinceMs: change.firingSinceMs,
  };
}

function watchedOfNotification(alert: Alert, names: WatchedNames): Partial<Notification> {
  const watched = watchedOf(alert);
  if (watched.kind === 'savedSearch') return { savedSearch: named(watched.savedSearchId, names.savedSearch) };
  return { dashboard: named(watched.dashboardId, names.dashboard), tile: named(watched.tileId, names.tile) };
}

function named(id: string, name: string | undefined): { id: string; name?: string } {
  return { id, ...(name !== undefined && { name }) };
}

/** 32 hex characters: within every receiver's limit for keys. */
function digest(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}
