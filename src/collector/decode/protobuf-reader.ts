import { MalformedPayloadError } from '../intake-errors.ts';
import { wireType } from './wire-format.ts';

/**
 * Reads protobuf's wire format in place. Every read is checked against `end`, the end of the message it belongs to, so
 * that a wrong length can't reach into a neighbour. Throws `MalformedPayloadError`.
 */
export class ProtobufReader {
  readonly bytes: Buffer;
  position = 0;
  /** The two unsigned halves of the 64-bit number that was read last: exact, and without a BigInt for each number. */
  low = 0;
  high = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  readTag(end: number): number {
    const tag = this.readUint32(end);
    if (tag < 8) throw this.malformed('a field has number 0');
    return tag;
  }

  /** Reads a length prefix and returns where the value ends; its first byte is at `position`. */
  readEnd(end: number): number {
    this.readVarint(end);
    if (this.high !== 0 || this.low > end - this.position) {
      throw this.malformed('a length points past the end of its message');
    }
    return this.position + this.low;
  }

  /** A varint cut to its low 32 bits, as protobuf defines for 32-bit fields. */
  readUint32(end: number): number {
    const position = this.position;
    if (position < end) {
      const first = this.bytes[position] ?? 0;
      if (first < 0x80) {
        this.position = position + 1;
        return first;
      }
    }
    this.readVarint(end);
    return this.low;
  }

  /** A zigzag-coded sint32. */
  readSint32(end: number): number {
    const coded = this.readUint32(end);
    return (coded >>> 1) ^ -(coded & 1);
  }

  /** Any varint, into `low` and `high`. The kernel's `readVarint` ends at 32 bits and allocates for each number. */
  readVarint(end: number): void {
    let low = 0;
    let high = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      if (this.position >= end) throw this.malformed('a number is cut off');
      const byte = this.bytes[this.position++] ?? 0;
      const bits = byte & 0x7f;
      if (shift < 28) low |= bits << shift;
      else if (shift === 28) {
        low |= bits << 28;
        high |= bits >>> 4;
      } else high |= bits << (shift - 32);
      if (byte < 0x80) {
        this.low = low >>> 0;
        this.high = high >>> 0;
        return;
      }
    }
    throw this.malformed('a number is longer than 10 bytes');
  }

  /** Eight little-endian bytes, into `low` and `high`. */
  readFixed64(end: number): void {
    const at = this.#advance(8, end);
    this.low = this.bytes.readUInt32LE(at);
    this.high = this.bytes.readUInt32LE(at + 4);
  }

  readDouble(end: number): number {
    return this.bytes.readDoubleLE(this.#advance(8, end));
  }

  readFixed32(end: number): number {
    return this.bytes.readUInt32LE(this.#advance(4, end));
  }

  /** Skips the value of an unused field. */
  skip(tag: number, end: number): void {
    switch (tag & 7) {
      case wireType.varint:
        this.readVarint(end);
        return;
      case wireType.fixed64:
        this.#advance(8, end);
        return;
      case wireType.lengthDelimited:
        this.position = this.readEnd(end);
        return;
      case wireType.fixed32:
        this.#advance(4, end);
        return;
      default:
        throw this.malformed(`wire type ${tag & 7} is not used by OTLP`);
    }
  }

  malformed(what: string): MalformedPayloadError {
    return new MalformedPayloadError(`the payload is not valid protobuf: ${what}`, ` (at byte ${this.position})`);
  }

  #advance(bytes: number, end: number): number {
    const at = this.position;
    if (bytes > end - at) throw this.malformed('a fixed-size number is cut off');
    this.position = at + bytes;
    return at;
  }
}
