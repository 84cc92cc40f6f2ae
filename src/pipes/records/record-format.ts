import type { LineBody } from './line-body.ts';

/** How values of records become lines of JSON. */
export interface RecordFormat {
  /** Fetches what the values of a batch need, and begins with it. Throws `SourceError`. */
  begin(batch: ValueBatch): Promise<void> | void;
  /** Writes the lines of one value, with `prefix` as first fields of each. Throws `UnreadableRecordError`. */
  write(value: ValuePlace, prefix: string, into: LineBody): number;
}

/** Values that are in the same bytes, one after another. */
export interface ValueBatch {
  bytes: Buffer;
  /** Where each of them is. The same object may be given again with other numbers. */
  places(): Iterable<Readonly<{ start: number; end: number }>>;
}

/** A value in the bytes of its batch; it is not empty. */
export interface ValuePlace {
  bytes: Buffer;
  start: number;
  end: number;
}

/** The record goes to the error table with this reason, in a sentence of ours. */
export class UnreadableRecordError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'UnreadableRecordError';
  }
}
