import type { ProtobufReader } from './protobuf-reader.ts';

/** A 64-bit number as its two unsigned halves: exact, and cheaper than a BigInt. */
export class UInt64 {
  low = 0;
  high = 0;

  set(low: number, high: number): void {
    this.low = low;
    this.high = high;
  }

  /** Takes the fixed64 at the reader's position. */
  take(reader: ProtobufReader, end: number): void {
    reader.readFixed64(end);
    this.set(reader.low, reader.high);
  }
}
