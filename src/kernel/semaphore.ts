/** Gives a place back; to be called once. */
export type Release = () => void;

/** Admits `width` holders at a time; the others wait in order until they are admitted or cancel. */
export class Semaphore {
  readonly #width: number;
  readonly #waiting = new Set<() => void>();
  #inside = 0;

  constructor(width: number) {
    this.#width = width;
  }

  /** No holders, and therefore no waiters. */
  get isIdle(): boolean {
    return this.#inside === 0;
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    const release = await this.acquire();
    try {
      return await task();
    } finally {
      release();
    }
  }

  async acquire(): Promise<Release> {
    if (this.#inside < this.#width) this.#inside++;
    else await new Promise<void>((resolve) => this.#waiting.add(resolve));
    return () => this.#leave();
  }

  /** As `acquire`; resolves to `undefined` when `signal` aborts first. */
  async acquireUnless(signal: AbortSignal): Promise<Release | undefined> {
    if (signal.aborted) return undefined;
    if (this.#inside < this.#width) this.#inside++;
    else if (!(await this.#waitUnless(signal))) return undefined;
    return () => this.#leave();
  }

  #waitUnless(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const giveUp = () => {
        this.#waiting.delete(letIn);
        resolve(false);
      };
      const letIn = () => {
        signal.removeEventListener('abort', giveUp);
        resolve(true);
      };
      this.#waiting.add(letIn);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  /** A place that becomes free goes straight to the next in line, so that no newcomer can slip in between. */
  #leave(): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#inside--;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
