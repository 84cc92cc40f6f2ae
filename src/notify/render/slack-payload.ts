import { slackMarkup } from './dialect.ts';
import type { Message } from './message.ts';
import { shorten } from './shorten.ts';

/** Slack rejects the whole message if a text is longer (U-46). */
const textMax = 3000;
const titleMax = 500;

/** `message` is composed for Slack. */
export function slackPayload({ title, body, link }: Message) {
  const shown = slackMarkup.literal(title);
  const linked = escapeSlack(shorten(shown.split(/[\r\n]+/).join(' '), titleMax)).replaceAll('|', '¦');
  const heading = `*<${link}|${linked}>*`;
  const room = textMax - heading.length - 1;
  return {
    // Slack reads marks in this one, too.
    text: shortenEscaped(shown, textMax),
    blocks: [{ type: 'section', text: { type: 'mrkdwn', text: `${heading}\n${shortenEscaped(body, room)}` } }],
  };
}

/** Escaping makes a text longer, so it is shortened until its escaped form fits. */
function shortenEscaped(text: string, max: number): string {
  let kept = shorten(text, max);
  while (escapeSlack(kept).length > max)
    kept = shorten(text, kept.length - Math.max(1, escapeSlack(kept).length - max));
  return escapeSlack(kept);
}

function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
