import { createHash } from 'node:crypto';
import type { TimeRange } from '../query/chart-query.ts';
import type { Alert } from '../resources/alerts/alert.ts';
import type { Notification, OutgoingNotification } from './ports.ts';
import { type Change, groupKey } from './transition.ts';

interface Told {
  tenantId: string;
  alert: Alert;
  window: TimeRange;
  names: { dashboard?: string; tile?: string };
  nowMs: number;
}

/** One message per change and channel. */
export function toOutgoing(told: Told, changes: readonly Change[]): OutgoingNotification[] {
  return changes.flatMap((change) => {
    const notification = toNotification(told, change);
    return told.alert.channels.map((channel) => outgoing(told, notification, channel));
  });
}

function outgoing(told: Told, notification: Notification, channel: Alert['channels'][number]): OutgoingNotification {
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
    dashboard: { id: alert.dashboardId, ...(names.dashboard !== undefined && { name: names.dashboard }) },
    tile: { id: alert.tileId, ...(names.tile !== undefined && { name: names.tile }) },
    group: change.group,
    value: change.value,
    window,
    firingSinceMs: change.firingSinceMs,
  };
}

/** 32 hex characters: within every receiver's limit for keys. */
function digest(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}
