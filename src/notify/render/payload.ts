import type { OutgoingNotification } from '../../evaluator/ports.ts';
import { assertNever } from '../../kernel/assert-never.ts';
import type { Webhook } from '../../resources/webhooks/webhook-repository.ts';
import { cardMarkdown, type Dialect, markdown, plain, slackMarkup } from './dialect.ts';
import { eventDetails } from './event-details.ts';
import { bodyVariables, type Composition, composeMessage, type Message } from './message.ts';
import { pagerDutyPayload } from './pagerduty-payload.ts';
import { slackPayload } from './slack-payload.ts';
import { teamsPayload } from './teams-payload.ts';
import { isTemplate, type Rendered, renderJson, renderText } from './templates.ts';

export interface Payload {
  body: string;
  contentType: string;
  /** What had to be put right about the templates: a sentence each. */
  problems: readonly string[];
}

export type Receiver = Pick<Webhook, 'service' | 'body' | 'template'> & {
  routingKey?: string;
  /** As a header of the webhook has it. */
  contentType?: string;
};

/** What the message is for a receiver that reads it in this way. */
type Compose = (dialect: Dialect) => Message;

/** The request body for one webhook. Nothing but its input has a part in it: it may be made in another thread. */
export function renderPayload(receiver: Receiver, outgoing: OutgoingNotification, composition: Composition): Payload {
  const messages = new Map<Dialect, Message>();
  const compose: Compose = (dialect) => {
    const message = messages.get(dialect) ?? composeMessage(outgoing, composition, dialect);
    messages.set(dialect, message);
    return message;
  };
  const { problem, ...payload } = payloadOf(receiver, compose, composition);
  const [first] = messages.values();
  return { ...payload, problems: [...(first?.problems ?? []), ...(problem === undefined ? [] : [problem])] };
}

interface Made {
  body: string;
  contentType: string;
  /** What is wrong with the webhook's template; the default body is used instead. */
  problem?: string;
}

function payloadOf(receiver: Receiver, compose: Compose, { withoutTemplates }: Composition): Made {
  switch (receiver.service) {
    case 'slack':
      return json(slackPayload(compose(slackMarkup)));
    case 'generic':
      return genericPayload(receiver, compose, withoutTemplates);
    case 'incidentio':
      return fromTemplate(receiver, compose, incidentPayload, withoutTemplates);
    default:
      return assertNever(receiver.service);
  }
}

function genericPayload(receiver: Receiver, compose: Compose, withoutTemplates: string | undefined): Made {
  const { template, routingKey = '' } = receiver;
  switch (template) {
    case undefined:
      return fromTemplate(receiver, compose, (composed) => defaultPayload(composed(plain)), withoutTemplates);
    case 'pagerduty':
      return json(pagerDutyPayload(compose(plain), routingKey));
    case 'msteams':
      return json(teamsPayload(compose(cardMarkdown)));
    default:
      return assertNever(template);
  }
}

function json(payload: object): Made {
  return { body: JSON.stringify(payload), contentType: 'application/json' };
}

/** A message in the default form is better than none. */
function fromTemplate(
  { body: template, contentType }: Receiver,
  compose: Compose,
  standIn: (compose: Compose) => object,
  withoutTemplates: string | undefined,
): Made {
  if (template === undefined || template === '') return json(standIn(compose));
  const isJson = contentType === undefined ? isJsonTemplate(template) : /json/i.test(contentType);
  const rendered = renderBody(template, compose, isJson, withoutTemplates);
  if (rendered.kind === 'text') {
    return { body: rendered.text, contentType: isJson ? 'application/json' : 'text/plain; charset=utf-8' };
  }
  const problem = `The webhook’s body is not a usable template (${rendered.problem}); the default body was sent.`;
  return { ...json(standIn(compose)), problem };
}

function renderBody(
  template: string,
  compose: Compose,
  isJson: boolean,
  withoutTemplates: string | undefined,
): Rendered {
  if (withoutTemplates !== undefined && isTemplate(template)) return { kind: 'broken', problem: withoutTemplates };
  return (isJson ? renderJson : renderText)(template, bodyVariables(compose(plain)));
}

/** Decided by the text around the variables: `{{title}}` alone is plain text, `{"t": "{{title}}"}` is JSON. */
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
function incidentPayload(compose: Compose) {
  const message = compose(plain);
  return {
    ...defaultPayload(message),
    status: message.state === 'OK' ? 'resolved' : 'firing',
    deduplication_key: message.eventId,
    // Read as Markdown.
    description: compose(markdown).body,
    source_url: message.link,
  };
}
