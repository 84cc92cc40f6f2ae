import type { TelemetryError } from '../../telemetry/ports.ts';
import type { ReadFailure } from './bad-records.ts';

/** ClickHouse error codes that blame the data of an insert, not the statement, the table or the server. */
const dataCodes: ReadonlySet<number | undefined> = new Set([
  6, 8, 10, 25, 26, 27, 32, 33, 38, 41, 53, 69, 70, 72, 107, 117, 130, 131, 321, 349, 376, 407, 441, 467, 469, 542, 563,
  611, 636, 654, 675, 691, 1001,
]);
const reasonCharsMax = 500;

/** What the error says about the records, without the engine's own places; `undefined` when it is about something else. */
export function readFailureOf({ engineCode, message }: TelemetryError): ReadFailure | undefined {
  if (!dataCodes.has(engineCode)) return undefined;
  const row = /\(at row (\d+)\)/.exec(message)?.[1];
  return { reason: reasonOf(message), ...(row !== undefined && { row: Number(row) }) };
}

function reasonOf(message: string): string {
  const text = message.replaceAll(/Code: \d+\. DB::(?:\w+:)*(?:Exception|ParsingException): /g, '');
  const ends = [': (at row', '(at row', ': (in file', '(in file', ': While executing', ': data for INSERT', '\n', '. (']
    .map((mark) => text.indexOf(mark))
    .filter((at) => at > 0);
  const reason = text.slice(0, Math.min(text.length, ...ends)).trim();
  // What follows the bad value is the rest of the batch; the engine writes line ends as \n.
  return (
    reason.replace(/( before: '(?:(?!\\n).){0,80}).*$/s, '$1…').slice(0, reasonCharsMax) || 'The record cannot be read.'
  );
}
