import type { PipeInput } from '../contract/pipe-input.ts';
import type { Problem } from '../contract/problem.ts';
import type { InOwnWords } from '../kernel/logged-error.ts';
import type { PipeDefinition, SourceKind } from './pipe-definition.ts';
import type { PipeLedger } from './pipe-ledger.ts';
import type { TargetTable } from './target-table.ts';

/** How the bytes of a batch are to be read. `lines` formats can be split at records, the others only as a whole. */
export type BatchFormat = 'JSONEachRow' | 'JSONAsObject' | 'CSV' | 'TabSeparated' | 'Parquet' | 'Avro' | 'Native';

/** Rows that are written together. */
export interface SourceBatch {
  /**
   * Names exactly these rows among all of the pipe: the same rows, read again after a crash, have the same identity, so
   * that they are stored once.
   */
  identity: string;
  /** What the ledger says once the rows are durable. */
  positions: readonly { key: string; position: string | undefined }[];
  format: BatchFormat;
  /** A text that cannot be cut at records: when it cannot be read, all of it is one record. */
  isWhole?: boolean;
  /** Names of the fields in their order, for formats that do not carry them. */
  fields?: readonly string[];
  /** Of CSV. */
  delimiter?: string;
  /** Parts of a text that ends at the end of a record. Read more than once when records do not fit. */
  body: readonly Uint8Array[];
  /** Records of a text that can be cut, where they are counted already. */
  records?: number;
  /** What the source itself could not read: it goes to the error table, and counts as records that do not fit. */
  unreadable?: readonly { position: string; reason: string; record: string }[];
  /** Where a record of the batch is in the source, by its number from 0; for the error table. */
  positionOf(record: number): string;
  /** Bytes of the source that the batch stands for. */
  sourceBytes: number;
  /**
   * There are no rows: those of the target whose version is lower are marked as deleted, by a row each, with the version
   * before this one. Only of replacing tables with a version; others keep what they have.
   */
  erases?: { version: string };
  /** Rows go here instead of the pipe's destination: sources of many tables. */
  target?: TargetTable;
  /** `snapshot` while what was there before the pipe is copied. */
  phase: 'snapshot' | 'stream';
  /** How far the source was ahead when the batch was read. */
  lagMs?: number;
  /** The same in records, of sources that count them. */
  lagRecords?: number;
}

/** Batches that must be written one after another; several lanes are written at the same time. */
export type Lane = AsyncIterable<SourceBatch>;

export interface SourceJob {
  pipe: PipeDefinition;
  /** How many lanes are written at the same time, and how many bytes a batch may have. */
  limits: { lanes: number; batchBytesMax: number };
  ledger: Pick<PipeLedger, 'find' | 'list'>;
  /**
   * Makes entries durable before their rows are written: for sources whose batches would differ after a crash, which
   * read them from `ledger` and yield the same batch again first.
   */
  plan(entries: readonly { key: string; position: string | undefined }[]): Promise<void>;
  /** How far the pipe is behind its source; 0 = there is nothing new right now. In records, of sources that count them. */
  onLag(lagMs: number, records?: number): void;
  /** Bytes that the source keeps because the pipe has not read them. */
  onLagBytes(bytes: number): void;
  /** Aborts when the pipe stops. */
  signal: AbortSignal;
  /** Only to see whether the source can be read: nothing is made or changed there, and no lane is asked for. */
  isTrial?: boolean;
}

/** A source to which there is a connection. */
export interface OpenSource {
  /** What comes first; each batch says whether it is still so. */
  phase: SourceBatch['phase'];
  /** Ends when the source has no more and is not continuous. Throws `SourceError`. */
  lanes(): AsyncIterable<Lane>;
  /** The rows are durable and the ledger is written: offsets may be committed, messages removed. */
  acknowledge?(batch: SourceBatch): Promise<void>;
  close(): Promise<void>;
}

/** Port: one kind of source. `docs/pipes.md` says how one is added. */
export interface Connector {
  kind: SourceKind;
  /** Settings that cannot be run here, without asking the source; no value is repeated in a message. */
  problemsOf(pipe: PipeInput): readonly Problem[];
  /** Connects and looks. Throws `SourceError`. */
  open(job: SourceJob): Promise<OpenSource>;
  /** What the source has that a pipe could read, by name and at most `max`: tables, topics, objects. Throws `SourceError`. */
  names?(pipe: PipeDefinition, order: { max: number; signal: AbortSignal }): Promise<readonly string[]>;
  /** Removes what the pipe made at its source, which is no longer read. Throws `SourceError`. */
  remove?(pipe: PipeDefinition): Promise<void>;
}

/** `away`: may pass, so it is tried again. `rejected`: someone has to change a setting or the source. */
export type SourceErrorKind = 'away' | 'rejected';

/** A sentence of our own for the people who own the pipe; no secret, address or text of another system in it. */
export class SourceError extends Error implements InOwnWords {
  readonly inOwnWords = true;
  readonly kind: SourceErrorKind;

  constructor(kind: SourceErrorKind, sentence: string, cause?: unknown) {
    super(sentence, { cause });
    this.name = 'SourceError';
    this.kind = kind;
  }
}
