import { MalformedPayloadError } from './intake-errors.ts';

/** Different sentences in one answer, at most. */
const reasonsMax = 20;

/** Going on behind a broken record takes a while; a sender of more than this has nothing but broken ones. */
const brokenMax = 10_000;

/** Counts the records that can't be stored, by reason, and those that are stored otherwise than they were sent. */
export class Rejections {
  readonly #counts = new Map<string, number>();
  #total = 0;
  #broken = 0;

  /** The same counts once more, for a second pass that starts from them. */
  copy(): Rejections {
    const copy = new Rejections();
    for (const [what, records] of this.#counts) copy.#counts.set(what, records);
    copy.#total = this.#total;
    return copy;
  }

  get total(): number {
    return this.#total;
  }

  /** `reason` is a constant sentence: it goes to the sender. */
  add(reason: string, records = 1): void {
    this.#total += records;
    this.note(reason, records);
  }

  /**
   * Counts records that broke while they were read. Throws `MalformedPayloadError` when there were so many that the
   * request as a whole is.
   */
  addBroken(reason: string, records = 1): void {
    if (++this.#broken > brokenMax) {
      throw new MalformedPayloadError(`more than ${brokenMax} records are not valid, among them: ${reason}`);
    }
    this.add(reason, records);
  }

  /** Says what was done to records that are stored all the same. */
  note(what: string, records = 1): void {
    if (records === 0) return;
    const known = this.#counts.has(what) || this.#counts.size < reasonsMax;
    const key = known ? what : 'other reasons';
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + records);
  }

  countOf(reason: string): number {
    return this.#counts.get(reason) ?? 0;
  }

  /** `2 × a span id has 8 bytes; 1 × …`, or `undefined` when there is nothing to report. */
  get message(): string | undefined {
    if (this.#counts.size === 0) return undefined;
    return [...this.#counts].map(([reason, count]) => `${count} × ${reason}`).join('; ');
  }
}
