import type { ByteRange } from '../decode/byte-range.ts';

/** Names of the ranges of four that OpenTelemetry's severity numbers form, from 1. */
const rangeNames = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'] as const;

/**
 * Words that logging libraries write, with their number in OpenTelemetry's data model (its appendix on other formats).
 * Whole words only: nothing is guessed from a body.
 */
const numbers: Readonly<Record<string, number>> = {
  trace: 1,
  verbose: 1,
  finest: 1,
  finer: 2,
  debug: 5,
  fine: 5,
  config: 8,
  info: 9,
  information: 9,
  informational: 9,
  notice: 10,
  warn: 13,
  warning: 13,
  error: 17,
  err: 17,
  severe: 17,
  crit: 21,
  critical: 21,
  alert: 19,
  fatal: 21,
  panic: 21,
  emerg: 21,
  emergency: 21,
};
const wordBytesMax = 13;

/** The text for a record that has a number only; `''` for 0. */
export function severityTextOf(severityNumber: number): string {
  return severityNumber === 0 ? '' : (rangeNames[(severityNumber - 1) >> 2] ?? '');
}

/** The number for a record that has a text only; 0 for a word that nobody agreed on. `ERROR2` is a name, too. */
export function severityNumberOf(bytes: Buffer, { start, end }: ByteRange): number {
  if (end - start > wordBytesMax) return 0;
  const word = bytes.toString('latin1', start, end).toLowerCase();
  const numbered = /^(trace|debug|info|warn|error|fatal)([2-4])$/.exec(word);
  if (numbered) return (numbers[numbered[1] ?? ''] ?? 0) + Number(numbered[2]) - 1;
  return Object.hasOwn(numbers, word) ? (numbers[word] ?? 0) : 0;
}
