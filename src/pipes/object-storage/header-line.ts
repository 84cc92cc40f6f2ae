import { csvRecordEnd } from '../destination/text-records.ts';
import { SourceError } from '../source-port.ts';

export interface Header {
  fields: string[];
  /** Of the header, its line end included. */
  bytes: number;
}

const headerBytesMax = 1024 * 1024;
const byteOrderMark = '\uFEFF';

/** The names in the first record of a text. */
export function headerOf(text: Buffer, format: { isCsv: boolean; delimiter: string }): Header {
  const start = text.subarray(0, headerBytesMax);
  const at = format.isCsv ? csvRecordEnd(start, 0) : start.indexOf('\n');
  if (at < 0 && text.length > headerBytesMax) throw new SourceError('rejected', 'The header of an object is too long.');
  const end = at < 0 ? text.length : at + 1;
  const line = text
    .toString('utf8', 0, end)
    .replace(/\r?\n$/, '')
    .replace(byteOrderMark, '');
  return { fields: format.isCsv ? csvFields(line, format.delimiter) : line.split('\t'), bytes: end };
}

function csvFields(line: string, delimiter: string): string[] {
  const fields: string[] = [];
  let at = 0;
  while (at <= line.length) {
    const isQuoted = line[at] === '"';
    const { text, end } = isQuoted ? quotedField(line, at) : plainField(line, at, delimiter);
    fields.push(text);
    at = end + 1;
  }
  return fields;
}

function plainField(line: string, at: number, delimiter: string): { text: string; end: number } {
  const end = line.indexOf(delimiter, at);
  return { text: line.slice(at, end < 0 ? line.length : end).trim(), end: end < 0 ? line.length : end };
}

function quotedField(line: string, at: number): { text: string; end: number } {
  let text = '';
  let from = at + 1;
  for (;;) {
    const quote = line.indexOf('"', from);
    if (quote < 0) return { text: text + line.slice(from), end: line.length };
    text += line.slice(from, quote);
    if (line[quote + 1] !== '"') return { text, end: quote + 1 };
    text += '"';
    from = quote + 2;
  }
}
