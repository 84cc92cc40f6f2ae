/** Settles each item independently: one that hangs or fails does not affect the others. */
export type HandleBatch<Item, Result> = (items: readonly Item[]) => readonly Promise<Result>[];

/** Collects the items added within one turn of the event loop and handles them as one batch. */
export class Batcher<Item, Result> {
  readonly #handle: HandleBatch<Item, Result>;
  #waiting: { item: Item; settle: (result: Promise<Result>) => void }[] = [];

  /** `handle` returns one promise per item, in the order of the items. */
  constructor(handle: HandleBatch<Item, Result>) {
    this.#handle = handle;
  }

  add(item: Item): Promise<Result> {
    return new Promise((settle) => {
      this.#waiting.push({ item, settle });
      if (this.#waiting.length === 1) setImmediate(() => this.#flush());
    });
  }

  #flush(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    const results = handled(
      this.#handle,
      waiting.map(({ item }) => item),
    );
    waiting.forEach(({ settle }, index) => {
      settle(results[index] ?? Promise.reject(new Error('the batch has no result for an item')));
    });
  }
}

/** A handler that throws synchronously fails every item of its batch, and no other. */
function handled<Item, Result>(handle: HandleBatch<Item, Result>, items: readonly Item[]): readonly Promise<Result>[] {
  try {
    return handle(items);
  } catch (error) {
    return items.map(() => Promise.reject(error));
  }
}

/** A handler made of one call that answers the whole batch, and fails as a whole. */
export function asOneCall<Item, Result>(
  handle: (items: readonly Item[]) => Promise<readonly Result[]>,
): HandleBatch<Item, Result> {
  return (items) => {
    const all = handle(items);
    return items.map(async (_, index) => {
      const results = await all;
      if (index >= results.length) throw new Error('the batch has no result for an item');
      // There is one; it may be undefined only where `Result` may.
      return results[index] as Result;
    });
  };
}
