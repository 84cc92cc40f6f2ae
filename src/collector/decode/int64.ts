const two32 = 0x1_0000_0000;

/** The double next to the signed 64-bit number with these halves. */
export function int64ToNumber(low: number, high: number): number {
  return (high | 0) * two32 + low;
}

/** The exact decimal text of the signed 64-bit number with these halves. */
export function int64ToText(low: number, high: number): string {
  const near = int64ToNumber(low, high);
  if (Number.isSafeInteger(near)) return String(near);
  return String((BigInt(high | 0) << 32n) | BigInt(low));
}
