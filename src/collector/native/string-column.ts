import { ByteBuilder } from './byte-builder.ts';
import type { Column } from './column.ts';

/** A column of strings. Each value comes as bytes of the payload, as text, or as bytes to show in hex. */
export class StringColumn implements Column {
  readonly type = 'String';
  readonly #bytes = new ByteBuilder();
  #lastStart = 0;

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

  /** Appends the last value again, `times` times. */
  repeatLast(times: number): void {
    this.#bytes.repeatTail(this.#lastStart, times);
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
}
