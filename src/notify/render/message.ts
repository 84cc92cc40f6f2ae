import { thresholdSymbols, thresholdText } from '../../contract/threshold-text.ts';
import type { Notification, OutgoingNotification, Severity } from '../../evaluator/ports.ts';
import { parseDuration } from '../../kernel/duration.ts';
import { conditionText, valueText } from './condition-text.ts';
import { type Dialect, plain } from './dialect.ts';
import { type RenderedMessage, renderMessage } from './mentions.ts';
import { shorten } from './shorten.ts';
import { isTemplate, type Rendered, renderText, type Variables } from './templates.ts';

/** A notification in words: what every payload is made of. */
export interface Message {
  title: string;
  body: string;
  link: string;
  state: 'ALERT' | 'OK';
  severity: Severity;
  eventId: string;
  /** What people call the thing that is watched. */
  watched: string;
  /** In which times are written. */
  timezone: string;
  notification: Notification;
  /** What is wrong with the alert's own templates, a sentence each; their text was taken as it is. */
  problems: readonly string[];
}

const sampleBlockMax = 2_500;
/** Windows shown before and after the evaluated one. */
const linkMarginWindows = 7;

export interface Composition {
  /** Start of every link, without a slash at the end: where the pages of the tenant are. */
  pagesUrl: string;
  /** IANA name: the zone in which times are written. UTC when absent. */
  timezone?: string;
  /** Why the author’s templates are shown unrendered; absent: they are rendered. */
  withoutTemplates?: string;
}

export function composeMessage(
  outgoing: OutgoingNotification,
  { pagesUrl, timezone = 'UTC', withoutTemplates }: Composition,
  dialect: Dialect = plain,
): Message {
  const { notification, eventId, severity = 'error' } = outgoing;
  const { alert, reason } = notification;
  const link = linkOf(notification, pagesUrl);
  const variables = { ...textVariables(notification, timezone), severity, link };
  const asWritten = (template: string | undefined): Rendered | undefined =>
    withoutTemplates !== undefined && isTemplate(template) ? { kind: 'broken', problem: withoutTemplates } : undefined;
  const name = asWritten(alert.name) ?? (alert.name === undefined ? undefined : renderText(alert.name, variables));
  const text =
    asWritten(alert.message) ??
    (alert.message === undefined ? undefined : renderMessage(alert.message, variables, dialect));
  const problems = [problemText('name', name), problemText('message', text)];
  return {
    title: titleOf(notification, textOf(name, alert.name)),
    body: bodyOf(notification, { message: textOf(text, alert.message), timezone }, dialect),
    link,
    state: reason === 'resolved' ? 'OK' : 'ALERT',
    severity,
    eventId,
    watched: watchedText(notification),
    timezone,
    notification,
    problems: problems.filter((problem) => problem !== undefined),
  };
}

/** What the alert's message mentions beside its channels: ids or beginnings of names of webhooks. */
export function mentionsOf(notification: Notification): RenderedMessage['mentions'] {
  const { message } = notification.alert;
  if (!message?.includes('@webhook-')) return [];
  return renderMessage(message, textVariables(notification, 'UTC')).mentions;
}

function textOf(rendered: Rendered | undefined, template: string | undefined): string | undefined {
  return rendered?.kind === 'text' ? rendered.text : template;
}

function problemText(field: string, rendered: Rendered | undefined): string | undefined {
  if (rendered?.kind !== 'broken') return undefined;
  return `The alert’s ${field} is not a usable template (${rendered.problem}); it was sent unchanged.`;
}

function titleOf(notification: Notification, name: string | undefined): string {
  const sign = notification.reason === 'resolved' ? '✅' : '🚨';
  return `${sign} ${name ?? defaultTitle(notification)}`;
}

function defaultTitle(notification: Notification): string {
  const { alert, savedSearch, value, reason } = notification;
  const watched = watchedText(notification);
  if (savedSearch) return `Alert for ${watched} - ${value ?? 0} lines found`;
  return `Alert for ${watched} - ${valueText(value, alert)} ${conditionText(alert, reason === 'resolved')}`;
}

function watchedText({ dashboard, tile, savedSearch }: Notification): string {
  if (savedSearch) return `"${savedSearch.name ?? savedSearch.id}"`;
  return `"${tile?.name ?? tile?.id ?? ''}" in "${dashboard?.name ?? dashboard?.id ?? ''}"`;
}

interface Wording {
  message: string | undefined;
  timezone: string;
}

function bodyOf(notification: Notification, { message, timezone }: Wording, dialect: Dialect): string {
  const { alert, group, value, reason, window, series } = notification;
  const lines = [
    group.length > 0 && `Group: "${dialect.literal(groupText(notification))}"`,
    series !== undefined && `Series: ${dialect.literal(series)}`,
    reason === 'resolved' ? 'The alert has been resolved.' : reason === 'repeat' && 'The alert is still firing.',
    `Value: ${valueText(value, alert)} (fires when ${thresholdText(alert)})`,
    `Time Range (${timezone}): [${timeText(window.startMs, timezone)} - ${timeText(window.endMs, timezone)})`,
    message,
    ...sampleLines(notification.sampleEvents ?? [], dialect),
  ];
  return lines.filter((line): line is string => typeof line === 'string').join('\n');
}

function sampleLines(events: readonly string[], dialect: Dialect): readonly string[] {
  if (events.length === 0) return [];
  return dialect.block(shorten(events.join('\n'), sampleBlockMax).split('\n'));
}

/** Opens the dashboard around the evaluated window, or the search on it; never "now" (U-51). */
function linkOf({ dashboard, tile, savedSearch, window, alert }: Notification, pagesUrl: string): string {
  if (savedSearch) {
    const query = new URLSearchParams({ from: String(window.startMs), to: String(window.endMs), isLive: 'false' });
    return `${pagesUrl}/search/${encodeURIComponent(savedSearch.id)}?${query}`;
  }
  const marginMs = linkMarginWindows * (parseDuration(alert.interval) ?? 0);
  const query = new URLSearchParams({
    from: String(window.startMs - marginMs),
    to: String(window.endMs + marginMs),
    granularity: alert.interval,
    highlightedTileId: tile?.id ?? '',
  });
  return `${pagesUrl}/dashboards/${encodeURIComponent(dashboard?.id ?? '')}?${query}`;
}

/** `host:a, zone:b`. */
export function groupText({ group }: Notification): string {
  return group.map(({ key, value }) => `${key}:${readable(value)}`).join(', ');
}

function readable(value: string): string {
  return value === '' ? '(empty)' : value;
}

/** Fields that may have no value, so that only a misspelt one is unknown. */
const noReference = { id: null, name: null };
const noAlertFields = {
  name: null,
  message: null,
  note: null,
  thresholdMax: null,
  recoveryThreshold: null,
  numConsecutiveWindows: null,
};

function textVariables(notification: Notification, timezone: string): Variables {
  const { alert, dashboard, tile, savedSearch, value, window, group, reason, firingSinceMs } = notification;
  const watched = savedSearch ? 'saved_search' : 'tile';
  const groupBy = alert.groupBy ?? (group.map(({ key }) => key).join(', ') || null);
  return {
    alert: {
      ...noAlertFields,
      ...alert,
      source: watched,
      groupBy,
      thresholdSymbol: thresholdSymbols[alert.thresholdType],
    },
    attributes: nestedAttributes(group),
    dashboard: { ...noReference, ...dashboard },
    tile: { ...noReference, ...tile },
    savedSearch: { ...noReference, ...savedSearch },
    source: { ...noReference, ...notification.source },
    series: notification.series ?? null,
    group: groupText(notification),
    value,
    threshold: alert.threshold,
    thresholdMax: alert.thresholdMax ?? null,
    thresholdType: alert.thresholdType,
    thresholdSymbol: thresholdSymbols[alert.thresholdType],
    rule: thresholdText(alert),
    startTime: window.startMs,
    endTime: window.endMs,
    startTimeIso: new Date(window.startMs).toISOString(),
    endTimeIso: new Date(window.endMs).toISOString(),
    startTimeText: timeText(window.startMs, timezone),
    endTimeText: timeText(window.endMs, timezone),
    timezone,
    firingSince: firingSinceMs ?? null,
    granularity: alert.interval,
    isGroupedAlert: group.length > 0,
    reason,
    state: reason === 'resolved' ? 'OK' : 'ALERT',
  };
}

/** Variables of a webhook's body template: those of the text and the finished texts (contract §3.7). */
export function bodyVariables(message: Message): Variables {
  const { title, body, link, state, severity, eventId, timezone, notification } = message;
  return { ...textVariables(notification, timezone), title, body, link, state, severity, eventId };
}

/** Group values by key, and nested at the dots of keys, so that `attributes.service.name` finds `service.name`. */
function nestedAttributes(group: Notification['group']): Variables {
  const root: Record<string, unknown> = Object.create(null);
  for (const { key, value: text } of group) {
    const value = readable(text);
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
function timeText(ms: number, timezone: string): string {
  return timeFormat(timezone)
    .format(ms)
    .replace(', ', ' ')
    .replace(/\u202f/g, ' ');
}

/** Making one takes far longer than using it; there are about 400 zones. */
const timeFormats = new Map<string, Intl.DateTimeFormat>();

function timeFormat(timeZone: string): Intl.DateTimeFormat {
  const known = timeFormats.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  timeFormats.set(timeZone, made);
  return made;
}
