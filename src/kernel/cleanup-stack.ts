type Close = () => Promise<void> | void;

/** What was opened is closed in reverse order; one failing close does not keep the others open. */
export class CleanupStack {
  #closes: { name: string; close: Close }[] = [];

  push(name: string, close: Close): void {
    this.#closes.push({ name, close });
  }

  /** Closes everything once; `onError` hears of each close that failed. */
  async unwind(onError: (name: string, error: unknown) => void): Promise<void> {
    for (let next = this.#closes.pop(); next; next = this.#closes.pop()) {
      try {
        await next.close();
      } catch (error) {
        onError(next.name, error);
      }
    }
  }
}
