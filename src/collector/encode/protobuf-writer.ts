import { varintBytes, writeVarint } from '../../kernel/varint.ts';
import { fixed32, fixed64, lengthDelimited, varint } from '../decode/wire-format.ts';

const startBytes = 1024;

/** Writes protobuf's wire format: OTLP/JSON on its way in, replies on their way out. */
export class ProtobufWriter {
  #bytes: Buffer = Buffer.allocUnsafeSlow(startBytes);
  #length = 0;

  /** What was written; valid until the next write. */
  view(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  get length(): number {
    return this.#length;
  }

  /** Drops what was written behind the first `length` bytes. */
  truncate(length: number): void {
    this.#length = length;
  }

  /** bool, enum, uint32 and small non-negative int64 fields. */
  writeUint32(field: number, value: number): void {
    this.#writeVarint(varint(field));
    this.#writeVarint(value >>> 0);
  }

  /** int64 and uint64 fields, from their unsigned halves: `writeVarint` ends at 32 bits. */
  writeVarint64(field: number, low: number, high: number): void {
    this.#writeVarint(varint(field));
    this.#reserve(10);
    let restLow = low;
    let restHigh = high;
    while (restHigh !== 0 || restLow > 0x7f) {
      this.#bytes[this.#length++] = (restLow & 0x7f) | 0x80;
      restLow = ((restLow >>> 7) | (restHigh << 25)) >>> 0;
      restHigh >>>= 7;
    }
    this.#bytes[this.#length++] = restLow;
  }

  writeSint32(field: number, value: number): void {
    this.writeUint32(field, (value << 1) ^ (value >> 31));
  }

  writeFixed32(field: number, value: number): void {
    this.#writeVarint(fixed32(field));
    this.#reserve(4);
    this.#length = this.#bytes.writeUInt32LE(value >>> 0, this.#length);
  }

  /** fixed64 and sfixed64 fields, from their unsigned halves. */
  writeFixed64(field: number, low: number, high: number): void {
    this.#writeVarint(fixed64(field));
    this.#reserve(8);
    this.#bytes.writeUInt32LE(low, this.#length);
    this.#length = this.#bytes.writeUInt32LE(high, this.#length + 4);
  }

  writeDouble(field: number, value: number): void {
    this.#writeVarint(fixed64(field));
    this.#reserve(8);
    this.#length = this.#bytes.writeDoubleLE(value, this.#length);
  }

  writeText(field: number, text: string): void {
    this.#writeVarint(lengthDelimited(field));
    const bytes = Buffer.byteLength(text, 'utf8');
    this.#writeVarint(bytes);
    this.#reserve(bytes);
    this.#length += this.#bytes.write(text, this.#length, 'utf8');
  }

  /** A string or bytes field from `[start, end)` of `source`. */
  writeRange(field: number, source: Buffer, start: number, end: number): void {
    this.#writeVarint(lengthDelimited(field));
    this.#writeVarint(end - start);
    this.#reserve(end - start);
    this.#length += source.copy(this.#bytes, this.#length, start, end);
  }

  writeBytes(field: number, value: Uint8Array): void {
    this.#writeVarint(lengthDelimited(field));
    this.#writeVarint(value.length);
    this.#reserve(value.length);
    this.#bytes.set(value, this.#length);
    this.#length += value.length;
  }

  /** A nested message (or a packed list): `write` writes its content. */
  writeMessage(field: number, write: () => void): void {
    const start = this.beginMessage(field);
    write();
    this.endMessage(start);
  }

  /** Starts a nested message; hand what it returns to `endMessage`. */
  beginMessage(field: number): number {
    this.#writeVarint(lengthDelimited(field));
    this.#reserve(1);
    this.#length++;
    return this.#length;
  }

  /** One byte is kept for the length; a longer message moves up to make room for the rest of it. */
  endMessage(start: number): void {
    const size = this.#length - start;
    const sizeBytes = varintBytes(size);
    if (sizeBytes > 1) {
      this.#reserve(sizeBytes - 1);
      this.#bytes.copyWithin(start + sizeBytes - 1, start, this.#length);
    }
    this.#length = start - 1;
    this.#writeVarint(size);
    this.#length += size;
  }

  #writeVarint(value: number): void {
    this.#reserve(5);
    this.#length = writeVarint(this.#bytes, this.#length, value);
  }

  #reserve(extra: number): void {
    const needed = this.#length + extra;
    if (needed <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }
}
