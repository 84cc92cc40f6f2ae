import { randomBytes } from 'node:crypto';

/** Random ids of traces and spans, in hex. */
export interface SpanIds {
  traceId(): string;
  spanId(): string;
}

const bytesAtOnce = 8 * 1024;

/** Asking the system for each id costs more than all the rest of a span. */
export class RandomSpanIds implements SpanIds {
  #hex = '';
  #at = 0;

  traceId(): string {
    return this.#take(32);
  }

  spanId(): string {
    return this.#take(16);
  }

  #take(digits: number): string {
    if (this.#at + digits > this.#hex.length) {
      this.#hex = randomBytes(bytesAtOnce).toString('hex');
      this.#at = 0;
    }
    const from = this.#at;
    this.#at += digits;
    return this.#hex.slice(from, this.#at);
  }
}
