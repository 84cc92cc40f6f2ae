import type { LineBody } from './line-body.ts';
import { type RecordFormat, UnreadableRecordError, type ValueBatch, type ValuePlace } from './record-format.ts';

const opening = 0x7b;
const closing = 0x7d;
/** Zero, then the number of a schema in four bytes: JSON of producers with a schema registry. */
const framingBytes = 5;
const notAnObject = 'The record is not a JSON object.';

/** JSON objects: one per record, or one per line of a record. */
export class JsonRecords implements RecordFormat {
  readonly #isFramed: boolean;
  #marks: readonly Mark[] = [];
  #returns: Mark | undefined;

  constructor(isFramed: boolean) {
    this.#isFramed = isFramed;
  }

  begin({ bytes }: ValueBatch): void {
    this.#marks = ['\n', '}{', '} {'].map((text) => new Mark(bytes, text));
    this.#returns = new Mark(bytes, '\r');
  }

  write({ bytes, start, end }: ValuePlace, prefix: string, into: LineBody): number {
    const from = this.#isFramed && bytes[start] === 0 ? start + framingBytes : start;
    const first = skipSpace(bytes, from, end);
    const last = skipSpaceBack(bytes, first, end);
    if (first >= end || bytes[first] !== opening || bytes[last - 1] !== closing)
      throw new UnreadableRecordError(notAnObject);
    if (this.#marks.some((mark) => mark.isWithin(first, last))) {
      return writeSeveral({ bytes, start: first, end: last }, prefix, into);
    }
    const hasBreaks = this.#returns?.isWithin(first, last) ?? true;
    writeObject({ bytes, start: first, end: last }, { prefix, hasBreaks }, into);
    return 1;
  }
}

/** Where a text comes next, so that a batch is searched once and not record by record. */
class Mark {
  readonly #bytes: Buffer;
  readonly #text: string;
  #next: number;

  constructor(bytes: Buffer, text: string) {
    this.#bytes = bytes;
    this.#text = text;
    this.#next = this.#find(0);
  }

  /** Asked in the order of records. */
  isWithin(start: number, end: number): boolean {
    if (this.#next < start) this.#next = this.#find(start);
    return this.#next < end;
  }

  #find(from: number): number {
    const at = this.#bytes.indexOf(this.#text, from);
    return at < 0 ? Number.POSITIVE_INFINITY : at;
  }
}

/** One object over several lines, or several objects, one per line. */
function writeSeveral({ bytes, start, end }: ValuePlace, prefix: string, into: LineBody): number {
  if (isObject(bytes.toString('utf8', start, end))) {
    writeObject({ bytes, start, end }, { prefix, hasBreaks: true }, into);
    return 1;
  }
  const lines: [number, number][] = [];
  for (let from = start; from < end; ) {
    const newline = bytes.indexOf(0x0a, from);
    const to = newline < 0 ? end : Math.min(newline, end);
    const first = skipSpace(bytes, from, to);
    if (first < to) lines.push([first, to]);
    from = to + 1;
  }
  if (!lines.every(([from, to]) => isObject(bytes.toString('utf8', from, to)))) {
    throw new UnreadableRecordError('The record is neither a JSON object nor one JSON object per line.');
  }
  for (const [from, to] of lines) writeObject({ bytes, start: from, end: to }, { prefix, hasBreaks: true }, into);
  return lines.length;
}

function writeObject(
  { bytes, start, end }: ValuePlace,
  { prefix, hasBreaks }: { prefix: string; hasBreaks: boolean },
  into: LineBody,
): void {
  let from = start;
  if (prefix !== '') {
    const isEmpty = bytes[skipSpace(bytes, start + 1, end)] === closing;
    into.text(`{${prefix}${isEmpty ? '' : ','}`);
    from += 1;
  }
  // What has no line breaks need not be looked at byte by byte.
  if (hasBreaks) into.copyInLine(bytes, from, end);
  else into.copy(bytes, from, end);
  into.endLine();
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

function skipSpace(bytes: Buffer, start: number, end: number): number {
  let at = start;
  while (at < end && isSpace(bytes[at])) at++;
  return at;
}

function skipSpaceBack(bytes: Buffer, start: number, end: number): number {
  let at = end;
  while (at > start && isSpace(bytes[at - 1])) at--;
  return at;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
