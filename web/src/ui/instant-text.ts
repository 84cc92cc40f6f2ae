// The one clock of the pages: the zone of the person's browser, which `ZoneName` names, and one way to write times.

const pair = (value: number) => String(value).padStart(2, '0');

/** Instead of numbers that mean nothing. */
export const unreadableTime = 'unreadable time';

/** An instant in local time, as all pages write it: `2026-11-28 12:05`, with seconds where it has any. */
export function instantText(at: string | number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return unreadableTime;
  const seconds = date.getSeconds() !== 0;
  return `${date.getFullYear()}-${dayText(date)} ${clockText(date, seconds)}`;
}

/** `11-28`, beside instants of the same year. */
export function dayText(date: Date): string {
  return `${pair(date.getMonth() + 1)}-${pair(date.getDate())}`;
}

/** `12:05`, `12:05:09` */
export function clockText(date: Date, seconds: boolean): string {
  const minute = `${pair(date.getHours())}:${pair(date.getMinutes())}`;
  return seconds ? `${minute}:${pair(date.getSeconds())}` : minute;
}

/** A sentence of the API with its instants (ISO 8601, UTC) in local time. */
export function withLocalTimes(text: string): string {
  return text.replace(/\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z/g, (iso) => instantText(iso));
}

export interface Zone {
  /** `Europe/Berlin` */
  name: string;
  /** `UTC+1`, at this instant. */
  offset: string;
}

/** The zone of the browser. */
export function zoneAt(atMs: number): Zone {
  const minutes = -new Date(atMs).getTimezoneOffset();
  const size = Math.abs(minutes);
  const hours = size === 0 ? '' : `${minutes < 0 ? '-' : '+'}${Math.floor(size / 60)}`;
  const offset = `UTC${hours}${size % 60 === 0 ? '' : `:${pair(size % 60)}`}`;
  return { name: Intl.DateTimeFormat().resolvedOptions().timeZone, offset };
}
