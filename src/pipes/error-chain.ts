/** The error, its causes and what it is an aggregate of. */
export function chainOf(error: unknown, depth = 0): unknown[] {
  if (!(error instanceof Error) || depth > 8) return [];
  const parts = error instanceof AggregateError ? error.errors : [];
  return [error, ...parts.flatMap((part: unknown) => chainOf(part, depth + 1)), ...chainOf(error.cause, depth + 1)];
}
