import type { SilenceInput } from '../../contract/silence.ts';
import { isTimeZone, timeZoneRule } from '../../contract/time-zone.ts';
import { parseInstant } from '../../kernel/instant.ts';

const instant = 'must be an ISO 8601 date-time with Z or an offset.';

/**
 * What is wrong with a body that its schema accepts; `undefined` when nothing is. The text starts with the field.
 * Whether its alerts exist is checked where they are stored.
 */
export function silenceProblem(input: SilenceInput, nowMs: number): string | undefined {
  if (input.name.trim() === '') return 'name: must not be empty.';
  if (input.endsAt === undefined && !input.recurrence) return 'endsAt: is required without recurrence.';
  if (input.recurrence && !isTimeZone(input.recurrence.timezone)) {
    return `recurrence.timezone: ${timeZoneRule}.`;
  }
  return rangeProblem(input, nowMs);
}

function rangeProblem({ startsAt, endsAt }: SilenceInput, nowMs: number): string | undefined {
  const startMs = startsAt === undefined ? nowMs : parseInstant(startsAt);
  if (startMs === undefined) return `startsAt: ${instant}`;
  if (endsAt === undefined) return undefined;
  const endMs = parseInstant(endsAt);
  if (endMs === undefined) return `endsAt: ${instant}`;
  return endMs <= startMs ? 'endsAt: must be after startsAt.' : undefined;
}
