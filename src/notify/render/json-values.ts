/** A name in a template that is not known; shown as written. */
export class UnknownVariable {
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  toString(): string {
    return `{{${this.#name}}}`;
  }
}

const start = '\uE002';
const end = '\uE003';
export const valueMarks = /[\uE002\uE003]/g;
const marked = /\uE002([^\uE002\uE003]*)\uE003/g;
const unknownSign = '?';

/** Marks a value in the text of a JSON template, until it is known whether it is inside quotes. */
export function markValue(value: unknown): string {
  if (value instanceof UnknownVariable) return `${start}${unknownSign}${value}${end}`;
  // What a template captured has marks already.
  const settled = typeof value === 'string' ? value.replace(marked, (_all, json: string) => textOf(json)) : value;
  return `${start}${JSON.stringify(settled ?? null).replace(valueMarks, escapeMark)}${end}`;
}

/** Inserts each value at its mark: escaped inside quotes, else as a JSON value. */
export function settleValues(text: string): string {
  let inString = false;
  let from = 0;
  let settled = '';
  for (const found of text.matchAll(marked)) {
    const between = text.slice(from, found.index);
    inString = isInStringAfter(between, inString);
    settled += between + (inString ? JSON.stringify(textOf(found[1] ?? '')).slice(1, -1) : jsonOf(found[1] ?? ''));
    from = found.index + found[0].length;
  }
  return settled + text.slice(from);
}

function isInStringAfter(text: string, before: boolean): boolean {
  let inString = before;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\' && inString) at += 1;
    else if (text[at] === '"') inString = !inString;
  }
  return inString;
}

function textOf(json: string): string {
  if (json.startsWith(unknownSign)) return json.slice(1);
  const value: unknown = JSON.parse(json);
  if (value === null) return '';
  return typeof value === 'string' ? value : json;
}

/** A text that reads like a number or a word of JSON was meant as one: filters make texts. */
function jsonOf(json: string): string {
  if (json.startsWith(unknownSign)) return 'null';
  const value: unknown = JSON.parse(json);
  return typeof value === 'string' && /^(-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?|true|false|null)$/.test(value)
    ? value
    : json;
}

function escapeMark(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16)}`;
}
