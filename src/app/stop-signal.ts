/** Where the signals that ask the program to stop arrive. `process` is one. */
export interface StopSignals {
  on(event: 'SIGTERM' | 'SIGINT', listener: () => void): unknown;
}

/**
 * Aborts at the first SIGTERM or SIGINT. Without a listener a signal kills the process, so call this before anything is
 * opened; the listeners stay, so a signal that is sent twice does not cut the shutdown short.
 */
export function stopSignalFrom(source: StopSignals): AbortSignal {
  const stop = new AbortController();
  source.on('SIGTERM', () => stop.abort());
  source.on('SIGINT', () => stop.abort());
  return stop.signal;
}

/** The program was asked to stop before it had started. */
export class StartAbandoned extends Error {
  constructor() {
    super('the program was stopped while it started');
    this.name = 'StartAbandoned';
  }
}
