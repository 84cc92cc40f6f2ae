const zoned = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/** Unix ms of an ISO 8601 date-time with `Z` or an offset; `undefined` when the text is none. */
export function parseInstant(text: string): number | undefined {
  const ms = zoned.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}
