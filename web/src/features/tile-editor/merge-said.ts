export type Fields = Readonly<Record<string, unknown>>;

/**
 * A stored object after its form was edited. `given` is the form's state when it was opened and `said` its current
 * state; where they are equal, the stored field stays unchanged: also if absent, in another notation, or unknown to the
 * form. `undefined` in `said` removes the field.
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
