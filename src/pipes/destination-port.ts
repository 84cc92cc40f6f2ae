import type { InOwnWords } from '../kernel/logged-error.ts';
import type { SourceBatch } from './source-port.ts';
import type { TargetTable } from './target-table.ts';

export interface WrittenBatch {
  rows: number;
  errors: number;
}

/** Port: where rows of one service go. */
export interface PipeDestination {
  /** Makes managed tables and compares the others with what the pipe writes. Throws `DestinationError`. */
  prepare(target: TargetTable, signal: AbortSignal): Promise<PreparedTarget>;
}

/** A table that is there and fits. */
export interface PreparedTarget {
  /** Resolves when the rows are durable; the same identity twice stores them once. Throws `DestinationError`. */
  write(
    batch: SourceBatch,
    order: { pipeId: string; token: string; errorsMax: number; signal: AbortSignal },
  ): Promise<WrittenBatch>;
}

/** `away`: may pass, so it is tried again. `rejected`: someone has to change the pipe or the table. */
export type DestinationErrorKind = 'away' | 'rejected';

/** A sentence of our own for the people who own the pipe. */
export class DestinationError extends Error implements InOwnWords {
  readonly inOwnWords = true;
  readonly kind: DestinationErrorKind;

  constructor(kind: DestinationErrorKind, sentence: string, cause?: unknown) {
    super(sentence, { cause });
    this.name = 'DestinationError';
    this.kind = kind;
  }
}
