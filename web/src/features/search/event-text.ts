import { clockText, dateText, unreadableTime } from '../../ui/instant-text.ts';

/** How severe a line is, by whatever word its program uses. */
export type LevelTone = 'error' | 'warning' | 'info' | 'debug' | 'ok' | 'none';

export function toneOfLevel(level: string): LevelTone {
  const word = level.toLowerCase();
  if (/^(err|fatal|crit|alert|emerg|panic|status_code_error)/.test(word)) return 'error';
  if (/^warn/.test(word)) return 'warning';
  if (/^(info|notice)/.test(word)) return 'info';
  if (/^(debug|trace)/.test(word)) return 'debug';
  return /^(ok|status_code_ok)$/.test(word) ? 'ok' : 'none';
}

/** Date and time of day with the digits that the event really has: milliseconds, more where they are not zero. */
export function formatEventTime(iso: string): string {
  const atMs = Date.parse(iso);
  if (Number.isNaN(atMs)) return iso === '' ? unreadableTime : `${unreadableTime} ${iso}`;
  return `${dateText(atMs)} ${clockText(atMs, true)}.${fractionOf(iso)}`;
}

/** As `formatEventTime`, to the millisecond and without the day: where there is little room. */
export function timeOfDay(iso: string): string {
  if (Number.isNaN(Date.parse(iso))) return unreadableTime;
  return formatEventTime(iso).slice('2026-01-01 '.length, '2026-01-01 00:00:00.000'.length);
}

function fractionOf(iso: string): string {
  const digits = (/\.(\d+)/.exec(iso)?.[1] ?? '').padEnd(9, '0').slice(0, 9);
  return digits.replace(/^(\d{3})(?:0{6}|(\d{3})0{3})$/, '$1$2');
}

/** Nanoseconds since 1970, without rounding. @returns `undefined` for what is not an instant */
export function instantNs(iso: string): bigint | undefined {
  const ms = Date.parse(iso.replace(/\.\d+/, ''));
  if (Number.isNaN(ms)) return undefined;
  const digits = (/\.(\d+)/.exec(iso)?.[1] ?? '').padEnd(9, '0').slice(0, 9);
  return BigInt(ms) * 1_000_000n + BigInt(digits);
}

/** The place and the reason in the API's words: `where: missing ")" (at position 8)`. */
export interface Problem {
  path: string;
  message: string;
  position?: number;
}

export function readProblem(message: string): Problem | undefined {
  const [, path, reason, position] =
    /^(where|select\.\d+|orderBy): (.*?)(?: \(at position (\d+)\))?$/s.exec(message) ?? [];
  if (path === undefined || reason === undefined) return undefined;
  return { path, message: sentence(reason), ...(position === undefined ? {} : { position: Number(position) }) };
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
