import { severityNumbers, severityRanges } from '../../kernel/severity-names.ts';
import type { ByteRange } from '../decode/byte-range.ts';

const wordBytesMax = Math.max(...[...severityNumbers.keys()].map(({ length }) => length));

/** The text for a record that has a number only; `''` for 0. */
export function severityTextOf(severityNumber: number): string {
  return severityNumber === 0 ? '' : (severityRanges[(severityNumber - 1) >> 2] ?? '');
}

/** The number for a record that has only a text; 0 for an unknown word. `ERROR2` is a known name, too. */
export function severityNumberOf(bytes: Buffer, { start, end }: ByteRange): number {
  if (end - start > wordBytesMax) return 0;
  return severityNumbers.get(bytes.toString('latin1', start, end).toLowerCase()) ?? 0;
}
