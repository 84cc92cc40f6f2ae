/** A number below 2^32 and where it ends. */
export interface Varint {
  value: number;
  end: number;
}

/** Reads the number at `at`; `undefined` if the bytes end first, or if it is not below 2^32 or takes over five bytes. */
export function readVarint(bytes: Uint8Array, at: number): Varint | undefined {
  let value = 0;
  let end = at;
  // Not a power: its result is a double even if small, which slows down later arithmetic.
  for (let factor = 1; factor <= 128 ** 4; factor *= 128) {
    const byte = bytes[end++];
    if (byte === undefined) return undefined;
    value += (byte & 0x7f) * factor;
    if (byte < 0x80) return value < 2 ** 32 ? { value, end } : undefined;
  }
  return undefined;
}

/** Writes a number below 2^32 at `at`, where five bytes have room, and returns where it ends. */
export function writeVarint(target: Uint8Array, at: number, value: number): number {
  let end = at;
  let rest = value;
  while (rest > 0x7f) {
    target[end++] = (rest & 0x7f) | 0x80;
    rest >>>= 7;
  }
  target[end++] = rest;
  return end;
}

/** How many bytes `writeVarint` makes of it. */
export function varintBytes(value: number): number {
  let bytes = 1;
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes++;
  return bytes;
}

/** The bytes of a number below 2^32. */
export function varintOf(value: number): Buffer {
  const bytes = Buffer.alloc(5);
  return bytes.subarray(0, writeVarint(bytes, 0, value));
}
