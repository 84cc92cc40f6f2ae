import { collectBody } from '../collect-body.ts';
import { csvRecordEnd, joined } from '../destination/text-records.ts';
import { SourceError } from '../source-port.ts';

export interface Cut {
  /** Only of CSV, where an end is known from the text before it, they are joined. */
  parts: Uint8Array[];
  bytes: number;
  /** Nothing follows. */
  isLast: boolean;
}

export interface CutRules {
  isCsv: boolean;
  bytesMax: number;
  /** Where the first cut is, when it was planned before. */
  firstBytes?: number;
}

const newline = 0x0a;
/** A record may be larger than a batch, but not by much. */
const growthMax = 8;

/** Cuts a stream of records into pieces of at most `bytesMax`, or one record. */
export async function* cutRecords(chunks: AsyncIterable<Uint8Array>, rules: CutRules): AsyncGenerator<Cut> {
  const { isCsv, bytesMax } = rules;
  let planned = rules.firstBytes;
  let limit = planned ?? bytesMax;
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  for await (const chunk of chunks) {
    held.push(chunk);
    heldBytes += chunk.byteLength;
    while (heldBytes >= limit) {
      const text = isCsv ? joined(held) : undefined;
      if (text) held = [text];
      const end = planned ?? (text ? lastRecordEnd(text, limit) : lastLineEnd(held, limit));
      if (end === 0) {
        limit *= 2;
        if (limit > bytesMax * growthMax) throw new SourceError('rejected', 'A record of an object is too large.');
        continue;
      }
      const [parts, rest] = splitAt(held, end);
      yield { parts, bytes: end, isLast: false };
      held = rest;
      heldBytes -= end;
      planned = undefined;
      limit = bytesMax;
    }
  }
  yield { parts: isCsv ? [joined(held)] : held, bytes: heldBytes, isLast: true };
}

/** The parts before a byte and those from it on, without a copy. */
function splitAt(parts: readonly Uint8Array[], at: number): [Uint8Array[], Uint8Array[]] {
  const before: Uint8Array[] = [];
  let left = at;
  for (const [index, part] of parts.entries()) {
    if (part.length > left)
      return [
        [...before, part.subarray(0, left)],
        [part.subarray(left), ...parts.slice(index + 1)],
      ];
    before.push(part);
    left -= part.length;
  }
  return [before, []];
}

/** The end of the last line that ends within `limit`; 0 = none does. */
function lastLineEnd(parts: readonly Uint8Array[], limit: number): number {
  let from = parts.reduce((sum, { length }) => sum + length, 0);
  for (const part of parts.toReversed()) {
    from -= part.length;
    if (from >= limit) continue;
    const at = part.lastIndexOf(newline, limit - 1 - from);
    if (at >= 0) return from + at + 1;
  }
  return 0;
}

/** The same of records that may have line ends inside quotes. */
function lastRecordEnd(text: Buffer, limit: number): number {
  let end = 0;
  for (;;) {
    const next = csvRecordEnd(text, end) + 1;
    if (next === 0 || next > limit) return end;
    end = next;
  }
}

/** The whole stream. Throws `SourceError` beyond `bytesMax`. */
export function wholeOf(chunks: AsyncIterable<Uint8Array>, bytesMax: number): Promise<Buffer> {
  const mebibytes = Math.floor(bytesMax / 1024 ** 2);
  const sentence = `An object that can be read only as a whole is larger than ${mebibytes} MiB.`;
  return collectBody(chunks, bytesMax, () => new SourceError('rejected', sentence));
}
