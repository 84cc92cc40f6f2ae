import { isUtf8 } from 'node:buffer';
import { writeVarint } from '../../kernel/varint.ts';
import { PayloadTooLargeError } from '../intake-errors.ts';
import { columnBytesMax, retainedBytesMax } from './column.ts';

const startBytes = 4096;
/** Up to this, copying byte by byte is faster than calls into the engine; its length fits one byte, too. */
const shortBytesMax = 0x7f;

/** A growing run of bytes that is reused from request to request. */
export class ByteBuilder {
  #bytes = Buffer.allocUnsafeSlow(startBytes);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The bytes so far; valid until the next append. */
  view(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  byteAt(position: number): number {
    return position < this.#length ? (this.#bytes[position] ?? 0) : 0;
  }

  clear(): void {
    this.#length = 0;
    if (this.#bytes.length > retainedBytesMax) this.#bytes = Buffer.allocUnsafeSlow(startBytes);
  }

  /** Drops all bytes behind the first `length`. */
  truncate(length: number): void {
    this.#length = length;
  }

  /** A number below 2^32 as a varint. */
  appendVarint(value: number): void {
    this.#reserve(5);
    this.#length = writeVarint(this.#bytes, this.#length, value);
  }

  /** A string (length, then bytes) from `source`; bytes that are not UTF-8 become U+FFFD. */
  appendString(source: Buffer, start: number, end: number): void {
    const length = end - start;
    if (length > shortBytesMax) {
      this.#appendLong(source.subarray(start, end));
      return;
    }
    this.#reserve(length + 1);
    const target = this.#bytes;
    let at = this.#length;
    target[at++] = length;
    let seen = 0;
    for (let from = start; from < end; from++) {
      const byte = source[from] ?? 0;
      seen |= byte;
      target[at++] = byte;
    }
    if (seen >= 0x80 && !isUtf8(source.subarray(start, end))) this.appendText(source.toString('utf8', start, end));
    else this.#length = at;
  }

  /** A string (length, then UTF-8 bytes) from text; a lone surrogate becomes U+FFFD. */
  appendText(text: string): void {
    const length = text.length;
    if (length <= shortBytesMax && this.#appendShortAscii(text)) return;
    const bytes = Buffer.byteLength(text, 'utf8');
    this.appendVarint(bytes);
    this.#reserve(bytes);
    this.#length += this.#bytes.write(text, this.#length, 'utf8');
  }

  /** A string (length, then digits) that shows the bytes of `source` in lower-case hex; at most 63 bytes. */
  appendHex(source: Buffer, start: number, end: number): void {
    const digits = (end - start) * 2;
    this.#reserve(digits + 1);
    const target = this.#bytes;
    let at = this.#length;
    target[at++] = digits;
    for (let from = start; from < end; from++) {
      const byte = source[from] ?? 0;
      target[at++] = hexDigit(byte >>> 4);
      target[at++] = hexDigit(byte & 15);
    }
    this.#length = at;
  }

  /** Writes the bytes from `start` on again, `times` more times. */
  repeatTail(start: number, times: number): void {
    const unit = this.#length - start;
    const total = unit * times;
    this.#reserve(total);
    let done = 0;
    while (done < total) {
      const step = Math.min(unit + done, total - done);
      this.#bytes.copyWithin(this.#length, start, start + step);
      this.#length += step;
      done += step;
    }
  }

  #appendShortAscii(text: string): boolean {
    const length = text.length;
    this.#reserve(length + 1);
    const target = this.#bytes;
    let at = this.#length;
    target[at++] = length;
    for (let index = 0; index < length; index++) {
      const code = text.charCodeAt(index);
      if (code >= 0x80) return false;
      target[at++] = code;
    }
    this.#length = at;
    return true;
  }

  #appendLong(value: Buffer): void {
    if (!isUtf8(value)) {
      this.appendText(value.toString('utf8'));
      return;
    }
    this.appendVarint(value.length);
    this.#reserve(value.length);
    this.#bytes.set(value, this.#length);
    this.#length += value.length;
  }

  #reserve(extra: number): void {
    if (this.#length + extra > this.#bytes.length) this.#grow(this.#length + extra);
  }

  #grow(needed: number): void {
    if (needed > columnBytesMax)
      throw new PayloadTooLargeError('the request expands to more than one request can store');
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }
}

/** The ASCII code of `0` to `9`, `a` to `f`. */
function hexDigit(value: number): number {
  return value < 10 ? 48 + value : 87 + value;
}
