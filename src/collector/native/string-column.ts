import { ByteBuilder } from './byte-builder.ts';
import type { Column } from './column.ts';

/** A column of strings. Each value comes as bytes of the payload, as text, or as bytes to show in hex. */
export class StringColumn implements Column {
  readonly type = 'String';
  readonly #bytes = new ByteBuilder();
  #lastStart = 0;
  #savedLength = 0;

  get byteLength(): number {
    return this.#bytes.length;
  }

  append(source: Buffer, start: number, end: number): void {
    this.#lastStart = this.#bytes.length;
    this.#bytes.appendString(source, start, end);
  }

  appendText(text: string): void {
    this.#lastStart = this.#bytes.length;
    this.#bytes.appendText(text);
  }

  appendHex(source: Buffer, start: number, end: number): void {
    this.#lastStart = this.#bytes.length;
    this.#bytes.appendHex(source, start, end);
  }

  /** Drops all values from byte `length` on. */
  truncate(length: number): void {
    this.#bytes.truncate(length);
  }

  /** All values as they are stored (length, then bytes); valid until the next append. */
  view(): Buffer {
    return this.#bytes.view();
  }

  /** The stored byte at `position`, and 0 behind the last. */
  byteAt(position: number): number {
    return this.#bytes.byteAt(position);
  }

  /** Appends the last value again, `times` times. */
  repeatLast(times: number): void {
    const bytes = this.#bytes.length - this.#lastStart;
    this.#bytes.repeatTail(this.#lastStart, times);
    this.#lastStart = this.#bytes.length - bytes;
  }

  /** Appends all values from byte `start` on again, `times` times. */
  repeatFrom(start: number, times: number): void {
    this.#bytes.repeatTail(start, times);
  }

  collect(parts: Uint8Array[]): void {
    parts.push(this.#bytes.view());
  }

  clear(): void {
    this.#bytes.clear();
    this.#lastStart = 0;
  }

  checkpoint(): void {
    this.#savedLength = this.#bytes.length;
  }

  rollback(): void {
    this.#bytes.truncate(this.#savedLength);
  }
}
