import { assertNever } from '../../kernel/assert-never.ts';
import type { Webhook } from '../../resources/webhooks/webhook-repository.ts';
import { bodyVariables, groupText, type Message } from './message.ts';
import { slackPayload } from './slack-payload.ts';
import { renderJson, renderText } from './templates.ts';
import { ruleText, thresholdSymbol } from './threshold-text.ts';

/** The request body for one webhook. */
export function renderPayload(webhook: Pick<Webhook, 'service' | 'body'>, message: Message): string {
  switch (webhook.service) {
    case 'slack':
      return JSON.stringify(slackPayload(message));
    case 'generic':
      return fromTemplate(webhook.body, message) ?? JSON.stringify(defaultPayload(message));
    case 'incidentio':
      return fromTemplate(webhook.body, message) ?? JSON.stringify(incidentPayload(message));
    default:
      return assertNever(webhook.service);
  }
}

/** `undefined` without a usable template: a message in the default form is better than none. */
function fromTemplate(template: string | undefined, message: Message): string | undefined {
  if (template === undefined || template === '') return undefined;
  const render = isJsonTemplate(template) ? renderJson : renderText;
  return render(template, bodyVariables(message));
}

/** Judged by what stands around the variables: `{{title}}` alone is plain text, `{"t": "{{title}}"}` is JSON. */
function isJsonTemplate(template: string): boolean {
  const around = template.replace(/\{\{.*?\}\}|\{%.*?%\}/gs, '').trimStart();
  return /^[[{"]/.test(around);
}

/** Always holds alert name, state, value, threshold, group keys and values (decisions A9). */
function defaultPayload(message: Message) {
  const { title, body, link, state, eventId, notification } = message;
  const { alert, dashboard, tile, group, value, window, reason } = notification;
  return {
    text: [title, body, link, state, window.startMs, window.endMs, eventId].join(' | '),
    title,
    body,
    link,
    state,
    reason,
    eventId,
    startTime: window.startMs,
    endTime: window.endMs,
    value,
    threshold: alert.threshold,
    ...(alert.thresholdMax !== undefined && { thresholdMax: alert.thresholdMax }),
    thresholdType: alert.thresholdType,
    thresholdSymbol: thresholdSymbol(alert.thresholdType),
    rule: ruleText(alert),
    alert: { id: alert.id, name: alert.name ?? null, interval: alert.interval, note: alert.note ?? null },
    dashboard,
    tile,
    group: Object.fromEntries(group.map(({ key, value: text }) => [key, text])),
    groupText: groupText(notification),
    firingSince: notification.firingSinceMs ?? null,
  };
}

/** The generic payload with the keys that incident.io's HTTP alert source reads. */
function incidentPayload(message: Message) {
  return {
    ...defaultPayload(message),
    status: message.state === 'OK' ? 'resolved' : 'firing',
    deduplication_key: message.eventId,
    description: message.body,
    source_url: message.link,
  };
}
