import type { ProtobufReader } from './protobuf-reader.ts';

/** A part of the payload, remembered while a record is scanned and read when its row is written. Empty = absent. */
export class ByteRange {
  start = 0;
  end = 0;

  get length(): number {
    return this.end - this.start;
  }

  clear(): void {
    this.start = 0;
    this.end = 0;
  }

  /** Takes the length-delimited value at the reader's position and steps over it. */
  take(reader: ProtobufReader, end: number): void {
    const valueEnd = reader.readEnd(end);
    this.start = reader.position;
    this.end = valueEnd;
    reader.position = valueEnd;
  }

  /**
   * Skips a repeated field whose tag starts at `tagStart` and widens the range to include it. Elements may not be
   * contiguous, so readers of the range must check the tags again.
   */
  widen(reader: ProtobufReader, tagStart: number, tag: number, end: number): void {
    reader.skip(tag, end);
    if (this.end === 0) this.start = tagStart;
    this.end = reader.position;
  }
}
