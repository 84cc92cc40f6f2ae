/** The clock of the store ends in 2262. */
export const lastInstantMs = 9_223_372_036_854;

const zoned = /^(\d{4})-(\d{2})-(\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;

/** Unix ms of an ISO 8601 date-time with `Z` or an offset; `undefined` when the text is none, or its day does not exist. */
export function parseInstant(text: string): number | undefined {
  const [matched, year, month, day] = zoned.exec(text) ?? [];
  if (matched === undefined || !isDay(Number(year), Number(month), Number(day))) return undefined;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}

/** Unix ms of a text that is Unix milliseconds or what `parseInstant` reads; `undefined` also before 1970 and after 2262. */
export function parseInstantOrMs(text: string): number | undefined {
  const ms = /^\d{1,15}$/.test(text) ? Number(text) : parseInstant(text);
  return ms !== undefined && ms >= 0 && ms <= lastInstantMs ? ms : undefined;
}

/** `Date` itself takes 30 February for 2 March. */
function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
