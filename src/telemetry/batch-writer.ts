import { type Clock, delay } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import { type Batch, batchOf, bytesOf, type Portion, portionOf, reject, resolve } from './batch.ts';
import type { BatchJournal } from './batch-journal.ts';
import {
  type BlockInserter,
  type BlockSink,
  type EncodedBlock,
  SinkFullError,
  TelemetryError,
  type TelemetryErrorKind,
  type TelemetryTable,
} from './ports.ts';
import { RecentKeys } from './recent-keys.ts';
import { UnsettledBatches } from './unsettled-batches.ts';

export interface BatchLimits {
  /** Rows wait at most this long for company (decisions E3). */
  ageMaxMs: number;
  batchRowsMax: number;
  batchBytesMax: number;
  /** A request with as many rows for a table is written alone, so that any process that writes it again is recognised. */
  aloneRowsMin: number;
  /** Everything that is held, waiting or being written. */
  heldBytesMax: number;
  /** Inserts at a time into one table, and into all. */
  insertsPerTableMax: number;
  insertsMax: number;
  /** How long a batch is tried again while the store is unavailable. */
  retryForMs: number;
  /** For how long a request that comes again is recognised by this process. */
  rememberForMs: number;
}

export const defaultBatchLimits: BatchLimits = {
  ageMaxMs: 200,
  batchRowsMax: 100_000,
  batchBytesMax: 32 * 1024 * 1024,
  aloneRowsMin: 8_000,
  heldBytesMax: 256 * 1024 * 1024,
  insertsPerTableMax: 2,
  insertsMax: 4,
  retryForMs: 30_000,
  // OpenTelemetry's exporters give up after five minutes.
  rememberForMs: 600_000,
};

const rememberedMax = 100_000;

/** For counters and log lines. `ageMs`: since the oldest of its rows came. */
export type BatchEvent =
  | { kind: 'inserted'; table: TelemetryTable; rows: number; bytes: number; requests: number; ageMs: number }
  | { kind: 'retried'; table: TelemetryTable; reason: TelemetryError }
  | { kind: 'rejected'; table: TelemetryTable; rows: number; reason: TelemetryError }
  /** A request came again, and is stored or on its way already. */
  | { kind: 'repeated'; table: TelemetryTable; rows: number }
  | { kind: 'full' };

export interface BatchWriterOptions {
  inserter: BlockInserter;
  clock: Clock;
  ids: Ids;
  /** Only where no other process may get the requests that are sent again after a crash. */
  journal?: BatchJournal;
  /** What an earlier process left in the journal. */
  left?: readonly Batch[];
  limits?: Partial<BatchLimits>;
  onEvent?: (event: BatchEvent) => void;
}

interface Queue {
  database: string;
  table: TelemetryTable;
  portions: Portion[];
  rows: number;
  bytes: number;
  /** How many of the portions are written alone. */
  large: number;
  /** The oldest portion has waited long enough. */
  due: boolean;
  inserts: number;
  cancelTimer: () => void;
}

const retryDelayMinMs = 50;
const retryDelayMaxMs = 1_000;
const transient: ReadonlySet<TelemetryErrorKind> = new Set(['unavailable', 'timeout', 'limit', 'cancelled']);

/**
 * Gathers the blocks of many requests into few inserts. A request is answered when its rows are committed, so nothing
 * that was acknowledged is only in memory.
 *
 * Exactly once: a batch keeps its token however often it is tried, and the table drops a token that it has seen. The
 * token is made from the content, so a request that was written alone is recognised when any process writes it again. Requests
 * that were written together are recognised as long as this process lives: it remembers what it committed, lets a
 * request that comes again wait for the first one, and settles what is in doubt (`UnsettledBatches`).
 */
export class BatchWriter implements BlockSink {
  readonly #inserter: BlockInserter;
  readonly #clock: Clock;
  readonly #ids: Ids;
  readonly #journal: BatchJournal | undefined;
  readonly #limits: BatchLimits;
  readonly #onEvent: (event: BatchEvent) => void;
  readonly #queues = new Map<string, Queue>();
  readonly #writing = new Set<Promise<void>>();
  /** By key: what waits, is being written or is in doubt. */
  readonly #open = new Map<string, Portion>();
  readonly #committed: RecentKeys;
  readonly #unsettled: UnsettledBatches;
  #heldBytes = 0;
  #retryUntilMs = Number.POSITIVE_INFINITY;
  #closed = false;

  constructor({ inserter, clock, ids, journal, left = [], limits, onEvent }: BatchWriterOptions) {
    this.#inserter = inserter;
    this.#clock = clock;
    this.#ids = ids;
    this.#journal = journal;
    this.#limits = { ...defaultBatchLimits, ...limits };
    this.#onEvent = onEvent ?? (() => {});
    this.#committed = new RecentKeys(clock, this.#limits.rememberForMs, rememberedMax);
    this.#unsettled = new UnsettledBatches({
      clock,
      attempt: (batch) => this.#attempt(batch),
      onSettled: (batch, reason) => this.#settle(batch, reason),
      keepForMs: this.#limits.rememberForMs,
    });
    for (const batch of left) {
      for (const portion of batch.portions) this.#open.set(portion.key, portion);
      this.#heldBytes += bytesOf(batch);
      this.#unsettled.add(batch);
    }
  }

  /** Bytes that wait, are being written or are in doubt. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  async add(database: string, blocks: readonly EncodedBlock[]): Promise<void> {
    if (this.#closed) throw new TelemetryError('unavailable', 'the collector is stopping');
    const portions = this.#portionsOf(database, blocks);
    const bytes = portions.reduce((sum, { portion }) => sum + (this.#isKnown(portion) ? 0 : portion.bytes), 0);
    // A request larger than all the room is let in alone: it could never come in otherwise.
    if (bytes > 0 && this.#heldBytes > 0 && this.#heldBytes + bytes > this.#limits.heldBytesMax) {
      this.#onEvent({ kind: 'full' });
      throw new SinkFullError();
    }
    const committed = portions.map(({ table, portion }) => this.#enqueue({ database, table }, portion));
    const outcomes = await Promise.allSettled(committed);
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  }

  /** Writes everything queued now; resolves when it is committed or has failed. */
  async flush(): Promise<void> {
    for (const queue of this.#queues.values()) queue.due = queue.portions.length > 0;
    this.#pump();
    while (this.#writing.size > 0) await Promise.all(this.#writing);
  }

  /** Accepts nothing more and flushes; stops waiting for an unavailable store after `graceMs`. */
  async close(graceMs = 5_000): Promise<void> {
    this.#closed = true;
    this.#retryUntilMs = this.#clock.nowMs() + graceMs;
    await this.flush();
    await this.#unsettled.stop(this.#retryUntilMs);
  }

  #portionsOf(database: string, blocks: readonly EncodedBlock[]): { table: TelemetryTable; portion: Portion }[] {
    const nowMs = this.#clock.nowMs();
    return [...new Set(blocks.map(({ table }) => table))].map((table) => {
      const own = blocks.filter((block) => block.table === table);
      return { table, portion: portionOf({ database, table }, own, nowMs, this.#ids.uuid()) };
    });
  }

  #isKnown({ key }: Portion): boolean {
    return this.#open.has(key) || this.#committed.has(key);
  }

  #enqueue(target: Pick<Queue, 'database' | 'table'>, portion: Portion): Promise<void> {
    if (this.#isKnown(portion)) this.#onEvent({ kind: 'repeated', table: target.table, rows: portion.rows });
    if (this.#committed.has(portion.key)) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const open = this.#open.get(portion.key);
      (open ?? portion).waiting.push({ resolve, reject });
      if (open) return;
      this.#open.set(portion.key, portion);
      this.#push(this.#queueOf(target), portion);
    });
  }

  #queueOf(target: Pick<Queue, 'database' | 'table'>): Queue {
    const known = this.#queues.get(queueKey(target));
    if (known) return known;
    const counts = { rows: 0, bytes: 0, large: 0, inserts: 0 };
    const queue: Queue = { ...target, portions: [], due: false, cancelTimer: () => {}, ...counts };
    this.#queues.set(queueKey(queue), queue);
    return queue;
  }

  #push(queue: Queue, portion: Portion): void {
    queue.portions.push(portion);
    queue.rows += portion.rows;
    queue.bytes += portion.bytes;
    if (this.#isLarge(portion)) queue.large++;
    this.#heldBytes += portion.bytes;
    if (queue.portions.length === 1) {
      queue.cancelTimer = this.#clock.after(this.#limits.ageMaxMs, () => {
        queue.due = true;
        this.#pump();
      });
    }
    this.#pump();
  }

  #isLarge({ rows }: Portion): boolean {
    return rows >= this.#limits.aloneRowsMin;
  }

  /** Recognised by the store itself, when any process writes it again. */
  #isAlone({ portions }: Batch): boolean {
    return portions.every((portion) => this.#isLarge(portion));
  }

  /** Starts every insert that is due and has a place. */
  #pump(): void {
    for (const queue of [...this.#queues.values()]) {
      while (this.#isReady(queue)) this.#start(queue);
    }
  }

  #isReady(queue: Queue): boolean {
    const { batchRowsMax, batchBytesMax, insertsPerTableMax, insertsMax } = this.#limits;
    if (queue.portions.length === 0) return false;
    if (queue.inserts >= insertsPerTableMax || this.#writing.size >= insertsMax) return false;
    return queue.due || queue.large > 0 || queue.rows >= batchRowsMax || queue.bytes >= batchBytesMax;
  }

  #start(queue: Queue): void {
    const batch = batchOf(queue, this.#take(queue));
    queue.inserts++;
    this.#moveToEnd(queue);
    const writing = this.#write(batch).finally(() => {
      queue.inserts--;
      this.#writing.delete(writing);
      if (queue.inserts === 0 && queue.portions.length === 0) this.#queues.delete(queueKey(queue));
      this.#pump();
    });
    this.#writing.add(writing);
  }

  /** A table that had its turn moves behind the others. */
  #moveToEnd(queue: Queue): void {
    this.#queues.delete(queueKey(queue));
    this.#queues.set(queueKey(queue), queue);
  }

  /** The portions of the next batch, at least one; they leave the queue. */
  #take(queue: Queue): Portion[] {
    const taken = this.#next(queue);
    queue.portions = queue.portions.filter((portion) => !taken.includes(portion));
    queue.rows -= taken.reduce((sum, { rows }) => sum + rows, 0);
    queue.bytes -= bytesOf({ portions: taken });
    queue.large -= taken.filter((portion) => this.#isLarge(portion)).length;
    if (queue.portions.length === 0) {
      queue.due = false;
      queue.cancelTimer();
    }
    return taken;
  }

  /** What needs no company goes first; others go together, as many as the limits allow. */
  #next(queue: Queue): Portion[] {
    const { batchRowsMax, batchBytesMax } = this.#limits;
    const alone = queue.large > 0 && queue.portions.find((portion) => this.#isLarge(portion));
    if (alone) return [alone];
    const taken: Portion[] = [];
    let rows = 0;
    let bytes = 0;
    for (const portion of queue.portions) {
      const fits = rows + portion.rows <= batchRowsMax && bytes + portion.bytes <= batchBytesMax;
      if (taken.length > 0 && !fits) break;
      taken.push(portion);
      rows += portion.rows;
      bytes += portion.bytes;
    }
    return taken;
  }

  /** Settles every portion, or leaves the batch to those in doubt; never rejects. */
  async #write(batch: Batch): Promise<void> {
    if (this.#journal && !this.#isAlone(batch)) await this.#journal.begin(batch);
    const untilMs = this.#clock.nowMs() + this.#limits.retryForMs;
    for (let delayMs = retryDelayMinMs; ; delayMs = Math.min(delayMs * 2, retryDelayMaxMs)) {
      const reason = await this.#attempt(batch);
      if (!reason) return this.#settle(batch, undefined);
      if (!batch.isInDoubt) return this.#afterFailure(batch, reason);
      const nextMs = this.#clock.nowMs() + delayMs;
      if (nextMs > Math.min(untilMs, this.#retryUntilMs)) return this.#letSendersRetry(batch, reason);
      this.#onEvent({ kind: 'retried', table: batch.table, reason });
      await delay(this.#clock, delayMs);
    }
  }

  /** Why the batch is not committed, if so. */
  async #attempt(batch: Batch): Promise<TelemetryError | undefined> {
    const { database, table, portions, token } = batch;
    try {
      await this.#inserter.insert({ database, table, blocks: portions.flatMap(({ blocks }) => blocks), token });
      return undefined;
    } catch (error) {
      const reason = asTelemetryError(error);
      if (transient.has(reason.kind)) batch.isInDoubt = true;
      return reason;
    }
  }

  /** Nothing of it is stored, and trying again would not help. */
  async #afterFailure(batch: Batch, reason: TelemetryError): Promise<void> {
    if (batch.portions.length === 1) return this.#settle(batch, reason);
    this.#endInJournal(batch);
    // One request's bad block must not fail its neighbours.
    for (const portion of batch.portions) await this.#write(batchOf(batch, [portion]));
  }

  /** They keep their rows. What was written alone has the same token when it comes again; all else has to be settled. */
  #letSendersRetry(batch: Batch, reason: TelemetryError): void {
    if (this.#isAlone(batch)) {
      this.#settle(batch, reason);
      return;
    }
    this.#reportRejected(batch, reason);
    reject(batch, reason);
    this.#unsettled.add(batch);
  }

  /** The outcome is known, or is not waited for any longer. */
  #settle(batch: Batch, reason: TelemetryError | undefined): void {
    for (const { key } of batch.portions) {
      this.#open.delete(key);
      if (!reason) this.#committed.add(key);
    }
    this.#heldBytes -= bytesOf(batch);
    this.#endInJournal(batch);
    if (reason) {
      this.#reportRejected(batch, reason);
      reject(batch, reason);
    } else {
      this.#reportInserted(batch);
      resolve(batch);
    }
  }

  /** Not waited for: what stays in the journal by a crash is recognised by its token. */
  #endInJournal(batch: Batch): void {
    if (!this.#isAlone(batch)) void this.#journal?.end(batch);
  }

  #reportInserted(batch: Batch): void {
    const { table, portions } = batch;
    const rows = portions.reduce((sum, portion) => sum + portion.rows, 0);
    const ageMs = this.#clock.nowMs() - Math.min(...portions.map(({ addedMs }) => addedMs));
    this.#onEvent({ kind: 'inserted', table, rows, bytes: bytesOf(batch), requests: portions.length, ageMs });
  }

  #reportRejected({ table, portions }: Batch, reason: TelemetryError): void {
    for (const { rows } of portions) this.#onEvent({ kind: 'rejected', table, rows, reason });
  }
}

function asTelemetryError(error: unknown): TelemetryError {
  if (error instanceof TelemetryError) return error;
  return new TelemetryError('failed', error instanceof Error ? error.message : String(error));
}

function queueKey({ database, table }: Pick<Queue, 'database' | 'table'>): string {
  return `${database}.${table}`;
}
