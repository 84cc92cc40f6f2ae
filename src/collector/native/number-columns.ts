import { PayloadTooLargeError } from '../intake-errors.ts';
import { type Column, columnBytesMax, retainedBytesMax } from './column.ts';

const startItems = 512;

/** A column of 8-byte numbers, or one of such numbers' uses: UInt64, Float64, DateTime64(9), array offsets. */
export class Column64 implements Column {
  readonly type: string;
  #words = new Uint32Array(startItems * 2);
  #doubles = new Float64Array(this.#words.buffer);
  #items = 0;
  #savedItems = 0;

  constructor(type: string) {
    this.type = type;
  }

  get byteLength(): number {
    return this.#items * 8;
  }

  /** The number with these unsigned 32-bit halves. */
  append(low: number, high: number): void {
    if (this.#items === this.#doubles.length) this.#grow();
    const at = this.#items++ * 2;
    this.#words[at] = low;
    this.#words[at + 1] = high;
  }

  appendDouble(value: number): void {
    if (this.#items === this.#doubles.length) this.#grow();
    this.#doubles[this.#items++] = value;
  }

  collect(parts: Uint8Array[]): void {
    parts.push(new Uint8Array(this.#words.buffer, 0, this.byteLength));
  }

  clear(): void {
    this.#items = 0;
    if (this.#words.byteLength > retainedBytesMax) this.#replace(new Uint32Array(startItems * 2));
  }

  checkpoint(): void {
    this.#savedItems = this.#items;
  }

  rollback(): void {
    this.#items = this.#savedItems;
  }

  #grow(): void {
    const words = new Uint32Array(this.#words.length * 2);
    if (words.byteLength > columnBytesMax)
      throw new PayloadTooLargeError('the request has more values than one request can store');
    words.set(this.#words);
    this.#replace(words);
  }

  #replace(words: Uint32Array<ArrayBuffer>): void {
    this.#words = words;
    this.#doubles = new Float64Array(words.buffer);
  }
}

/** A column of 4-byte integers: UInt32, Int32. */
export class Column32 implements Column {
  readonly type: string;
  #words = new Uint32Array(startItems);
  #items = 0;
  #savedItems = 0;

  constructor(type: string) {
    this.type = type;
  }

  get byteLength(): number {
    return this.#items * 4;
  }

  /** The low 32 bits of `value`, `times` times. */
  append(value: number, times = 1): void {
    const end = this.#items + times;
    if (end > this.#words.length) this.#words = grown(this.#words, end);
    this.#words.fill(value, this.#items, end);
    this.#items = end;
  }

  collect(parts: Uint8Array[]): void {
    parts.push(new Uint8Array(this.#words.buffer, 0, this.byteLength));
  }

  clear(): void {
    this.#items = 0;
    if (this.#words.byteLength > retainedBytesMax) this.#words = new Uint32Array(startItems);
  }

  checkpoint(): void {
    this.#savedItems = this.#items;
  }

  rollback(): void {
    this.#items = this.#savedItems;
  }
}

/** A column of bytes: UInt8, Bool. */
export class Column8 implements Column {
  readonly type: string;
  #bytes = new Uint8Array(startItems);
  #items = 0;
  #savedItems = 0;

  constructor(type: string) {
    this.type = type;
  }

  get byteLength(): number {
    return this.#items;
  }

  /** The low 8 bits of `value`, `times` times. */
  append(value: number, times = 1): void {
    const end = this.#items + times;
    if (end > this.#bytes.length) this.#bytes = grown(this.#bytes, end);
    this.#bytes.fill(value, this.#items, end);
    this.#items = end;
  }

  collect(parts: Uint8Array[]): void {
    parts.push(this.#bytes.subarray(0, this.#items));
  }

  clear(): void {
    this.#items = 0;
    if (this.#bytes.byteLength > retainedBytesMax) this.#bytes = new Uint8Array(startItems);
  }

  checkpoint(): void {
    this.#savedItems = this.#items;
  }

  rollback(): void {
    this.#items = this.#savedItems;
  }
}

/** A copy with room for `items` and as many again as there were. */
function grown<Numbers extends Uint8Array | Uint32Array>(old: Numbers, items: number): Numbers {
  const length = Math.max(items, old.length * 2);
  const copy = old instanceof Uint32Array ? new Uint32Array(length) : new Uint8Array(length);
  copy.set(old);
  // It is of the class of `old`.
  return copy as Numbers;
}
