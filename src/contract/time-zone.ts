const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** No zone is further from UTC than this. */
const offsetMsMax = 16 * hourMs;

/** Making a formatter takes far longer than using it. */
const formatters = new Map<string, Intl.DateTimeFormat>();
const formattersMax = 1_000;

/** What is said of a name that is no time zone, after the path of the field. */
export const timeZoneRule = 'must be a name of the IANA time zone database, such as Europe/Berlin';

/** A name of the IANA database; an offset such as `+01:00` has no daylight saving and is rejected. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    formatterOf(name);
    return true;
  } catch {
    return false;
  }
}

/** How far the zone's clocks are ahead of UTC at an instant. Throws a RangeError for a time zone that is none. */
export function zoneOffsetMs(zone: string, atMs: number): number {
  const text = formatterOf(zone).format(atMs);
  const match = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(text);
  if (!match) throw new Error('an offset from UTC is not written as expected');
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = match;
  const size = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  return sign === '-' ? -size : size;
}

/**
 * The first instant at which the zone's clocks show this day (1 = 1970-01-02) or a later one: midnight, unless clocks
 * were set forward over it. If they were set back over midnight, the day begins at the first of the two.
 */
export function startOfDayMs(zone: string, day: number): number {
  const midnightMs = day * dayMs;
  let lowMs = midnightMs - offsetMsMax;
  let highMs = midnightMs + offsetMsMax;
  const before = zoneOffsetMs(zone, lowMs);
  const after = zoneOffsetMs(zone, highMs);
  if (before === after) return midnightMs - before;
  // The clocks are changed once between the two, at the first instant with another offset.
  while (highMs - lowMs > 1) {
    const middleMs = Math.floor((lowMs + highMs) / 2);
    if (zoneOffsetMs(zone, middleMs) === before) lowMs = middleMs;
    else highMs = middleMs;
  }
  return midnightMs - before < highMs ? midnightMs - before : Math.max(highMs, midnightMs - after);
}

/**
 * Where the buckets of whole local days begin that hold a part of `[startMs, endMs)`, and where the last of them ends;
 * ascending. Days are counted from 1970-01-01 in the zone, so that they are the same whatever the range.
 */
export function dayEdgesMs(zone: string, days: number, range: { startMs: number; endMs: number }): number[] {
  const edgeOf = (bucket: number): number => startOfDayMs(zone, bucket * days);
  const nearest = (atMs: number): number => Math.floor((atMs + zoneOffsetMs(zone, atMs)) / dayMs / days);
  let bucket = nearest(range.startMs) + 1;
  while (edgeOf(bucket) > range.startMs) bucket--;
  const edges = [edgeOf(bucket)];
  while ((edges.at(-1) ?? 0) < range.endMs) {
    const edge = edgeOf(++bucket);
    // A day that a zone left out has no bucket; the bucket that begins with it is that of the next.
    if (edge > (edges.at(-1) ?? 0)) edges.push(edge);
  }
  return edges;
}

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  if (formatters.size >= formattersMax) formatters.clear();
  formatters.set(timeZone, made);
  return made;
}
