import type { StringColumn } from './string-column.ts';

/** Beyond this many keys, comparing each with all others would cost more than a set. */
const comparedKeysMax = 32;

/** The keys of one map's open row, to find those that come twice, in a time that grows with their number only. */
export class KnownKeys {
  /** A bit for each hash that a key had. */
  #low = 0;
  #high = 0;
  #count = 0;
  #set: Set<string> | undefined;

  clear(): void {
    this.#low = 0;
    this.#high = 0;
    this.#count = 0;
    this.#set = undefined;
  }

  /** Whether the key at byte `at`, the last one of `keys`, is among those from `rowStart` on; if not, it is added. */
  has(keys: StringColumn, rowStart: number, at: number): boolean {
    const isNew = this.#noteHash(hashOf(keys, at));
    if (this.#count >= comparedKeysMax) return this.#isInSet(keys, rowStart, at);
    if (!isNew && isRepeated(keys, rowStart, at)) return true;
    this.#count++;
    return false;
  }

  #noteHash(hash: number): boolean {
    const bit = 1 << (hash & 31);
    if ((hash & 32) === 0) {
      const isNew = (this.#low & bit) === 0;
      this.#low |= bit;
      return isNew;
    }
    const isNew = (this.#high & bit) === 0;
    this.#high |= bit;
    return isNew;
  }

  #isInSet(keys: StringColumn, rowStart: number, at: number): boolean {
    const bytes = keys.view();
    if (!this.#set) {
      this.#set = new Set();
      for (let next = rowStart; next < at; next = keyEnd(keys, next)) {
        this.#set.add(bytes.toString('latin1', next, keyEnd(keys, next)));
      }
    }
    const size = this.#set.size;
    return this.#set.add(bytes.toString('latin1', at, bytes.length)).size === size;
  }
}

/** Of a key's length, its first byte and its last two: keys of one record seldom agree in all. */
function hashOf(keys: StringColumn, at: number): number {
  const end = keys.byteLength;
  const size = end - at;
  if (size < 3) return size + keys.byteAt(at + 1);
  return size + keys.byteAt(at + 1) * 5 + keys.byteAt(end - 1) * 3 + keys.byteAt(end - 2) * 7;
}

/** Keys are stored consecutively, each after its length; the last one is compared byte by byte with each of the others. */
function isRepeated(keys: StringColumn, rowStart: number, at: number): boolean {
  const length = keys.byteLength - at;
  for (let start = rowStart; start < at; ) {
    const end = keyEnd(keys, start);
    if (end - start === length && isSame(keys, start, at, length)) return true;
    start = end;
  }
  return false;
}

function isSame(keys: StringColumn, first: number, second: number, length: number): boolean {
  for (let offset = 0; offset < length; offset++) {
    if (keys.byteAt(first + offset) !== keys.byteAt(second + offset)) return false;
  }
  return true;
}

/** Where the key at `start` ends: its length is a varint. `readVarint` would allocate for each key that is compared. */
function keyEnd(keys: StringColumn, start: number): number {
  let length = 0;
  let position = start;
  for (let shift = 0; ; shift += 7) {
    const byte = keys.byteAt(position++);
    length |= (byte & 127) << shift;
    if (byte < 128) return position + length;
  }
}
