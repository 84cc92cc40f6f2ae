import type { LineBody } from './line-body.ts';
import type { RecordBatch } from './record-batches.ts';

/** How values of records become lines of JSON. */
export interface RecordFormat {
  /** Fetches what the batch needs, and begins with it. Throws `SourceError`. */
  begin(batch: RecordBatch): Promise<void> | void;
  /** Writes the lines of one value, with `prefix` as first fields of each. Throws `UnreadableRecordError`. */
  write(value: ValuePlace, prefix: string, into: LineBody): number;
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
