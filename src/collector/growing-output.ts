import { PayloadTooLargeError } from './intake-errors.ts';

const smallestBytes = 64 << 10;
/** Calling into the engine's own copy costs more than a few bytes do. */
const looped = 24;

/**
 * What a decompressor has written so far: it can be copied from, grows with what is written, and never holds more than
 * `limit`, so that a length that a sender only claims allocates nothing. Throws `PayloadTooLargeError` beyond it.
 */
export class GrowingOutput {
  #bytes: Buffer;
  readonly #limit: number;
  #length = 0;

  constructor(limit: number) {
    this.#limit = limit;
    this.#bytes = Buffer.allocUnsafeSlow(Math.min(limit, smallestBytes));
  }

  get length(): number {
    return this.#length;
  }

  /** Writes `source` from `start` to `end`, which lie inside of it. */
  append(source: Buffer, start: number, end: number): void {
    this.#makeRoom(end - start);
    source.copy(this.#bytes, this.#length, start, end);
    this.#length += end - start;
  }

  /** Writes `count` bytes once more that begin `distance` back; what is written meanwhile is among them. */
  repeat(distance: number, count: number): void {
    this.#makeRoom(count);
    const [bytes, start] = [this.#bytes, this.#length];
    this.#length += count;
    if (count <= looped) {
      for (let at = start; at < start + count; at++) bytes[at] = bytes[at - distance] ?? 0;
      return;
    }
    // Each round doubles what is known of the pattern.
    for (let written = 0; written < count; ) {
      const known = Math.min(distance + written, count - written);
      bytes.copyWithin(start + written, start - distance, start - distance + known);
      written += known;
    }
  }

  /** All that was written, in separate memory, so that it can be transferred to another thread without a copy. */
  take(): Buffer {
    if (this.#length === this.#bytes.length) return this.#bytes;
    const exact = Buffer.allocUnsafeSlow(this.#length);
    this.#bytes.copy(exact, 0, 0, this.#length);
    return exact;
  }

  #makeRoom(count: number): void {
    const needed = this.#length + count;
    if (needed <= this.#bytes.length) return;
    if (needed > this.#limit) throw new PayloadTooLargeError(`the body may expand to ${this.#limit} bytes`);
    const grown = Buffer.allocUnsafeSlow(Math.min(this.#limit, Math.max(needed, this.#bytes.length * 2)));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }
}
