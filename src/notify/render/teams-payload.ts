import { thresholdText } from '../../contract/threshold-text.ts';
import { valueText } from './condition-text.ts';
import { cardMarkdown } from './dialect.ts';
import { groupText, type Message } from './message.ts';
import { shorten } from './shorten.ts';

/** A card may have 28 kB in all. */
const titleMax = 500;
const bodyMax = 10_000;
const linesMax = 60;

/** `message` is composed for cards. The message with an Adaptive Card that workflows of Microsoft Teams take (U-47). */
export function teamsPayload(message: Message) {
  return {
    type: 'message',
    attachments: [
      { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content: cardOf(message) },
    ],
  };
}

function cardOf(message: Message) {
  const { title, body, link, state } = message;
  return {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    msteams: { width: 'Full' },
    body: [
      {
        ...textBlock(cardMarkdown.literal(shorten(title, titleMax))),
        size: 'Large',
        weight: 'Bolder',
        color: state === 'OK' ? 'Good' : 'Attention',
      },
      { type: 'FactSet', facts: factsOf(message) },
      // A line break inside a block is lost in Teams.
      ...linesOf(shorten(body, bodyMax)).map((line) => ({ ...textBlock(line), spacing: 'None' })),
    ],
    actions: [{ type: 'Action.OpenUrl', title: 'Open in Signalbox', url: link }],
  };
}

function factsOf({ state, notification }: Message) {
  const { alert, value, group } = notification;
  const facts = [
    { title: 'State', value: state },
    { title: 'Value', value: valueText(value, alert) },
    { title: 'Fires when', value: thresholdText(alert) },
  ];
  return group.length > 0
    ? [...facts, { title: 'Group', value: cardMarkdown.literal(shorten(groupText(notification), titleMax)) }]
    : facts;
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '');
  return lines.length > linesMax ? [...lines.slice(0, linesMax), '…'] : lines;
}

function textBlock(text: string) {
  return { type: 'TextBlock', text, wrap: true };
}
