import type { Clock } from '../kernel/clock.ts';
import { blockTimes } from './block-times.ts';
import {
  type BlockInserter,
  type Stretch,
  TelemetryError,
  type TelemetryErrorKind,
  type WriteTracker,
} from './ports.ts';
import { type RetentionDays, telemetryTables } from './schema/render-ddl.ts';
import { WriteJournal } from './write-journal.ts';

const dayMs = 86_400_000;
/** The store looks for expired rows by its own clock, to the second. */
const expiryMarginMs = 3_600_000;
/** After these it is unknown whether the rows are there, or will be in a moment. */
const unknownOutcome: ReadonlySet<TelemetryErrorKind> = new Set(['timeout', 'unavailable', 'cancelled']);

/** Tracks writes; for a store to which only this process writes. */
export class TrackingInserter implements BlockInserter, WriteTracker {
  readonly #inserter: BlockInserter;
  readonly #retention: RetentionDays;
  readonly #clock: Clock;
  readonly #journals = new Map<string, WriteJournal>();
  #sequence = 0;

  constructor(inserter: BlockInserter, retention: RetentionDays, clock: Clock) {
    this.#inserter = inserter;
    this.#retention = retention;
    this.#clock = clock;
  }

  async insert(batch: Parameters<BlockInserter['insert']>[0]): Promise<void> {
    const journal = this.#journalOf(batch.database, batch.table);
    journal.begin(batch.token, timesOf(batch.blocks));
    try {
      await this.#inserter.insert(batch);
    } catch (error) {
      // The write stays open until a further attempt settles it.
      if (!(error instanceof TelemetryError) || unknownOutcome.has(error.kind)) throw error;
      journal.end(batch.token, ++this.#sequence);
      throw error;
    }
    journal.end(batch.token, ++this.#sequence);
  }

  oldestKeptMs(table: string): number {
    const signal = telemetryTables.find(({ name }) => name === table)?.signal;
    if (!signal) return Number.POSITIVE_INFINITY;
    return this.#clock.nowMs() - this.#retention[signal] * dayMs + expiryMarginMs;
  }

  mark(): number {
    return this.#sequence;
  }

  writtenSince(database: string, table: string, mark: number): readonly Stretch[] | 'everything' {
    return this.#journalOf(database, table).since(mark);
  }

  #journalOf(database: string, table: string): WriteJournal {
    const key = JSON.stringify([database, table]);
    const known = this.#journals.get(key);
    if (known) return known;
    const journal = new WriteJournal();
    this.#journals.set(key, journal);
    return journal;
  }
}

function timesOf(blocks: readonly Uint8Array[]): readonly Stretch[] | 'everything' {
  const all: Stretch[] = [];
  for (const block of blocks) {
    const times = blockTimes(block);
    if (!times) return 'everything';
    for (const stretch of times) all.push(stretch);
  }
  return all;
}
