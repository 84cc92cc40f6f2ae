import type { Notification, OutgoingNotification } from '../../evaluator/ports.ts';
import { parseDuration } from '../../kernel/duration.ts';
import { renderText, type Variables } from './templates.ts';
import { ruleText, thresholdSymbol, valueText, verdictText } from './threshold-text.ts';

/** A notification in words: what every payload is made of. */
export interface Message {
  title: string;
  body: string;
  link: string;
  state: 'ALERT' | 'OK';
  eventId: string;
  notification: Notification;
}

/** Windows shown before and after the judged one. */
const linkMarginWindows = 7;

export function composeMessage({ notification, eventId }: OutgoingNotification, publicUrl: string): Message {
  const variables = textVariables(notification);
  return {
    title: titleOf(notification, variables),
    body: bodyOf(notification, variables),
    link: linkOf(notification, publicUrl),
    state: notification.reason === 'resolved' ? 'OK' : 'ALERT',
    eventId,
    notification,
  };
}

function titleOf(notification: Notification, variables: Variables): string {
  const { alert, reason } = notification;
  const sign = reason === 'resolved' ? '✅' : '🚨';
  const name = alert.name === undefined ? undefined : (renderText(alert.name, variables) ?? alert.name);
  return `${sign} ${name ?? defaultTitle(notification)}`;
}

function defaultTitle({ alert, tile, dashboard, value, reason }: Notification): string {
  const watched = `"${tile.name ?? tile.id}" in "${dashboard.name ?? dashboard.id}"`;
  return `Alert for ${watched} - ${valueText(value, alert.threshold)} ${verdictText(alert, reason === 'resolved')}`;
}

function bodyOf(notification: Notification, variables: Variables): string {
  const { alert, group, value, reason, window } = notification;
  const message = alert.message === undefined ? undefined : (renderText(alert.message, variables) ?? alert.message);
  const lines = [
    group.length > 0 && `Group: "${groupText(notification)}"`,
    reason === 'resolved' ? 'The alert has been resolved.' : reason === 'repeat' && 'The alert is still firing.',
    `Value: ${valueText(value, alert.threshold)} (fires when ${ruleText(alert)})`,
    `Time Range (UTC): [${timeText(window.startMs)} - ${timeText(window.endMs)})`,
    message,
  ];
  return lines.filter((line): line is string => typeof line === 'string').join('\n');
}

/** Opens the dashboard around the judged window, never "now" (U-51). */
function linkOf({ dashboard, tile, window, alert }: Notification, publicUrl: string): string {
  const marginMs = linkMarginWindows * (parseDuration(alert.interval) ?? 0);
  const query = new URLSearchParams({
    from: String(window.startMs - marginMs),
    to: String(window.endMs + marginMs),
    granularity: alert.interval,
    highlightedTileId: tile.id,
  });
  return `${publicUrl.replace(/\/+$/, '')}/dashboards/${encodeURIComponent(dashboard.id)}?${query}`;
}

/** `host:a, zone:b`. */
export function groupText({ group }: Notification): string {
  return group.map(({ key, value }) => `${key}:${value}`).join(', ');
}

function textVariables(notification: Notification): Variables {
  const { alert, dashboard, tile, value, window, group, reason } = notification;
  return {
    alert: { ...alert, thresholdSymbol: thresholdSymbol(alert.thresholdType) },
    attributes: nestedAttributes(group),
    dashboard,
    tile,
    group: groupText(notification),
    value: value ?? '',
    threshold: alert.threshold,
    thresholdSymbol: thresholdSymbol(alert.thresholdType),
    startTime: window.startMs,
    endTime: window.endMs,
    granularity: alert.interval,
    isGroupedAlert: group.length > 0,
    state: reason === 'resolved' ? 'OK' : 'ALERT',
  };
}

/** Variables of a webhook's body template: those of the text and the finished texts (contract: webhook requests). */
export function bodyVariables(message: Message): Variables {
  const { title, body, link, state, eventId, notification } = message;
  return { ...textVariables(notification), title, body, link, state, eventId };
}

/** Group values by key, and nested at the dots of keys, so that `attributes.service.name` finds `service.name`. */
function nestedAttributes(group: Notification['group']): Variables {
  const root: Record<string, unknown> = Object.create(null);
  for (const { key, value } of group) {
    root[key] = value;
    const path = key.split('.');
    const last = path.pop() ?? key;
    let place = root;
    for (const name of path) place = childOf(place, name);
    place[last] ??= value;
  }
  return root;
}

function childOf(place: Record<string, unknown>, name: string): Record<string, unknown> {
  const present = place[name];
  if (isRecord(present)) return present;
  const child: Record<string, unknown> = Object.create(null);
  place[name] ??= child;
  return child;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** `Mar 17 10:10:00 PM`. */
function timeText(ms: number): string {
  return timeFormat
    .format(ms)
    .replace(', ', ' ')
    .replace(/\u202f/g, ' ');
}

const timeFormat = new Intl.DateTimeFormat('en-US', {
  timeZone: 'UTC',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});
