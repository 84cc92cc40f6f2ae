import { type Clock, delay } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import {
  type BlockInserter,
  type BlockSink,
  type EncodedBlock,
  SinkFullError,
  TelemetryError,
  type TelemetryErrorKind,
  type TelemetryTable,
} from './ports.ts';

export interface BatchLimits {
  /** Rows wait at most this long for company (decisions E3). */
  ageMaxMs: number;
  batchRowsMax: number;
  batchBytesMax: number;
  /** Everything that is held, waiting or being written. */
  heldBytesMax: number;
  /** Inserts at a time into one table, and into all. */
  insertsPerTableMax: number;
  insertsMax: number;
  /** How long a batch is tried again while the store is unavailable. */
  retryForMs: number;
}

export const defaultBatchLimits: BatchLimits = {
  ageMaxMs: 200,
  batchRowsMax: 100_000,
  batchBytesMax: 32 * 1024 * 1024,
  heldBytesMax: 256 * 1024 * 1024,
  insertsPerTableMax: 2,
  insertsMax: 4,
  retryForMs: 30_000,
};

/** For counters and log lines. `ageMs`: since the oldest of its rows came. */
export type BatchEvent =
  | { kind: 'inserted'; table: TelemetryTable; rows: number; bytes: number; requests: number; ageMs: number }
  | { kind: 'retried'; table: TelemetryTable; reason: TelemetryError }
  | { kind: 'rejected'; table: TelemetryTable; rows: number; reason: TelemetryError }
  | { kind: 'full' };

export interface BatchWriterOptions {
  inserter: BlockInserter;
  clock: Clock;
  ids: Ids;
  limits?: Partial<BatchLimits>;
  onEvent?: (event: BatchEvent) => void;
}

/** The blocks of one table that came with one request. */
interface Portion {
  blocks: Uint8Array[];
  rows: number;
  bytes: number;
  addedMs: number;
  resolve: () => void;
  reject: (reason: TelemetryError) => void;
}

interface Queue {
  database: string;
  table: TelemetryTable;
  portions: Portion[];
  rows: number;
  bytes: number;
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
 * Exactly once: a batch keeps its token however often it is tried, and the table drops a token that it has seen. A
 * request whose blocks belong to several tables fails if any of them does; a retry by its sender then repeats the
 * rows of the others.
 */
export class BatchWriter implements BlockSink {
  readonly #inserter: BlockInserter;
  readonly #clock: Clock;
  readonly #ids: Ids;
  readonly #limits: BatchLimits;
  readonly #onEvent: (event: BatchEvent) => void;
  readonly #queues = new Map<string, Queue>();
  readonly #writing = new Set<Promise<void>>();
  #heldBytes = 0;
  #retryUntilMs = Number.POSITIVE_INFINITY;
  #closed = false;

  constructor({ inserter, clock, ids, limits, onEvent }: BatchWriterOptions) {
    this.#inserter = inserter;
    this.#clock = clock;
    this.#ids = ids;
    this.#limits = { ...defaultBatchLimits, ...limits };
    this.#onEvent = onEvent ?? (() => {});
  }

  /** Bytes that wait or are being written. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  async add(database: string, blocks: readonly EncodedBlock[]): Promise<void> {
    if (this.#closed) throw new TelemetryError('unavailable', 'the collector is stopping');
    const bytes = blocks.reduce((sum, block) => sum + block.bytes.byteLength, 0);
    // A request larger than all the room is let in alone: it could never come in otherwise.
    if (this.#heldBytes > 0 && this.#heldBytes + bytes > this.#limits.heldBytesMax) {
      this.#onEvent({ kind: 'full' });
      throw new SinkFullError();
    }
    const tables = new Set(blocks.map(({ table }) => table));
    const parts = [...tables].map((table) => blocks.filter((block) => block.table === table));
    const committed = parts.map((part) => this.#enqueue(database, part));
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
  }

  #enqueue(database: string, blocks: readonly EncodedBlock[]): Promise<void> {
    const [first] = blocks;
    if (!first) return Promise.resolve();
    const queue = this.#queueOf(database, first.table);
    return new Promise((resolve, reject) => {
      const portion: Portion = { blocks: [], rows: 0, bytes: 0, addedMs: this.#clock.nowMs(), resolve, reject };
      for (const block of blocks) {
        portion.blocks.push(block.bytes);
        portion.rows += block.rows;
        portion.bytes += block.bytes.byteLength;
      }
      this.#push(queue, portion);
    });
  }

  #queueOf(database: string, table: TelemetryTable): Queue {
    const known = this.#queues.get(queueKey({ database, table }));
    if (known) return known;
    const counts = { rows: 0, bytes: 0, inserts: 0 };
    const queue: Queue = { database, table, portions: [], due: false, cancelTimer: () => {}, ...counts };
    this.#queues.set(queueKey(queue), queue);
    return queue;
  }

  #push(queue: Queue, portion: Portion): void {
    queue.portions.push(portion);
    queue.rows += portion.rows;
    queue.bytes += portion.bytes;
    this.#heldBytes += portion.bytes;
    if (queue.portions.length === 1) {
      queue.cancelTimer = this.#clock.after(this.#limits.ageMaxMs, () => {
        queue.due = true;
        this.#pump();
      });
    }
    this.#pump();
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
    return queue.due || queue.rows >= batchRowsMax || queue.bytes >= batchBytesMax;
  }

  #start(queue: Queue): void {
    const portions = this.#take(queue);
    queue.inserts++;
    this.#moveToEnd(queue);
    const writing = this.#writeAll(queue, portions).finally(() => {
      queue.inserts--;
      this.#writing.delete(writing);
      for (const { bytes } of portions) this.#heldBytes -= bytes;
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

  /** The next batch: at least one portion, and no more than the limits allow. */
  #take(queue: Queue): Portion[] {
    const taken: Portion[] = [];
    let rows = 0;
    let bytes = 0;
    for (const portion of queue.portions) {
      const fits =
        rows + portion.rows <= this.#limits.batchRowsMax && bytes + portion.bytes <= this.#limits.batchBytesMax;
      if (taken.length > 0 && !fits) break;
      taken.push(portion);
      rows += portion.rows;
      bytes += portion.bytes;
    }
    queue.portions.splice(0, taken.length);
    queue.rows -= rows;
    queue.bytes -= bytes;
    if (queue.portions.length === 0) {
      queue.due = false;
      queue.cancelTimer();
    }
    return taken;
  }

  /** Settles every portion; never rejects. */
  async #writeAll(queue: Queue, portions: readonly Portion[]): Promise<void> {
    try {
      await this.#write(queue, portions);
      for (const { resolve } of portions) resolve();
    } catch (error) {
      const reason = asTelemetryError(error);
      if (portions.length > 1 && !transient.has(reason.kind)) {
        // One request's bad block must not fail its neighbours.
        for (const portion of portions) await this.#writeAll(queue, [portion]);
        return;
      }
      for (const portion of portions) {
        this.#onEvent({ kind: 'rejected', table: queue.table, rows: portion.rows, reason });
        portion.reject(reason);
      }
    }
  }

  async #write({ database, table }: Queue, portions: readonly Portion[]): Promise<void> {
    const token = this.#ids.uuid();
    const blocks = portions.flatMap((portion) => portion.blocks);
    const untilMs = this.#clock.nowMs() + this.#limits.retryForMs;
    for (let delayMs = retryDelayMinMs; ; delayMs = Math.min(delayMs * 2, retryDelayMaxMs)) {
      try {
        await this.#inserter.insert({ database, table, blocks, token });
        break;
      } catch (error) {
        const reason = asTelemetryError(error);
        const nextMs = this.#clock.nowMs() + delayMs;
        if (!transient.has(reason.kind) || nextMs > Math.min(untilMs, this.#retryUntilMs)) throw reason;
        this.#onEvent({ kind: 'retried', table, reason });
        await delay(this.#clock, delayMs);
      }
    }
    const rows = portions.reduce((sum, portion) => sum + portion.rows, 0);
    const bytes = portions.reduce((sum, portion) => sum + portion.bytes, 0);
    const ageMs = this.#clock.nowMs() - Math.min(...portions.map(({ addedMs }) => addedMs));
    this.#onEvent({ kind: 'inserted', table, rows, bytes, requests: portions.length, ageMs });
  }
}

function asTelemetryError(error: unknown): TelemetryError {
  if (error instanceof TelemetryError) return error;
  return new TelemetryError('failed', error instanceof Error ? error.message : String(error));
}

function queueKey({ database, table }: Pick<Queue, 'database' | 'table'>): string {
  return `${database}.${table}`;
}
