/**
 * Rejects values that the stores would not keep unchanged: libsql ends the process on a boolean and cuts text at
 * NUL, PostgreSQL rejects NUL. Returns a copy, because both drivers want a mutable array.
 *
 * @throws TypeError naming the position of the value, never the value itself
 */
export function checkBoundValues(values: readonly unknown[]): unknown[] {
  return values.map((value, index) => {
    const problem = problemOf(value);
    if (problem) throw new TypeError(`value ${index + 1} of the statement ${problem}`);
    return value;
  });
}

function problemOf(value: unknown): string | undefined {
  if (value === null || typeof value === 'bigint') return undefined;
  if (typeof value === 'string') return value.includes('\0') ? 'contains NUL' : undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'is not a finite number';
  return `is of type ${typeof value}; text, numbers and null are allowed`;
}

/** Free text as a column value: a NUL, which no store keeps, becomes the replacement character. */
export function columnText(text: string): string {
  return text.replaceAll('\0', '\uFFFD');
}
