import type { Column } from './column.ts';
import { KnownKeys } from './known-keys.ts';
import { Column64 } from './number-columns.ts';
import { StringColumn } from './string-column.ts';

/** A column of attribute maps: where each row's entries end, then all keys, then all values. */
export class MapColumn implements Column {
  readonly type = 'Map(String, String)';
  readonly keys = new StringColumn();
  readonly values = new StringColumn();
  readonly #offsets = new Column64('UInt64');
  #entries = 0;
  #last = { entries: 0, keysStart: 0, valuesStart: 0 };
  #open = { keysStart: 0, valuesStart: 0 };
  #savedEntries = 0;
  readonly #known = new KnownKeys();

  get byteLength(): number {
    return this.#offsets.byteLength + this.keys.byteLength + this.values.byteLength;
  }

  /** Starts an entry of the open row; `false` when the row has this key already, and nothing was appended. */
  appendKey(source: Buffer, start: number, end: number): boolean {
    const at = this.keys.byteLength;
    this.keys.append(source, start, end);
    if (!this.#known.has(this.keys, this.#open.keysStart, at)) return true;
    this.keys.truncate(at);
    return false;
  }

  /** Ends the row whose `entries` keys and values were appended since the last row ended. */
  endRow(entries: number): void {
    const last = this.#last;
    const open = this.#open;
    this.#known.clear();
    last.entries = entries;
    last.keysStart = open.keysStart;
    last.valuesStart = open.valuesStart;
    open.keysStart = this.keys.byteLength;
    open.valuesStart = this.values.byteLength;
    this.#entries += entries;
    this.#offsets.append(this.#entries, 0);
  }

  /** Appends the last row again, `times` times. */
  repeatLast(times: number): void {
    if (times === 0) return;
    const last = this.#last;
    const { entries, keysStart, valuesStart } = last;
    const keysBytes = this.keys.byteLength - keysStart;
    const valuesBytes = this.values.byteLength - valuesStart;
    this.keys.repeatFrom(keysStart, times);
    this.values.repeatFrom(valuesStart, times);
    last.keysStart = this.keys.byteLength - keysBytes;
    last.valuesStart = this.values.byteLength - valuesBytes;
    for (let row = 0; row < times; row++) {
      this.#entries += entries;
      this.#offsets.append(this.#entries, 0);
    }
    this.#open.keysStart = this.keys.byteLength;
    this.#open.valuesStart = this.values.byteLength;
  }

  collect(parts: Uint8Array[]): void {
    this.#offsets.collect(parts);
    this.keys.collect(parts);
    this.values.collect(parts);
  }

  clear(): void {
    this.#offsets.clear();
    this.keys.clear();
    this.values.clear();
    this.#known.clear();
    this.#entries = 0;
    this.#last = { entries: 0, keysStart: 0, valuesStart: 0 };
    this.#open = { keysStart: 0, valuesStart: 0 };
  }

  checkpoint(): void {
    this.#offsets.checkpoint();
    this.keys.checkpoint();
    this.values.checkpoint();
    this.#savedEntries = this.#entries;
  }

  rollback(): void {
    this.#known.clear();
    this.#offsets.rollback();
    this.keys.rollback();
    this.values.rollback();
    this.#entries = this.#savedEntries;
    this.#open.keysStart = this.keys.byteLength;
    this.#open.valuesStart = this.values.byteLength;
  }
}
