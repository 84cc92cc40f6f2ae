/** How a receiver reads the text of a message: what comes from data must look as it is, and do nothing. */
export interface Dialect {
  /** A value inside text that the receiver formats. */
  literal(text: string): string;
  /** Lines of events, as a block that none of them can end. */
  block(lines: readonly string[]): readonly string[];
}

const fence = '```';

function fenced(lines: readonly string[]): string[] {
  return [fence, ...lines.map((line) => line.replaceAll(fence, "'''")), fence];
}

/** Shown as it is: JSON for machines, plain text. */
export const plain: Dialect = { literal: (text) => text, block: fenced };

/**
 * Slack's mrkdwn cannot escape its markup, so look-alike characters replace it; `&`, `<` and `>` are escaped where the
 * payload is made.
 */
export const slackMarkup: Dialect = {
  literal: (text) => {
    const inert = text.replaceAll('*', '∗').replaceAll('~', '∼').replaceAll('`', 'ˋ');
    return eachLine(
      replaceUnderscores(inert, () => '＿'),
      (line) => (line.startsWith('>') ? `›${line.slice(1)}` : line),
    );
  },
  block: fenced,
};

/**
 * As `_` marks text only at the edge of a word, `http_requests_total` stays as it is. Runs are found first and their
 * neighbours looked at afterwards: a pattern for both takes quadratic time.
 */
function replaceUnderscores(text: string, replacement: (run: string) => string): string {
  return text.replace(/_+/g, (run, at: number) => (isInsideWord(text, at, at + run.length) ? run : replacement(run)));
}

/** A letter may be two UTF-16 units long. */
function isInsideWord(text: string, start: number, end: number): boolean {
  return (
    /[\p{L}\p{N}]$/u.test(text.slice(Math.max(0, start - 2), start)) && /^[\p{L}\p{N}]/u.test(text.slice(end, end + 2))
  );
}

/** CommonMark, as incident.io has it. */
export const markdown: Dialect = { literal: (text) => escapeMarkdown(text).replace(/[<>|]/g, '\\$&'), block: fenced };

/** The part of Markdown that Adaptive Cards have: no blocks of code, no HTML. */
export const cardMarkdown: Dialect = { literal: escapeMarkdown, block: (lines) => lines.map(escapeMarkdown) };

function escapeMarkdown(text: string): string {
  const inert = replaceUnderscores(text.replace(/[\\*~`[\]]/g, '\\$&'), (run) => run.replaceAll('_', '\\_'));
  return eachLine(inert, escapeLineStart);
}

/** Headings, quotes and lists: of a number it is the sign behind it that makes the list. */
function escapeLineStart(line: string): string {
  if (/^[#>+-]/.test(line)) return `\\${line}`;
  return line.replace(/^(\d{1,9})([.)])/, '$1\\$2');
}

/** Each line without the blanks before it. */
function eachLine(text: string, change: (line: string) => string): string {
  return text
    .split('\n')
    .map((line) => {
      const start = line.trimStart();
      return line.slice(0, line.length - start.length) + change(start);
    })
    .join('\n');
}
