import type { AttributeRead } from '../../query/attribute-reads.ts';

/** The outcome of a request for a column. */
export type Offer =
  | { readonly outcome: 'made' }
  /** The table has this many rows: creating the column would cost more than reading the map has cost so far. */
  | { readonly outcome: 'tooSoon'; readonly rows: number }
  | { readonly outcome: 'rejected' };

export interface AttributeColumnMaker {
  /** Creates the column unless that costs more than reading `rowsRead` rows did. May throw. */
  offer(read: AttributeRead, rowsRead: number): Promise<Offer>;
}

/** Below this, reading the maps takes no noticeable time. */
const rowsReadMin = 2_000_000;
const attributesMax = 1_000;

interface Use {
  rowsRead: number;
  /** Rows read at which the next request is made. */
  dueRows: number;
}

/**
 * Tracks how often attributes are read from their maps and requests a column for one as soon as reading it has cost
 * about as much as creating the column: whatever comes later, at most half of the work is wasted.
 */
export class HotAttributes {
  readonly #maker: AttributeColumnMaker;
  readonly #onFailure: (error: unknown) => void;
  readonly #uses = new Map<string, Use>();
  /** One at a time: each rewrites a column of a whole table. */
  #pending: Promise<void> = Promise.resolve();

  constructor(maker: AttributeColumnMaker, onFailure: (error: unknown) => void) {
    this.#maker = maker;
    this.#onFailure = onFailure;
  }

  /** A statement that reads these attributes has read this many rows. */
  record(reads: readonly AttributeRead[], rowsRead: number): void {
    for (const read of reads) {
      const use = this.#useOf(read);
      use.rowsRead += rowsRead;
      if (use.rowsRead < use.dueRows) continue;
      use.dueRows = Number.POSITIVE_INFINITY;
      this.#pending = this.#pending.then(() => this.#offer(read, use));
    }
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
