/** Where errors end up that nobody caught. `process` is one. */
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

/** Rejects with the first error that nobody caught; further ones, on the way down, change nothing. */
export function firstUncaught(source: UncaughtErrors): Promise<never> {
  const first = new Promise<never>((_, reject) => {
    const fail = (error: unknown) => reject(new UncaughtError(error));
    source.on('uncaughtException', fail);
    source.on('unhandledRejection', fail);
  });
  // Before anybody waits for it, it is no unhandled rejection itself.
  first.catch(() => undefined);
  return first;
}
