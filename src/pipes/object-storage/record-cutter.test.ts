import fc from 'fast-check';
import { expect, it } from 'vitest';
import { recordCount, recordEnds } from '../destination/text-records.ts';
import { cutRecords } from './record-cutter.ts';

const line = fc.string({ maxLength: 20 }).map((text) => text.replace(/[\n"]/g, '.'));
const csvRecord = fc.array(
  fc.oneof(
    line,
    line.map((text) => `"${text}\n""${text}"`),
  ),
  { minLength: 1, maxLength: 3 },
);
const textOf = (isCsv: boolean) =>
  fc
    .tuple(fc.array(isCsv ? csvRecord.map((fields) => fields.join(',')) : line, { maxLength: 30 }), fc.boolean())
    .map(([records, isEnded]) => Buffer.from(records.join('\n') + (isEnded && records.length > 0 ? '\n' : '')));
/** The same bytes in other pieces; some are empty. */
const pieces = (text: Buffer, cuts: readonly number[]): Buffer[] => {
  const places = cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b);
  return [0, ...places].map((from, index) => text.subarray(from, places[index] ?? text.length));
};

async function* streamOf(parts: readonly Buffer[]) {
  yield* parts;
}

it.each([false, true])(
  'pieces of a stream are the text again, cut at records, in any chunks; CSV: %s',
  async (isCsv) => {
    const sizes = {
      bytesMax: fc.integer({ min: 20, max: 200 }),
      firstBytes: fc.option(fc.nat(40), { nil: undefined }),
    };
    await fc.assert(
      fc.asyncProperty(
        textOf(isCsv),
        fc.array(fc.nat(), { maxLength: 20 }),
        fc.record(sizes),
        async (text, cuts, rules) => {
          // A planned cut is where one was before: at the end of a record.
          const ends = recordEnds(text, isCsv);
          const firstBytes =
            rules.firstBytes === undefined ? undefined : ends[rules.firstBytes % Math.max(1, ends.length)];
          const found: Buffer[] = [];
          const wanted = { isCsv, bytesMax: rules.bytesMax, ...(firstBytes && { firstBytes }) };
          for await (const { parts, bytes, isLast } of cutRecords(streamOf(pieces(text, cuts)), wanted)) {
            const joined = Buffer.concat(parts);
            expect(joined).toHaveLength(bytes);
            expect(recordCount(parts, isCsv)).toBe(recordEnds(joined, isCsv).length);
            found.push(joined);
            if (!isLast) expect(ends).toContain(found.reduce((sum, { length }) => sum + length, 0));
          }
          expect(Buffer.concat(found)).toEqual(text);
          if (firstBytes !== undefined && firstBytes < text.length) expect(found[0]).toHaveLength(firstBytes);
        },
      ),
      { numRuns: 300 },
    );
  },
);
