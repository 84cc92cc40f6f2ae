const closes: (() => unknown)[] = [];

/**
 * Runs after the tests of this file, the last one first; also from inside `beforeAll`, where what `afterAll` is given
 * is never called.
 */
export function afterFile(close: () => unknown): void {
  closes.push(close);
}

export async function closeFile(): Promise<void> {
  for (let close = closes.pop(); close; close = closes.pop()) await close();
}
