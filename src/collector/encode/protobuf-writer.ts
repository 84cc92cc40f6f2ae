import { fixed32, fixed64, lengthDelimited, varint } from '../decode/wire-format.ts';

const startBytes = 1024;
const two64 = 1n << 64n;

/** Writes protobuf's wire format: OTLP/JSON on its way in, replies on their way out. */
export class ProtobufWriter {
  #bytes: Buffer = Buffer.allocUnsafeSlow(startBytes);
  #length = 0;

  /** What was written; valid until the next write. */
  view(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }

  /** bool, enum, uint32 and small non-negative int64 fields. */
  writeUint32(field: number, value: number): void {
    this.#writeVarint(varint(field));
    this.#writeVarint(value >>> 0);
  }

  /** int32 (negative ones take 10 bytes), int64 and uint64 fields. */
  writeInt64(field: number, value: bigint): void {
    this.#writeVarint(varint(field));
    this.#writeBigVarint(value < 0n ? value + two64 : value);
  }

  writeSint32(field: number, value: number): void {
    this.writeUint32(field, (value << 1) ^ (value >> 31));
  }

  writeFixed32(field: number, value: number): void {
    this.#writeVarint(fixed32(field));
    this.#reserve(4);
    this.#length = this.#bytes.writeUInt32LE(value >>> 0, this.#length);
  }

  /** fixed64 and sfixed64 fields. */
  writeFixed64(field: number, value: bigint): void {
    this.#writeVarint(fixed64(field));
    this.#reserve(8);
    this.#length = this.#bytes.writeBigUInt64LE(BigInt.asUintN(64, value), this.#length);
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
    let rest = value;
    while (rest > 0x7f) {
      this.#bytes[this.#length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#bytes[this.#length++] = rest;
  }

  #writeBigVarint(value: bigint): void {
    this.#reserve(10);
    let rest = value;
    while (rest > 0x7fn) {
      this.#bytes[this.#length++] = Number(rest & 0x7fn) | 0x80;
      rest >>= 7n;
    }
    this.#bytes[this.#length++] = Number(rest);
  }

  #reserve(extra: number): void {
    const needed = this.#length + extra;
    if (needed <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }
}

function varintBytes(value: number): number {
  let bytes = 1;
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes++;
  return bytes;
}
