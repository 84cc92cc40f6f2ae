import type { Column } from './column.ts';
import { Column64 } from './number-columns.ts';

/** A column of arrays: where each row's items end, then all items in a second column. */
export class ArrayColumn<Items extends Column> implements Column {
  readonly type: string;
  readonly items: Items;
  readonly #offsets = new Column64('UInt64');
  #count = 0;
  #savedCount = 0;

  constructor(items: Items) {
    this.items = items;
    this.type = `Array(${items.type})`;
  }

  get byteLength(): number {
    return this.#offsets.byteLength + this.items.byteLength;
  }

  /** Ends the row whose `items` were appended since the last row ended. */
  endRow(items: number): void {
    this.#count += items;
    this.#offsets.append(this.#count, 0);
  }

  collect(parts: Uint8Array[]): void {
    this.#offsets.collect(parts);
    this.items.collect(parts);
  }

  clear(): void {
    this.#offsets.clear();
    this.items.clear();
    this.#count = 0;
  }

  checkpoint(): void {
    this.#offsets.checkpoint();
    this.items.checkpoint();
    this.#savedCount = this.#count;
  }

  rollback(): void {
    this.#offsets.rollback();
    this.items.rollback();
    this.#count = this.#savedCount;
  }
}
