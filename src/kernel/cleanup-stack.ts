type Close = () => Promise<void> | void;
type OnError = (name: string, error: unknown) => void;
type Entry = { name: string; close: Close } | { branch: CleanupStack };

/** What was opened is closed in reverse order; one failing close does not keep the others open. */
export class CleanupStack {
  #entries: Entry[] = [];

  push(name: string, close: Close): void {
    this.#entries.push({ name, close });
  }

  /** A separate stack. Branches created one after the other are unwound in parallel. */
  branch(): CleanupStack {
    const branch = new CleanupStack();
    this.#entries.push({ branch });
    return branch;
  }

  /** Closes everything once; `onError` hears of each close that failed. */
  async unwind(onError: OnError): Promise<void> {
    for (let next = this.#entries.pop(); next; next = this.#entries.pop()) {
      if ('branch' in next) await this.#unwindBranches(next.branch, onError);
      else await close(next, onError);
    }
  }

  async #unwindBranches(last: CleanupStack, onError: OnError): Promise<void> {
    const branches = [last];
    for (let next = this.#entries.at(-1); next && 'branch' in next; next = this.#entries.at(-1)) {
      branches.push(next.branch);
      this.#entries.pop();
    }
    await Promise.all(branches.map((branch) => branch.unwind(onError)));
  }
}

async function close(entry: { name: string; close: Close }, onError: OnError): Promise<void> {
  try {
    await entry.close();
  } catch (error) {
    onError(entry.name, error);
  }
}
