import { AppError } from '../../../contract/errors.ts';
import { parseInstantOrMs } from '../../../kernel/instant.ts';
import type { TimeRange } from '../../../query/chart-query.ts';

const hourMs = 3_600_000;

type InstantInput = number | string | undefined;

/** `[startTime, endTime)`; the end is now, the start an hour before it when absent. Throws `query_invalid`. */
export function readInstantRange(
  { startTime, endTime }: { startTime?: InstantInput; endTime?: InstantInput },
  nowMs: number,
): TimeRange {
  const endMs = endTime === undefined ? nowMs : readInstant('endTime', endTime);
  const startMs = startTime === undefined ? endMs - hourMs : readInstant('startTime', startTime);
  if (startMs >= endMs) throw invalid('endTime: must be later than startTime.');
  return { startMs, endMs };
}

/** Unix milliseconds. Throws `query_invalid`. */
export function readInstant(name: string, value: number | string): number {
  const ms = parseInstantOrMs(String(value));
  if (ms !== undefined) return ms;
  throw invalid(`${name}: must be Unix milliseconds or an ISO 8601 date and time with a time zone.`);
}

function invalid(text: string): AppError {
  return new AppError('query_invalid', { public: text });
}
