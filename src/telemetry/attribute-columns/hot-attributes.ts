import type { AttributeRead } from '../../query/attribute-reads.ts';

/** What became of the wish for a column. */
export type Offer =
  | { readonly outcome: 'made' }
  /** The table has so many rows: making the column would cost more than its lack has cost so far. */
  | { readonly outcome: 'tooSoon'; readonly rows: number }
  | { readonly outcome: 'refused' };

export interface AttributeColumnMaker {
  /** Makes the column unless that costs more than reading `rowsRead` rows did. May throw. */
  offer(read: AttributeRead, rowsRead: number): Promise<Offer>;
}

/** Below this, nobody waits for the maps. */
const rowsReadMin = 2_000_000;
const attributesMax = 1_000;

interface Use {
  rowsRead: number;
  /** When to ask next. */
  dueRows: number;
}

/**
 * Keeps account of which attributes are taken out of their maps, and has a column made for one as soon as all the
 * reading has cost about as much as making the column: whatever comes later, no more than half of the work is wasted.
 */
export class HotAttributes {
  readonly #maker: AttributeColumnMaker;
  readonly #onFailure: (error: unknown) => void;
  readonly #uses = new Map<string, Use>();
  /** One at a time: each rewrites a column of a whole table. */
  #making: Promise<void> = Promise.resolve();

  constructor(maker: AttributeColumnMaker, onFailure: (error: unknown) => void) {
    this.#maker = maker;
    this.#onFailure = onFailure;
  }

  /** A statement that read these attributes has read so many rows. */
  note(reads: readonly AttributeRead[], rowsRead: number): void {
    for (const read of reads) {
      const use = this.#useOf(read);
      use.rowsRead += rowsRead;
      if (use.rowsRead < use.dueRows) continue;
      use.dueRows = Number.POSITIVE_INFINITY;
      this.#making = this.#making.then(() => this.#offer(read, use));
    }
  }

  /** Resolves when nothing is being made. */
  settled(): Promise<void> {
    return this.#making;
  }

  #useOf(read: AttributeRead): Use {
    const key = JSON.stringify(read);
    const known = this.#uses.get(key);
    if (known) return known;
    if (this.#uses.size >= attributesMax) this.#uses.clear();
    const use = { rowsRead: 0, dueRows: rowsReadMin };
    this.#uses.set(key, use);
    return use;
  }

  async #offer(read: AttributeRead, use: Use): Promise<void> {
    try {
      const offer = await this.#maker.offer(read, use.rowsRead);
      if (offer.outcome === 'tooSoon') use.dueRows = Math.max(offer.rows, use.rowsRead);
    } catch (error) {
      use.dueRows = 2 * use.rowsRead;
      this.#onFailure(error);
    }
  }
}
