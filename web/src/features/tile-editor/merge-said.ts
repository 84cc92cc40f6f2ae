export type Fields = Readonly<Record<string, unknown>>;

/**
 * A stored object after its form was edited. `given` is what the form said of it when it was opened and `said` what it
 * says now; where they are equal nobody changed anything, and the stored field stays as it is: also absent, also written
 * in another way, also unknown to the form. `undefined` in `said` takes the field away.
 */
export function mergeSaid(stored: Fields, given: Fields, said: Fields): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...stored };
  for (const key of new Set([...Object.keys(given), ...Object.keys(said)])) {
    if (JSON.stringify(given[key]) === JSON.stringify(said[key])) continue;
    if (said[key] === undefined) delete merged[key];
    else merged[key] = said[key];
  }
  return merged;
}

/** Blank text is not said. */
export function unlessBlank(text: string): string | undefined {
  return text.trim() === '' ? undefined : text;
}
