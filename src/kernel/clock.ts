/** Time as an argument: everything that asks "what time is it" or "wake me later" gets one of these. */
export interface Clock {
  /** Unix time in milliseconds. */
  nowMs(): number;
  /** Calls `wake` once after `delayMs`; the returned function cancels it. The timer does not keep the process alive. */
  after(delayMs: number, wake: () => void): () => void;
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  after(delayMs, wake) {
    const timer = setTimeout(wake, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Resolves after `delayMs`, or as soon as `signal` aborts. */
export function delay(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const cancel = clock.after(delayMs, done);
    signal?.addEventListener('abort', done, { once: true });
    function done(): void {
      cancel();
      signal?.removeEventListener('abort', done);
      resolve();
    }
  });
}
