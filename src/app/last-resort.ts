/** Emits uncaught errors; `process` is one. */
export interface UncaughtErrors {
  on(event: 'uncaughtException' | 'unhandledRejection', listener: (error: unknown) => void): unknown;
}

/** What the program knows is in doubt after this, so it is to be ended in order. */
export class UncaughtError extends Error {
  constructor(cause: unknown) {
    super('uncaught error', { cause });
    this.name = 'UncaughtError';
  }
}

/** Rejects with the first uncaught error; later ones, during the shutdown, change nothing. */
export function firstUncaught(source: UncaughtErrors): Promise<never> {
  const first = new Promise<never>((_, reject) => {
    const fail = (error: unknown) => reject(new UncaughtError(error));
    source.on('uncaughtException', fail);
    source.on('unhandledRejection', fail);
  });
  // Keeps it from being an unhandled rejection itself before it is awaited.
  first.catch(() => undefined);
  return first;
}
