/** Counts the records that can't be stored, by reason, for OTLP's partial success. */
export class Rejections {
  readonly #counts = new Map<string, number>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  /** `reason` is a constant sentence: it goes to the sender. */
  add(reason: string): void {
    this.#total++;
    this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + 1);
  }

  /** `2 × a span id has 8 bytes; 1 × …`, or `undefined` when nothing was rejected. */
  message(): string | undefined {
    if (this.#total === 0) return undefined;
    return [...this.#counts].map(([reason, count]) => `${count} × ${reason}`).join('; ');
  }
}
