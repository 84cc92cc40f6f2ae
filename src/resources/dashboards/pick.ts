/** The object with only the named keys, in its own order; what is absent stays absent. */
export function pick<T extends object>(object: T, keys: readonly string[]): T {
  const kept = Object.entries(object).filter(([key]) => keys.includes(key));
  // The keys dropped are none of the type's own, so that the rest is still of the type.
  return Object.fromEntries(kept) as T;
}
