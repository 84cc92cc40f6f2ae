import { thresholdSymbols, thresholdText } from '../../contract/threshold-text.ts';
import { groupText, type Message } from './message.ts';

/** What machines read of a message. Always holds alert name, state, value, threshold, group keys and values (decisions A9). */
export function eventDetails({ state, severity, notification }: Message) {
  const { alert, dashboard, tile, savedSearch, group, value, window, reason } = notification;
  return {
    state,
    reason,
    severity,
    startTime: window.startMs,
    endTime: window.endMs,
    value,
    threshold: alert.threshold,
    ...(alert.thresholdMax !== undefined && { thresholdMax: alert.thresholdMax }),
    thresholdType: alert.thresholdType,
    thresholdSymbol: thresholdSymbols[alert.thresholdType],
    rule: thresholdText(alert),
    alert: { id: alert.id, name: alert.name ?? null, interval: alert.interval, note: alert.note ?? null },
    ...(dashboard && { dashboard }),
    ...(tile && { tile }),
    ...(savedSearch && { savedSearch }),
    group: Object.fromEntries(group.map(({ key, value: text }) => [key, text])),
    groupText: groupText(notification),
    firingSince: notification.firingSinceMs ?? null,
  };
}
