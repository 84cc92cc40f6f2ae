import { csvRecordEnd } from '../destination/text-records.ts';
import { SourceError } from '../source-port.ts';

export interface Cut {
  bytes: Buffer;
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
      const text = Buffer.concat(held);
      const end = planned ?? lastRecordEnd(text, limit, isCsv);
      held = [text];
      if (end === 0) {
        limit *= 2;
        if (limit > bytesMax * growthMax) throw new SourceError('rejected', 'A record of an object is too large.');
        continue;
      }
      yield { bytes: text.subarray(0, end), isLast: false };
      held = [text.subarray(end)];
      heldBytes -= end;
      planned = undefined;
      limit = bytesMax;
    }
  }
  yield { bytes: Buffer.concat(held), isLast: true };
}

/** The end of the last record that ends within `limit`; 0 = none does. */
function lastRecordEnd(text: Buffer, limit: number, isCsv: boolean): number {
  if (!isCsv) return text.lastIndexOf(newline, limit - 1) + 1;
  let end = 0;
  for (;;) {
    const next = csvRecordEnd(text, end) + 1;
    if (next === 0 || next > limit) return end;
    end = next;
  }
}

/** The whole stream. Throws `SourceError` beyond `bytesMax`. */
export async function wholeOf(chunks: AsyncIterable<Uint8Array>, bytesMax: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.byteLength;
    if (bytes > bytesMax) {
      const mebibytes = Math.floor(bytesMax / 1024 ** 2);
      throw new SourceError('rejected', `An object that can be read only as a whole is larger than ${mebibytes} MiB.`);
    }
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}
