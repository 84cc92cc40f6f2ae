import { assertNever } from '../../kernel/assert-never.ts';
import type { Webhook } from '../../resources/webhooks/webhook-repository.ts';
import { eventDetails } from './event-details.ts';
import { bodyVariables, type Message } from './message.ts';
import { pagerDutyPayload } from './pagerduty-payload.ts';
import { slackPayload } from './slack-payload.ts';
import { teamsPayload } from './teams-payload.ts';
import { renderJson, renderText } from './templates.ts';

export interface Payload {
  body: string;
  /** What is wrong with the webhook's template; the default body stands in for it. */
  fault?: string;
}

type Receiver = Pick<Webhook, 'service' | 'body' | 'template'> & { routingKey?: string };

/** The request body for one webhook. */
export function renderPayload(receiver: Receiver, message: Message): Payload {
  switch (receiver.service) {
    case 'slack':
      return { body: JSON.stringify(slackPayload(message)) };
    case 'generic':
      return genericPayload(receiver, message);
    case 'incidentio':
      return fromTemplate(receiver.body, message, incidentPayload);
    default:
      return assertNever(receiver.service);
  }
}

function genericPayload({ template, body, routingKey = '' }: Receiver, message: Message): Payload {
  switch (template) {
    case undefined:
      return fromTemplate(body, message, defaultPayload);
    case 'pagerduty':
      return { body: JSON.stringify(pagerDutyPayload(message, routingKey)) };
    case 'msteams':
      return { body: JSON.stringify(teamsPayload(message)) };
    default:
      return assertNever(template);
  }
}

/** A message in the default form is better than none. */
function fromTemplate(template: string | undefined, message: Message, standIn: (message: Message) => object): Payload {
  if (template === undefined || template === '') return { body: JSON.stringify(standIn(message)) };
  const render = isJsonTemplate(template) ? renderJson : renderText;
  const rendered = render(template, bodyVariables(message));
  if (rendered.kind === 'text') return { body: rendered.text };
  const fault = `The webhook’s body is no usable template (${rendered.fault}); the default body was sent.`;
  return { body: JSON.stringify(standIn(message)), fault };
}

/** Judged by what stands around the variables: `{{title}}` alone is plain text, `{"t": "{{title}}"}` is JSON. */
function isJsonTemplate(template: string): boolean {
  let rest = template.trimStart();
  for (let tag = closeOf(rest); tag !== undefined; tag = closeOf(rest)) rest = rest.slice(tag).trimStart();
  return /^[[{"]/.test(rest);
}

/** Where the tag ends that the text starts with; `undefined` when it starts with none. */
function closeOf(text: string): number | undefined {
  const close = text.startsWith('{{') ? '}}' : text.startsWith('{%') ? '%}' : undefined;
  const end = close === undefined ? -1 : text.indexOf(close, 2);
  return end < 0 ? undefined : end + 2;
}

function defaultPayload(message: Message) {
  const { title, body, link, state, eventId, notification } = message;
  const { startMs, endMs } = notification.window;
  return {
    text: [title, body, link, state, startMs, endMs, eventId].join(' | '),
    title,
    body,
    link,
    eventId,
    ...eventDetails(message),
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
