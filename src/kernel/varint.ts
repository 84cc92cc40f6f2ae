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
