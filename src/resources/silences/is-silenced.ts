import type { Recurrence, SilenceMatch } from '../../contract/silence.ts';
import type { GroupPart } from '../../evaluator/ports.ts';
import type { Silence } from './silence-repository.ts';
import { dayBefore, wallTimeAt } from './wall-clock.ts';

/** What silences look at in an alert. */
export interface Silenceable {
  id: string;
  /** Of its dashboard or saved search. */
  tags: readonly string[];
}

type Timed = Pick<Silence, 'startsAt' | 'endsAt' | 'recurrence'>;

/** Does any of the silences cover this group of the alert at this instant? */
export function isSilenced(
  silences: readonly Silence[],
  alert: Silenceable,
  group: readonly GroupPart[],
  atMs: number,
): boolean {
  return silences.some((silence) => matches(silence.match, alert, group) && isActive(silence, atMs));
}

/** From its start until its end, which is no longer in it; of a recurring one only within its windows. */
export function isActive(silence: Timed, atMs: number): boolean {
  if (atMs < Date.parse(silence.startsAt)) return false;
  if (silence.endsAt !== undefined && atMs >= Date.parse(silence.endsAt)) return false;
  return silence.recurrence === undefined || isWithin(silence.recurrence, atMs);
}

/**
 * By the clock on the wall: a window from 22:00 to 06:00 lasts an hour less in the night in which summer time begins,
 * and an hour more in the one in which it ends. A window over midnight belongs to the day on which it begins.
 */
function isWithin({ days, from, to, timezone }: Recurrence, atMs: number): boolean {
  const { day, time } = wallTimeAt(timezone, atMs);
  if (from < to) return days.includes(day) && from <= time && time < to;
  return time >= from ? days.includes(day) : time < to && days.includes(dayBefore(day));
}

/** Each list that is given must have something that fits. */
function matches(match: SilenceMatch, alert: Silenceable, group: readonly GroupPart[]): boolean {
  if (match.alertIds && !match.alertIds.includes(alert.id)) return false;
  if (match.tags && !match.tags.some((tag) => alert.tags.includes(tag))) return false;
  return (
    match.groups === undefined ||
    match.groups.some(({ key, value }) =>
      group.some((part) => part.value === value && (key === undefined || part.key === key)),
    )
  );
}
