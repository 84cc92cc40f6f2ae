// The one clock of the pages: the chosen zone, which `ZoneMenu` names, and one way to write times.
import { pageZone } from './page-zone.ts';
import { offsetMs } from './zone-offset.ts';

const pair = (value: number) => String(value).padStart(2, '0');

/** Instead of numbers that mean nothing. */
export const unreadableTime = 'unreadable time';

/** An instant as all pages write it: `2026-11-28 12:05`, with seconds where it has any. */
export function instantText(at: string | number): string {
  const atMs = new Date(at).getTime();
  if (Number.isNaN(atMs)) return unreadableTime;
  const seconds = new Date(atMs).getUTCSeconds() !== 0;
  return `${dateText(atMs)} ${clockText(atMs, seconds)}`;
}

/** `2026-11-28` */
export function dateText(atMs: number): string {
  return `${onTheWall(atMs).getUTCFullYear()}-${dayText(atMs)}`;
}

/** `11-28`, beside instants of the same year. */
export function dayText(atMs: number): string {
  const wall = onTheWall(atMs);
  return `${pair(wall.getUTCMonth() + 1)}-${pair(wall.getUTCDate())}`;
}

/** `12:05`, `12:05:09` */
export function clockText(atMs: number, seconds: boolean): string {
  const wall = onTheWall(atMs);
  const minute = `${pair(wall.getUTCHours())}:${pair(wall.getUTCMinutes())}`;
  return seconds ? `${minute}:${pair(wall.getUTCSeconds())}` : minute;
}

/** A sentence of the API with its instants (ISO 8601, UTC) in the zone of the page. */
export function withLocalTimes(text: string): string {
  return text.replace(/\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z/g, (iso) => instantText(iso));
}

/** The instant at which the clocks of the page show `2026-11-28T12:05`; NaN for other texts. */
export function instantOfWall(text: string): number {
  const wallMs = Date.parse(`${text}Z`);
  if (Number.isNaN(wallMs)) return wallMs;
  const zone = pageZone();
  const [before, after] = [offsetMs(zone, wallMs - dayMs), offsetMs(zone, wallMs + dayMs)];
  // Of an hour that comes twice the first; one that is left out is as much later.
  const isAfter = offsetMs(zone, wallMs - before) !== before && offsetMs(zone, wallMs - after) === after;
  return wallMs - (isAfter ? after : before);
}

const dayMs = 86_400_000;

export interface Zone {
  /** `Europe/Berlin` */
  name: string;
  /** `UTC+1`, at this instant. */
  offset: string;
}

/** The zone of the page, or another one. */
export function zoneAt(atMs: number, name = pageZone()): Zone {
  const minutes = Math.round(offsetMs(name, atMs) / 60_000);
  const size = Math.abs(minutes);
  const hours = size === 0 ? '' : `${minutes < 0 ? '-' : '+'}${Math.floor(size / 60)}`;
  return { name, offset: `UTC${hours}${size % 60 === 0 ? '' : `:${pair(size % 60)}`}` };
}

/** A date whose fields of UTC are what the clocks of the page show. */
function onTheWall(atMs: number): Date {
  return new Date(atMs + offsetMs(pageZone(), atMs));
}
