import { weekdays } from '../../contract/silence.ts';

export type Weekday = (typeof weekdays)[number];

/** What a clock on the wall shows. */
export interface WallTime {
  day: Weekday;
  /** `HH:MM`. */
  time: string;
}

/** Making a formatter takes far longer than using it. */
const formatters = new Map<string, Intl.DateTimeFormat>();
const formattersMax = 1_000;

/** Throws a RangeError for a time zone that is none. */
export function wallTimeAt(timezone: string, atMs: number): WallTime {
  const parts = new Map(
    formatterOf(timezone)
      .formatToParts(atMs)
      .map(({ type, value }) => [type, value]),
  );
  const day = weekdays.find((name) => name === parts.get('weekday')?.toLowerCase());
  if (!day) throw new Error('a day of the week is not written as expected');
  return { day, time: `${parts.get('hour')}:${parts.get('minute')}` };
}

export function dayBefore(day: Weekday): Weekday {
  return weekdays[(weekdays.indexOf(day) + 6) % 7] ?? day;
}

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  if (formatters.size >= formattersMax) formatters.clear();
  formatters.set(timeZone, made);
  return made;
}
