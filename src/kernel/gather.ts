/** Settles each item by itself: one that hangs or fails does not touch the others. */
export type HandleTogether<Item, Result> = (items: readonly Item[]) => readonly Promise<Result>[];

/** Collects what is asked within one turn of the event loop and has it handled together. */
export class Gather<Item, Result> {
  readonly #handle: HandleTogether<Item, Result>;
  #waiting: { item: Item; settle: (result: Promise<Result>) => void }[] = [];

  /** `handle` answers one promise per item, in their order. */
  constructor(handle: HandleTogether<Item, Result>) {
    this.#handle = handle;
  }

  ask(item: Item): Promise<Result> {
    return new Promise((settle) => {
      this.#waiting.push({ item, settle });
      if (this.#waiting.length === 1) setImmediate(() => this.#handOver());
    });
  }

  #handOver(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    const results = handled(
      this.#handle,
      waiting.map(({ item }) => item),
    );
    waiting.forEach(({ settle }, index) => {
      settle(results[index] ?? Promise.reject(new Error('an item was handled without a result')));
    });
  }
}

/** A handler that throws at once fails every item, and nobody else. */
function handled<Item, Result>(
  handle: HandleTogether<Item, Result>,
  items: readonly Item[],
): readonly Promise<Result>[] {
  try {
    return handle(items);
  } catch (error) {
    return items.map(() => Promise.reject(error));
  }
}

/** A handler out of one that answers all items at once, and fails for all at once. */
export function allAtOnce<Item, Result>(
  handle: (items: readonly Item[]) => Promise<readonly Result[]>,
): HandleTogether<Item, Result> {
  return (items) => {
    const all = handle(items);
    return items.map(async (_, index) => {
      const results = await all;
      if (index >= results.length) throw new Error('an item was handled without a result');
      return results[index] as Result;
    });
  };
}
