import { UInt64 } from './uint64.ts';

const two32 = 0x1_0000_0000n;
/** The tables keep whole seconds as DateTime beside the nanoseconds; it ends at 2106-02-07T06:28:15Z. */
const lastNano = 4_294_967_295_999_999_999n;
const lastHigh = Number(lastNano / two32);
const lastLow = Number(lastNano % two32);

export const unstorableTime = 'a time is at most 2106-02-07T06:28:15Z';

/** Unix time in nanoseconds. */
export class UnixNano extends UInt64 {
  /** OTLP: 0 means unknown or missing. */
  get isMissing(): boolean {
    return this.low === 0 && this.high === 0;
  }

  get isStorable(): boolean {
    return isStorableTime(this.low, this.high);
  }

  setLargestStorable(): void {
    this.set(lastLow, lastHigh);
  }

  isBefore(other: UnixNano): boolean {
    return this.high < other.high || (this.high === other.high && this.low < other.low);
  }

  setMilliseconds(unixMs: number): void {
    const nano = BigInt(unixMs) * 1_000_000n;
    this.set(Number(nano % two32), Number(nano / two32));
  }
}

export function isStorableTime(low: number, high: number): boolean {
  return high < lastHigh || (high === lastHigh && low <= lastLow);
}
