import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findBadRecords, type Probe } from './bad-records.ts';
import { csvRecordEnd, recordEnds } from './text-records.ts';

it('finds exactly the bad records, whether or not the engine names their rows', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 60 }), fc.boolean(), async (isBad, namesRows) => {
      const probe: Probe = async (from, to) => {
        const first = isBad.slice(from, to).indexOf(true);
        if (first < 0) return undefined;
        return { reason: `record ${from + first}`, ...(namesRows && { row: first + 1 }) };
      };
      const expected = isBad.flatMap((bad, index) => (bad ? [{ index, reason: `record ${index}` }] : []));
      expect(await findBadRecords(isBad.length, probe, 1_000)).toEqual(expected);
    }),
  );
});

it('ends one after the limit', async () => {
  const all: Probe = async () => ({ reason: 'bad', row: 1 });
  expect(await findBadRecords(1_000, all, 5)).toHaveLength(6);
});

it('records of CSV end at line ends outside quotes', () => {
  const field = fc.array(fc.constantFrom('a', '"', '\n', ',', '\r\n'), { maxLength: 6 }).map((parts) => parts.join(''));
  const quoted = field.map((text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text));
  const record = fc.array(quoted, { minLength: 1, maxLength: 3 }).map((fields) => `${fields.join(',')}\n`);
  fc.assert(
    fc.property(fc.array(record, { maxLength: 20 }), (records) => {
      const text = Buffer.from(records.join(''));
      const ends = recordEnds(text, true);
      const found = ends.map((end, index) => text.subarray(ends[index - 1] ?? 0, end).toString());
      expect(found).toEqual(records);
    }),
  );
});

it('a quote that is never closed has no end', () => {
  expect(csvRecordEnd(Buffer.from('a,"b\nc\n'), 0)).toBe(-1);
});
