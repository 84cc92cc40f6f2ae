import { type Clock, delay } from '../../kernel/clock.ts';
import { askedFields } from '../records/origin-fields.ts';
import type { RecordFormat } from '../records/record-format.ts';
import { type Lane, type OpenSource, type SourceBatch, SourceError, type SourceJob } from '../source-port.ts';
import { BatchReader } from './batch-reader.ts';
import { findStart, type KinesisStart } from './find-start.ts';
import { KinesisBatch } from './kinesis-batch.ts';
import { kinesisErrorOf } from './kinesis-errors.ts';
import {
  caughtUpEntry,
  KinesisLedger,
  type PlannedBatch,
  planEntry,
  planKey,
  shardEntry,
  type WrittenShard,
} from './kinesis-ledger.ts';
import type { KinesisSettings } from './kinesis-settings.ts';
import type { KinesisStream, ShardPlace } from './kinesis-stream.ts';
import { recordFields } from './record-fields.ts';
import { rangesText, type ShardRange } from './shard-range.ts';
import { type ReadingPace, ShardReader } from './shard-reader.ts';

export interface KinesisSourceDeps {
  job: SourceJob;
  stream: KinesisStream;
  settings: KinesisSettings;
  format: RecordFormat;
  clock: Clock;
  pace: ReadingPace;
  /** How often shards that came from others are looked for. */
  growthMs: number;
}

/**
 * The shards of one stream. Each batch is made durable as ranges of sequence numbers before it is yielded; after a crash,
 * batches that were begun are read and yielded again, with the same ranges, before anything else. A shard that came from
 * others is read when those are written to their end.
 */
export class KinesisSource implements OpenSource {
  readonly phase = 'stream';
  readonly #deps: KinesisSourceDeps;
  readonly #start: KinesisStart;
  readonly #ledger: KinesisLedger;
  readonly #originFields: readonly string[];
  #shards: readonly ShardPlace[];
  #sequence: number;
  /** By the id of the shard. */
  #written: ReadonlyMap<string, WrittenShard> = new Map();
  readonly #ended = new Set<string>();
  readonly #readers = new Map<string, ShardReader>();
  readonly #lanes: ShardReader[][];
  /** Of interrupted batches, records that are no longer there. */
  #lostRecords = 0;
  #plansLeft: number;
  readonly #again = new WeakSet<SourceBatch>();
  #recovered: () => void = () => {};

  private constructor(deps: KinesisSourceDeps, ledger: KinesisLedger, start: KinesisStart) {
    this.#deps = deps;
    this.#ledger = ledger;
    this.#start = start;
    this.#shards = start.shards;
    this.#plansLeft = start.plans.length;
    this.#sequence = Math.max(0, ...start.plans.map(({ sequence }) => sequence));
    this.#originFields = askedFields(deps.job.pipe, recordFields);
    this.#lanes = Array.from({ length: deps.job.limits.lanes }, () => []);
  }

  /** Throws `SourceError`. */
  static async open(deps: KinesisSourceDeps): Promise<KinesisSource> {
    const { job, stream, settings } = deps;
    const ledger = new KinesisLedger(job.pipe.id, job.ledger);
    try {
      return new KinesisSource(deps, ledger, await findStart(job, { stream, ledger, start: settings.start }));
    } catch (error) {
      throw kinesisErrorOf(error);
    }
  }

  async *lanes(): AsyncGenerator<Lane> {
    const { job, clock, growthMs } = this.#deps;
    const { plans } = this.#start;
    if (plans.length > 0) {
      const recovered = new Promise<void>((resolve) => {
        this.#recovered = resolve;
        job.signal.addEventListener('abort', () => resolve(), { once: true });
      });
      yield this.#recoveryLane(plans);
      await recovered;
      if (this.#lostRecords > 0) throw new SourceError('away', interruptedSentence(this.#lostRecords));
    }
    this.#written = await this.#ledger.shards();
    for (const [shard, written] of this.#written) if (written === 'end') this.#ended.add(shard);
    this.#assign();
    for (const readers of this.#lanes) {
      if (!job.signal.aborted) yield this.#lane(readers);
    }
    while (!job.signal.aborted) {
      await delay(clock, growthMs, job.signal);
      if (job.signal.aborted) return;
      // What fails here fails in the lanes as well, and is reported there.
      await this.#grow().catch(() => {});
      await job.plan([caughtUpEntry(clock.nowMs() - this.#lagMs())]).catch(() => {});
    }
  }

  async acknowledge(batch: SourceBatch): Promise<void> {
    if (this.#again.has(batch) && --this.#plansLeft === 0) this.#recovered();
  }

  async close(): Promise<void> {}

  /** Gives shards that may be read to the lanes with the fewest. */
  #assign(): void {
    const present = new Set(this.#shards.map(({ id }) => id));
    const isOver = (id: string) => !present.has(id) || this.#ended.has(id);
    for (const { id, parents } of this.#shards) {
      if (this.#readers.has(id) || this.#ended.has(id) || !parents.every(isOver)) continue;
      const written = this.#written.get(id);
      const after = typeof written === 'object' ? { after: written.after } : {};
      const reader = new ShardReader({ id, start: this.#start.stream.start, ...after });
      const [first, ...others] = this.#lanes;
      const lane = others.reduce((least, one) => (least && one.length < least.length ? one : least), first);
      lane?.push(reader);
      this.#readers.set(id, reader);
    }
  }

  async #grow(): Promise<void> {
    this.#shards = await this.#deps.stream.shards();
    this.#assign();
  }

  /** Batches that a run before has begun. */
  async *#recoveryLane(plans: readonly PlannedBatch[]): AsyncGenerator<SourceBatch> {
    const reader = this.#batchReader();
    for (const { key, ranges } of plans) {
      const batch = await this.#readAgain(reader, ranges);
      if (!batch) return;
      const found = batch.ranges.reduce((sum, { records }) => sum + records, 0);
      this.#lostRecords += ranges.reduce((sum, { records }) => sum + records, 0) - found;
      const again = this.#batchOf(batch, ranges, key);
      this.#again.add(again);
      yield again;
    }
  }

  async #readAgain(reader: BatchReader, ranges: readonly ShardRange[]): Promise<KinesisBatch | undefined> {
    const { start } = this.#start.stream;
    const readers = ranges
      .filter(({ records }) => records > 0)
      .map(({ shard, from, to }) => new ShardReader({ id: shard, start, after: from, limit: to }));
    try {
      return await reader.readToLimits(readers);
    } catch (error) {
      throw kinesisErrorOf(error);
    }
  }

  async *#lane(readers: ShardReader[]): AsyncGenerator<SourceBatch> {
    const { job } = this.#deps;
    const reader = this.#batchReader();
    try {
      while (!job.signal.aborted) {
        const batch = await reader.read(readers);
        if (!batch) {
          // What lags, other lanes read and report.
          if (this.#lagMs() === 0) job.onLag(0);
          continue;
        }
        const { ranges } = batch;
        if (ranges.some(({ records }) => records > 0)) {
          const key = planKey(++this.#sequence);
          await job.plan([planEntry(key, { created: this.#start.stream.created, ranges })]);
          yield this.#batchOf(batch, ranges, key);
        } else {
          // Ends without rows; everything before them is durable.
          await job.plan(entriesOf(ranges));
        }
        if (batch.hasEnd) await this.#follow(readers, ranges);
      }
    } catch (error) {
      // What is interrupted is no news.
      if (!job.signal.aborted) throw kinesisErrorOf(error);
    }
  }

  /** What came from shards that are over can be read now. */
  async #follow(readers: ShardReader[], ranges: readonly ShardRange[]): Promise<void> {
    const ends = ranges.filter(({ isEnd }) => isEnd).map(({ shard }) => shard);
    for (const id of ends) {
      this.#ended.add(id);
      this.#readers.delete(id);
      readers.splice(
        readers.findIndex((reader) => reader.id === id),
        1,
      );
    }
    await this.#grow();
  }

  #batchOf(builder: KinesisBatch, ranges: readonly ShardRange[], planned: string): SourceBatch {
    const lagMs = this.#lagMs();
    // That there is nothing new is known only once the batch is written.
    if (lagMs > 0) this.#deps.job.onLag(lagMs);
    return {
      identity: rangesText({ created: this.#start.stream.created, ranges }),
      positions: [{ key: planned, position: undefined }, ...entriesOf(ranges)],
      format: 'JSONEachRow',
      body: builder.takeLines(),
      records: builder.lines,
      unreadable: builder.unreadable,
      positionOf: (record) => builder.positionOf(record),
      sourceBytes: builder.sourceBytes,
      phase: 'stream',
      // Before shards are read, it is not known.
      ...(this.#readers.size > 0 && { lagMs }),
    };
  }

  #lagMs(): number {
    return Math.max(
      0,
      ...[...this.#readers.values()].map(({ behindMs, next }) => (next ? Math.max(1, behindMs) : behindMs)),
    );
  }

  #batchReader(): BatchReader {
    const { stream, settings, job, clock, format, pace } = this.#deps;
    const { streamName, waitMs } = settings;
    return new BatchReader({
      stream,
      newBatch: () => new KinesisBatch({ stream: streamName, format, originFields: this.#originFields }),
      bytesMax: job.limits.batchBytesMax,
      waitMs,
      pace,
      clock,
      signal: job.signal,
    });
  }
}

function entriesOf(ranges: readonly ShardRange[]) {
  return ranges.map(({ shard, to, isEnd }) => shardEntry(shard, isEnd ? 'end' : { after: to }));
}

function interruptedSentence(records: number): string {
  return `${records} records of a batch that was interrupted were no longer in the stream when it was repeated, and may be missing; the pipe continues with what comes next.`;
}
