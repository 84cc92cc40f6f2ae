/** Where the signals that ask the program to stop arrive. `process` is one. */
export interface StopSignals {
  on(event: 'SIGTERM' | 'SIGINT', listener: () => void): unknown;
}

/**
 * Resolves at the first SIGTERM or SIGINT. Without a listener a signal kills the process, so call this before anything
 * is opened; the listeners stay, so a signal that is sent twice does not cut the shutdown short.
 */
export function firstStopSignal(source: StopSignals): Promise<void> {
  return new Promise((resolve) => {
    source.on('SIGTERM', resolve);
    source.on('SIGINT', resolve);
  });
}
