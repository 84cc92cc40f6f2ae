/** Lets `width` holders in at a time; the others wait in order until they are let in or give up. */
export class QueryLane {
  readonly #width: number;
  readonly #waiting = new Set<() => void>();
  #inside = 0;

  constructor(width: number) {
    this.#width = width;
  }

  /** Resolves to the function that frees the place, or to `undefined` when `signal` aborted first. */
  async enter(signal: AbortSignal): Promise<(() => void) | undefined> {
    if (signal.aborted) return undefined;
    if (this.#inside < this.#width) this.#inside++;
    else if (!(await this.#wait(signal))) return undefined;
    return () => this.#leave();
  }

  #wait(signal: AbortSignal): Promise<boolean> {
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

  /** A place that becomes free goes straight to the next in line. */
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
