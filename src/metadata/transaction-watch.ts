import { AsyncLocalStorage } from 'node:async_hooks';
import { MetadataError } from './metadata-error.ts';

/**
 * Finds code that writes past the transaction it runs in, which would wait for itself for ever. For tests: knowing the
 * caller costs every promise of the process a little, a quarter of a small request here.
 */
export class TransactionWatch {
  readonly #running = new AsyncLocalStorage<{ ended: boolean }>();

  /** @throws MetadataError `misuse` when a transaction runs here */
  rejectInside(): void {
    if (this.#running.getStore()?.ended !== false) return;
    throw new MetadataError(
      'misuse',
      'a transaction is running here: write through the repositories that it was given',
    );
  }

  async during<T>(execute: () => Promise<T>): Promise<T> {
    const run = { ended: false };
    try {
      return await this.#running.run(run, execute);
    } finally {
      run.ended = true;
    }
  }
}
