import { createHash } from 'node:crypto';
import type { TimeRange } from '../query/chart-query.ts';
import { type Alert, watchedOf } from '../resources/alerts/alert.ts';
import type { Mentions, Notification, OutgoingNotification, SampleEvents, WatchedNames } from './ports.ts';
import { type Change, groupKey } from './transition.ts';

type Channel = Alert['channels'][number];

interface NotificationContext {
  tenantId: string;
  alert: Alert;
  /** Of the alert: a window that is evaluated again, after the clock was set back, sends its messages again. */
  epoch: number;
  window: TimeRange;
  names: WatchedNames;
  nowMs: number;
  traceparent?: string | undefined;
}

/** Groups of one window whose messages show events. */
const sampledGroupsMax = 5;
/** Webhooks that one event may reach. */
const targetsMax = 20;

export interface ComposedMessages {
  messages: readonly OutgoingNotification[];
  /** Mentioned names that no webhook has. */
  unknownMentions: readonly string[];
}

/** What messages contain besides the evaluation. */
export interface ComposeDeps {
  mentions: Mentions;
  samples: SampleEvents;
}

/** One message per change and webhook: those of the channels, then those that the text names. */
export async function composeMessages(
  context: NotificationContext,
  changes: readonly Change[],
  deps: ComposeDeps,
): Promise<ComposedMessages> {
  if (changes.length === 0) return { messages: [], unknownMentions: [] };
  const { mentions, samples } = deps;
  const notifications = await withSamples(
    context,
    changes.map((change) => toNotification(context, change)),
    samples,
  );
  const mentioned = mayMention(context.alert) ? await mentions.find(context.tenantId, notifications) : [];
  return {
    messages: notifications.flatMap((notification, index) => {
      const channels = withMentioned(context.alert.channels, mentioned[index]?.webhookIds ?? []);
      return channels.map((channel) => outgoing(context, notification, channel));
    }),
    unknownMentions: [...new Set(mentioned.flatMap(({ unknown }) => unknown))],
  };
}

/** Of a saved search, for the first groups that fire. */
async function withSamples(
  { tenantId }: NotificationContext,
  notifications: readonly Notification[],
  samples: SampleEvents,
) {
  let sampled = 0;
  return Promise.all(
    notifications.map(async (notification): Promise<Notification> => {
      const { savedSearch, reason, group, window } = notification;
      if (!savedSearch || reason === 'resolved' || sampled >= sampledGroupsMax) return notification;
      sampled += 1;
      const sampleEvents = await samples.find({ tenantId, savedSearchId: savedSearch.id, group, window });
      return sampleEvents.length > 0 ? { ...notification, sampleEvents } : notification;
    }),
  );
}

function mayMention({ message }: Alert): boolean {
  return message?.includes('@webhook-') ?? false;
}

function withMentioned(channels: readonly Channel[], webhookIds: readonly string[]): Channel[] {
  const others = webhookIds.filter((id) => !channels.some(({ webhookId }) => webhookId === id));
  const targets: Channel[] = [...channels, ...others.map((webhookId) => ({ type: 'webhook' as const, webhookId }))];
  return targets.slice(0, targetsMax);
}

function outgoing(context: NotificationContext, notification: Notification, channel: Channel): OutgoingNotification {
  const { webhookId, severity } = channel;
  const eventId = digest([context.alert.id, groupKey(notification.group)]);
  const { reason, window } = notification;
  const id = digest([eventId, webhookId, String(context.epoch), String(window.startMs), String(window.endMs), reason]);
  return {
    id,
    tenantId: context.tenantId,
    webhookId,
    eventId,
    idempotencyKey: id,
    createdAtMs: context.nowMs,
    ...(severity !== undefined && { severity }),
    notification,
  };
}

function toNotification({ alert, window, names, traceparent }: NotificationContext, change: Change): Notification {
  return {
    reason: change.reason,
    alert: {
      id: alert.id,
      ...(alert.name !== undefined && { name: alert.name }),
      ...(alert.message !== undefined && { message: alert.message }),
      ...(alert.note !== undefined && { note: alert.note }),
      threshold: alert.threshold,
      ...(alert.thresholdMax !== undefined && { thresholdMax: alert.thresholdMax }),
      ...(alert.recoveryThreshold !== undefined && { recoveryThreshold: alert.recoveryThreshold }),
      ...(alert.groupBy !== undefined && { groupBy: alert.groupBy }),
      ...(alert.numConsecutiveWindows !== undefined && { numConsecutiveWindows: alert.numConsecutiveWindows }),
      thresholdType: alert.thresholdType,
      interval: alert.interval,
    },
    ...watchedOfNotification(alert, names),
    group: change.group,
    value: change.value,
    window,
    firingSinceMs: change.firingSinceMs,
    ...(traceparent !== undefined && { traceparent }),
  };
}

function watchedOfNotification(alert: Alert, names: WatchedNames): Partial<Notification> {
  const watched = watchedOf(alert);
  const { source, series } = names;
  const rest = { ...(source && { source }), ...(series !== undefined && { series }) };
  if (watched.kind === 'savedSearch') return { savedSearch: named(watched.savedSearchId, names.savedSearch), ...rest };
  return { dashboard: named(watched.dashboardId, names.dashboard), tile: named(watched.tileId, names.tile), ...rest };
}

function named(id: string, name: string | undefined): { id: string; name?: string } {
  return { id, ...(name !== undefined && { name }) };
}

/** 32 hex characters: within every receiver's limit for keys. */
function digest(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}
