const newline = 0x0a;
const quote = 0x22;

/** Where each record of a text ends, its line end included. The last one may lack its line end. */
export function recordEnds(text: Buffer, isCsv: boolean): number[] {
  const ends: number[] = [];
  let from = 0;
  while (from < text.length) {
    const at = isCsv ? csvRecordEnd(text, from) : text.indexOf(newline, from);
    const end = at < 0 ? text.length : at + 1;
    ends.push(end);
    from = end;
  }
  return ends;
}

/** How many records a text in parts has; the last one may lack its line end. */
export function recordCount(parts: readonly Uint8Array[], isCsv: boolean): number {
  return isCsv ? recordEnds(joined(parts), true).length : lineCount(parts);
}

/** One text; of a single part without a copy. */
export function joined(parts: readonly Uint8Array[]): Buffer {
  const [only] = parts;
  if (!only || parts.length > 1) return Buffer.concat(parts);
  return Buffer.from(only.buffer, only.byteOffset, only.byteLength);
}

function lineCount(parts: readonly Uint8Array[]): number {
  let count = 0;
  for (const part of parts) {
    for (let at = part.indexOf(newline); at >= 0; at = part.indexOf(newline, at + 1)) count += 1;
  }
  const last = parts.findLast(({ length }) => length > 0)?.at(-1);
  return last === undefined || last === newline ? count : count + 1;
}

/** Position of the line end that ends the record which starts at `from`: not one inside quotes; -1 = there is none. */
export function csvRecordEnd(text: Buffer, from: number): number {
  let end = text.indexOf(newline, from);
  let quoted = text.indexOf(quote, from);
  while (quoted >= 0 && end >= 0 && quoted < end) {
    // Two quotes inside quotes are one that is written: leaving and entering again comes to the same.
    const closing = text.indexOf(quote, quoted + 1);
    if (closing < 0) return -1;
    if (closing > end) end = text.indexOf(newline, closing + 1);
    quoted = text.indexOf(quote, closing + 1);
  }
  return end;
}
