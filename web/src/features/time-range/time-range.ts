import { dateText, instantOfWall, instantText } from '../../ui/instant-text.ts';

/** A range as the address holds it: `now-1h`, `now`, Unix milliseconds, or an ISO 8601 instant. */
export interface TimeRange {
  from: string;
  to: string;
}

export interface ResolvedRange {
  startMs: number;
  endMs: number;
}

const unitsMs: Record<string, number> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** Milliseconds of `5m`; 0 for what is not a duration. */
export function parseDuration(text: string): number {
  const [, count, unit = ''] = /^(\d{1,6})\s*([smhdw])$/.exec(text) ?? [];
  return Number(count ?? 0) * (unitsMs[unit] ?? 0);
}

/** @returns Unix milliseconds; `undefined` for what is not an instant */
export function parseInstant(text: string, nowMs: number): number | undefined {
  const trimmed = text.trim();
  if (trimmed === 'now') return nowMs;
  const relative = /^now\s*-\s*(\d{1,6}\s*[smhdw])$/.exec(trimmed);
  if (relative) return nowMs - parseDuration(relative[1] ?? '');
  if (/^\d{1,15}$/.test(trimmed)) return Number(trimmed);
  // In the zone of all times on the pages, unless it names its own.
  const local = /^\d{4}-\d{2}-\d{2}$/.test(trimmed) ? `${trimmed}T00:00` : trimmed.replace(' ', 'T');
  const hasZone = /(?:Z|[+-]\d{2}:?\d{2})$/i.test(local.slice('2026-01-01'.length));
  const parse = hasZone ? Date.parse : instantOfWall;
  const written = /^\d{4}-\d{2}-\d{2}/.test(trimmed) ? parse(local) : Number.NaN;
  return Number.isNaN(written) ? undefined : written;
}

/** @returns `undefined` when an end is not an instant or the range is empty */
export function resolveRange({ from, to }: TimeRange, nowMs: number): ResolvedRange | undefined {
  const startMs = parseInstant(from, nowMs);
  const endMs = parseInstant(to, nowMs);
  if (startMs === undefined || endMs === undefined || startMs >= endMs) return undefined;
  return { startMs, endMs };
}

/** What is wrong with each end of a range that `resolveRange` does not take. */
export function rangeProblems({ from, to }: TimeRange, nowMs: number): { from?: string; to?: string } {
  const [fromProblem, toProblem] = [instantProblem(from, nowMs), instantProblem(to, nowMs)];
  if (fromProblem || toProblem) {
    return { ...(fromProblem && { from: fromProblem }), ...(toProblem && { to: toProblem }) };
  }
  return resolveRange({ from, to }, nowMs) ? {} : { from: 'Must be before the end.' };
}

function instantProblem(text: string, nowMs: number): string | undefined {
  if (parseInstant(text, nowMs) !== undefined) return undefined;
  return text.trim() === '' ? 'Required.' : `“${text.trim()}” can’t be read as a time.`;
}

/** True when the range moves with the clock. */
export function isMoving({ from, to }: TimeRange): boolean {
  return from.trim().startsWith('now') || to.trim().startsWith('now');
}

export const presets: readonly (TimeRange & { label: string })[] = [
  { label: 'Last 5 minutes', from: 'now-5m', to: 'now' },
  { label: 'Last 15 minutes', from: 'now-15m', to: 'now' },
  { label: 'Last 1 hour', from: 'now-1h', to: 'now' },
  { label: 'Last 4 hours', from: 'now-4h', to: 'now' },
  { label: 'Last 12 hours', from: 'now-12h', to: 'now' },
  { label: 'Last 1 day', from: 'now-1d', to: 'now' },
  { label: 'Last 2 days', from: 'now-2d', to: 'now' },
  { label: 'Last 7 days', from: 'now-7d', to: 'now' },
  { label: 'Last 30 days', from: 'now-30d', to: 'now' },
];

const words: Record<string, string> = { s: 'second', m: 'minute', h: 'hour', d: 'day', w: 'week' };

/** The range in a person's words: `Last 1 hour`, or its two ends. */
export function describeRange(range: TimeRange, nowMs: number): string {
  const last = range.to.trim() === 'now' ? /^now\s*-\s*(\d+)\s*([smhdw])$/.exec(range.from.trim()) : null;
  if (last) return `Last ${last[1]} ${words[last[2] ?? '']}${last[1] === '1' ? '' : 's'}`;
  const ends = resolveRange(range, nowMs);
  if (!ends) return 'Choose a range';
  const isSameDay = dateText(ends.startMs) === dateText(ends.endMs);
  const start = instantText(ends.startMs);
  const end = instantText(ends.endMs);
  return `${start} – ${isSameDay ? end.slice(11) : end}`;
}

/** The range of the same length just before (-1) or after (+1). */
export function shifted({ startMs, endMs }: ResolvedRange, direction: -1 | 1): TimeRange {
  const step = (endMs - startMs) * direction;
  return { from: String(startMs + step), to: String(endMs + step) };
}

/** Twice as long, around the same middle, not beyond now. */
export function zoomedOut({ startMs, endMs }: ResolvedRange, nowMs: number): TimeRange {
  const half = Math.round((endMs - startMs) / 2);
  return { from: String(startMs - half), to: String(Math.max(Math.min(endMs + half, nowMs), endMs)) };
}

/** Choices of automatic refresh; the name is used in the URL. */
export const refreshIntervals: readonly { name: string; label: string; ms: number }[] = [
  { name: '', label: 'Off', ms: 0 },
  { name: 'live', label: 'Live', ms: 5000 },
  { name: '10s', label: '10 s', ms: 10_000 },
  { name: '30s', label: '30 s', ms: 30_000 },
  { name: '1m', label: '1 min', ms: 60_000 },
  { name: '5m', label: '5 min', ms: 300_000 },
];

/** 0 = no refresh, also for names that are none. */
export function refreshMsOf(name: string | undefined): number {
  return refreshIntervals.find((each) => each.name === name)?.ms ?? 0;
}
