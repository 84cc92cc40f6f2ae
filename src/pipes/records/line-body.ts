const usualPartBytes = 4 * 1024 ** 2;
const newline = 0x0a;
const quote = 0x22;
const backslash = 0x5c;
const hexDigits = '0123456789abcdef';

/** Lines of text in parts that end where a line does. */
export class LineBody {
  #part = Buffer.allocUnsafe(0);
  #at = 0;
  #lineStart = 0;
  #taken = 0;
  readonly #full: Buffer[] = [];

  /** Of all lines that are ended. */
  get length(): number {
    return this.#taken + this.#lineStart;
  }

  copy(source: Buffer, start: number, end: number): void {
    this.#reserve(end - start);
    this.#at += source.copy(this.#part, this.#at, start, end);
  }

  /** The same with line ends as spaces. */
  copyInLine(source: Buffer, start: number, end: number): void {
    this.copy(source, start, end);
    for (let at = this.#at - (end - start); at < this.#at; at++) {
      const byte = this.#part[at];
      if (byte === newline || byte === 0x0d) this.#part[at] = 0x20;
    }
  }

  text(text: string): void {
    this.#reserve(text.length * 3);
    this.#at += this.#part.write(text, this.#at);
  }

  /** A JSON string of bytes as they are, which the engine reads as such; only what JSON escapes is escaped. */
  bytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length * 6 + 2);
    this.#put(quote);
    for (const byte of bytes) {
      if (byte === quote || byte === backslash) {
        this.#put(backslash);
        this.#put(byte);
      } else if (byte < 0x20) {
        this.#at += this.#part.write(`\\u00${hexDigits[byte >> 4]}${hexDigits[byte & 15]}`, this.#at);
      } else this.#put(byte);
    }
    this.#put(quote);
  }

  endLine(): void {
    this.#reserve(1);
    this.#put(newline);
    this.#lineStart = this.#at;
  }

  abandonLine(): void {
    this.#at = this.#lineStart;
  }

  take(): Buffer[] {
    this.#closePart();
    return this.#full;
  }

  #put(byte: number): void {
    this.#part[this.#at++] = byte;
  }

  #reserve(bytes: number): void {
    if (this.#at + bytes <= this.#part.length) return;
    const begun = this.#part.subarray(this.#lineStart, this.#at);
    const next = Buffer.allocUnsafe(Math.max(usualPartBytes, (begun.length + bytes) * 2));
    begun.copy(next);
    this.#closePart();
    this.#part = next;
    this.#at = begun.length;
  }

  #closePart(): void {
    if (this.#lineStart > 0) this.#full.push(this.#part.subarray(0, this.#lineStart));
    this.#taken += this.#lineStart;
    this.#lineStart = 0;
    this.#at = 0;
  }
}
