/** What one batch adds to a pipe's progress. */
export interface BatchProgress {
  rows: number;
  bytes: number;
  errors: number;
}

export interface LedgerEntry {
  /** What of the source it is about: an object, a partition, a slot. */
  key: string;
  /** How far it has been read; `undefined` forgets the entry. */
  position: string | undefined;
}

/**
 * Port: how far each pipe has read. Positions are written after the rows are durable; the deduplication token of the
 * batch covers the moment between the two.
 */
export interface PipeLedger {
  /** The positions of these keys, where there are any. */
  find(pipeId: string, keys: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** The entries whose key starts with `prefix`, by key. */
  list(pipeId: string, prefix: string, max: number): Promise<LedgerEntry[]>;
  /** All or nothing. Throws `LeaseLostError` when `owner` does not hold the pipe, or it was resynced since. */
  write(entry: {
    owner: string;
    pipeId: string;
    /** Of the run that writes; any when absent. */
    generation?: number;
    entries: readonly LedgerEntry[];
    progress?: BatchProgress;
    lagMs?: number;
    lagRecords?: number;
    nowMs: number;
  }): Promise<void>;
}

/** Another process runs the pipe now, or everything is read again: this run stops without another write. */
export class LeaseLostError extends Error {
  constructor() {
    super('the pipe is run by another process');
    this.name = 'LeaseLostError';
  }
}
