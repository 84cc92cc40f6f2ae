/** `find`, called once for equal arguments; failures are remembered too. For the duration of one task. */
export function onceEach<Args extends readonly unknown[], T>(
  find: (...args: Args) => Promise<T>,
): (...args: Args) => Promise<T> {
  const known = new Map<string, Promise<T>>();
  return (...args) => {
    const key = JSON.stringify(args);
    const found = known.get(key) ?? find(...args);
    known.set(key, found);
    return found;
  };
}
