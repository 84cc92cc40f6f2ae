import { parseInstantOrMs } from '../../kernel/instant.ts';
import type { TimeRange } from '../../query/chart-query.ts';
import { rejection } from './source-tables.ts';

const hourMs = 3_600_000;

type InstantInput = number | string | undefined;

/** `[startTime, endTime)`; the end is now, the start an hour before it when absent. Throws `query_invalid`. */
export function readRange(
  { startTime, endTime }: { startTime?: InstantInput; endTime?: InstantInput },
  nowMs: number,
): TimeRange {
  const endMs = endTime === undefined ? nowMs : readInstant('endTime', endTime);
  const startMs = startTime === undefined ? endMs - hourMs : readInstant('startTime', startTime);
  if (startMs >= endMs) throw rejection('endTime: must be later than startTime.');
  return { startMs, endMs };
}

function readInstant(name: string, value: number | string): number {
  const ms = parseInstantOrMs(String(value));
  if (ms !== undefined) return ms;
  throw rejection(`${name}: must be Unix milliseconds or an ISO 8601 date and time with a time zone.`);
}
