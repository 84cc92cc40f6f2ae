import { type Clock, delay } from '../../kernel/clock.ts';
import { askedFields } from '../records/origin-fields.ts';
import type { RecordFormat } from '../records/record-format.ts';
import { type Lane, type OpenSource, type SourceBatch, SourceError, type SourceJob } from '../source-port.ts';
import { BatchBuilder } from './batch-builder.ts';
import { BatchReader, OffsetGoneError } from './batch-reader.ts';
import { addPositions, findPositions, type KafkaStart, placesOf } from './find-positions.ts';
import { GroupOffsets } from './group-offsets.ts';
import { type KafkaCluster, keyOf, type PartitionOffset, type TopicPlace } from './kafka-cluster.ts';
import { sourceErrorOf } from './kafka-errors.ts';
import {
  KafkaLedger,
  type PartitionPosition,
  type PlannedBatch,
  planEntry,
  planKey,
  positionEntry,
} from './kafka-ledger.ts';
import type { KafkaSettings } from './kafka-settings.ts';
import { type OffsetRange, rangesText } from './offset-range.ts';
import { PartitionReader } from './partition-reader.ts';
import { recordFields } from './record-fields.ts';

export interface KafkaSourceDeps {
  job: SourceJob;
  cluster: KafkaCluster;
  settings: KafkaSettings;
  format: RecordFormat;
  clock: Clock;
  /** How often partitions that were added are looked for. */
  growthMs: number;
}

/**
 * The topics of one pipe. Each batch is made durable as ranges of offsets before it is yielded; after a crash, batches
 * that were begun are read and yielded again, with the same ranges, before anything else.
 */
export class KafkaSource implements OpenSource {
  readonly phase = 'stream';
  readonly #deps: KafkaSourceDeps;
  readonly #start: KafkaStart;
  readonly #group: GroupOffsets;
  readonly #originFields: readonly string[];
  #topics: readonly TopicPlace[];
  #sequence: number;
  /** Time of the latest record that was read; 0 = there is none. */
  #latestMs = 0;
  readonly #readers: PartitionReader[] = [];
  readonly #ranges = new WeakMap<SourceBatch, readonly OffsetRange[]>();
  /** Batches of a run before that are read again. */
  readonly #again = new WeakSet<SourceBatch>();
  #plansLeft: number;
  /** Of these batches, what is no longer there. */
  #lostRecords = 0;
  #recovered: () => void = () => {};

  private constructor(deps: KafkaSourceDeps, start: KafkaStart) {
    this.#deps = deps;
    this.#start = start;
    this.#topics = start.topics;
    this.#plansLeft = start.plans.length;
    this.#sequence = Math.max(0, ...start.plans.map(({ sequence }) => sequence));
    this.#group = new GroupOffsets(deps.cluster);
    this.#originFields = askedFields(deps.job.pipe, recordFields);
  }

  /** Throws `SourceError`. */
  static async open(deps: KafkaSourceDeps): Promise<KafkaSource> {
    try {
      const start = await findPositions(deps.job, deps.cluster, deps.settings);
      const source = new KafkaSource(deps, start);
      if (deps.job.isTrial) return source;
      // The ledger is what holds; where the group differs, it follows. It also shows whether the group is free.
      await source.#group.commit(
        placesOf(source.#own(start.topics)).map((place) => ({
          ...place,
          offset: start.positions.get(keyOf(place))?.offset ?? 0,
        })),
      );
      return source;
    } catch (error) {
      throw sourceErrorOf(error);
    }
  }

  async *lanes(): AsyncGenerator<Lane> {
    const { job, clock, growthMs } = this.#deps;
    const { plans } = this.#start;
    let positions = this.#start.positions;
    if (plans.length > 0) {
      const recovered = new Promise<void>((resolve) => {
        this.#recovered = resolve;
        job.signal.addEventListener('abort', () => resolve(), { once: true });
      });
      yield this.#recoveryLane(plans);
      await recovered;
      if (this.#lostRecords > 0) throw new SourceError('away', interruptedSentence(this.#lostRecords));
      positions = await new KafkaLedger(job.pipe.id, job.ledger).positions(placesOf(this.#own(this.#topics)));
    }
    const lanes = this.#assign(positions);
    for (const lane of lanes) {
      if (!job.signal.aborted) yield this.#lane(lane);
    }
    while (!job.signal.aborted) {
      await delay(clock, growthMs, job.signal);
      // What fails here fails in the lanes as well, and is reported there.
      if (!job.signal.aborted) await this.#addGrown(lanes).catch(() => {});
    }
  }

  async acknowledge(batch: SourceBatch): Promise<void> {
    const ranges = this.#ranges.get(batch) ?? [];
    if (this.#again.has(batch) && --this.#plansLeft === 0) this.#recovered();
    await this.#group.commit(ranges.map(({ topic, partition, to }) => ({ topic, partition, offset: to })));
  }

  close(): Promise<void> {
    return this.#deps.cluster.close();
  }

  /** Without topics that only a batch from before has. */
  #own(topics: readonly TopicPlace[]): TopicPlace[] {
    return topics.filter(({ name }) => this.#deps.settings.topics.includes(name));
  }

  #assign(positions: ReadonlyMap<string, PartitionPosition>): PartitionReader[][] {
    const places = placesOf(this.#own(this.#topics));
    const lanes: PartitionReader[][] = Array.from(
      { length: Math.max(1, Math.min(this.#deps.job.limits.lanes, places.length)) },
      () => [],
    );
    for (const place of places) this.#addReader(lanes, place, positions.get(keyOf(place)));
    return lanes;
  }

  #addReader(
    lanes: readonly PartitionReader[][],
    { topic, partition }: { topic: string; partition: number },
    position: PartitionPosition | undefined,
  ): void {
    const topicId = this.#topics.find(({ name }) => name === topic)?.id ?? '';
    const { offset, resets } = position ?? { offset: 0, resets: 0 };
    const reader = new PartitionReader({ topic, topicId, partition, resets }, offset);
    lanes[this.#readers.length % lanes.length]?.push(reader);
    this.#readers.push(reader);
  }

  async #addGrown(lanes: readonly PartitionReader[][]): Promise<void> {
    const { job, cluster, settings } = this.#deps;
    await this.#refresh();
    const topics = this.#own(this.#topics);
    const known = new Set(this.#readers.map((reader) => keyOf(reader)));
    const grown = topics.filter((topic) => placesOf([topic]).some((place) => !known.has(keyOf(place))));
    if (grown.length === 0) return;
    const ids = new Map(topics.map(({ name, id }) => [name, id]));
    const positions = await new KafkaLedger(job.pipe.id, job.ledger).positions(placesOf(grown));
    await addPositions(grown, { ids, positions, job, cluster, settings });
    for (const place of placesOf(grown)) {
      if (!known.has(keyOf(place))) this.#addReader(lanes, place, positions.get(keyOf(place)));
    }
  }

  async #refresh(): Promise<void> {
    this.#topics = await this.#deps.cluster.topics(this.#topics.map(({ name }) => name));
  }

  /** Batches that a run before has begun. */
  async *#recoveryLane(plans: readonly PlannedBatch[]): AsyncGenerator<SourceBatch> {
    const connections = this.#deps.cluster.connections();
    const reader = this.#batchReader(connections);
    try {
      for (const { key, ranges } of plans) {
        const batch = await this.#readAgain(reader, ranges);
        if (!batch) return;
        const again = this.#batchOf(batch, ranges, key);
        this.#again.add(again);
        yield again;
      }
    } finally {
      await connections.close();
    }
  }

  async #readAgain(reader: BatchReader, ranges: readonly OffsetRange[]): Promise<BatchBuilder | undefined> {
    const topics = this.#topics;
    // Of a topic that was made anew, nothing is left.
    const left = ranges.filter(({ topic, topicId }) => topics.some(({ name, id }) => name === topic && id === topicId));
    try {
      return await reader.readToLimits(readersOf(left));
    } catch (error) {
      if (!(error instanceof OffsetGoneError)) throw sourceErrorOf(error);
    }
    try {
      return await reader.readToLimits(readersOf(await this.#stillThere(left)));
    } catch (error) {
      throw laneError(error);
    }
  }

  /** Without what retention has removed, or the cluster has lost. */
  async #stillThere(ranges: readonly OffsetRange[]): Promise<OffsetRange[]> {
    const { cluster } = this.#deps;
    const byKey = (offsets: readonly PartitionOffset[]) => new Map(offsets.map((one) => [keyOf(one), one.offset]));
    const firsts = byKey(await cluster.offsets(this.#topics, 'earliest'));
    const ends = byKey(await cluster.offsets(this.#topics, 'end'));
    const left = ranges
      .map((range) => ({
        ...range,
        from: Math.max(range.from, firsts.get(keyOf(range)) ?? range.to),
        to: Math.min(range.to, ends.get(keyOf(range)) ?? range.to),
      }))
      .filter(({ from, to }) => from < to);
    this.#lostRecords += recordsOf(ranges) - recordsOf(left);
    return left;
  }

  /** Reads one batch ahead. */
  async *#lane(readers: readonly PartitionReader[]): AsyncGenerator<SourceBatch> {
    const { cluster, job } = this.#deps;
    const connections = cluster.connections();
    const reader = this.#batchReader(connections);
    let ahead: ReturnType<BatchReader['read']> | undefined;
    try {
      while (!job.signal.aborted) {
        const batch = await (ahead ?? reader.read(readers));
        ahead = undefined;
        if (!batch) {
          this.#reportLag();
          continue;
        }
        const planned = await this.#planned(batch);
        // While this one is written; it is planned only when that is done.
        ahead = reader.read(readers);
        ahead.catch(() => {});
        yield planned;
      }
    } catch (error) {
      throw laneError(error);
    } finally {
      await ahead?.catch(() => {});
      await connections.close();
    }
  }

  /** The ranges of the batch are durable before it is. */
  async #planned(batch: BatchBuilder): Promise<SourceBatch> {
    const { ranges } = batch;
    const key = planKey(++this.#sequence);
    await this.#deps.job.plan([planEntry(key, ranges)]);
    return this.#batchOf(batch, ranges, key);
  }

  #batchOf(builder: BatchBuilder, ranges: readonly OffsetRange[], planned: string): SourceBatch {
    const ids = new Map(this.#topics.map(({ name, id }) => [name, id]));
    this.#latestMs = Math.max(this.#latestMs, builder.timestampMs);
    const lag = this.#lag();
    // That there is nothing new is known only once the batch is written.
    if (lag.lagMs > 0) this.#deps.job.onLag(lag.lagMs, lag.lagRecords);
    const batch: SourceBatch = {
      identity: rangesText(ranges),
      positions: [
        { key: planned, position: undefined },
        ...ranges
          .filter(({ topic, topicId }) => ids.get(topic) === topicId)
          .map((range) => positionEntry(range, { offset: range.to, resets: range.resets })),
      ],
      format: 'JSONEachRow',
      body: builder.takeLines(),
      records: builder.lines,
      unreadable: builder.unreadable,
      positionOf: (record) => builder.positionOf(record),
      sourceBytes: builder.sourceBytes,
      phase: 'stream',
      ...lag,
    };
    this.#ranges.set(batch, ranges);
    return batch;
  }

  #reportLag(): void {
    const { lagMs, lagRecords } = this.#lag();
    // What lags, other lanes read and report.
    if (lagRecords === 0) this.#deps.job.onLag(lagMs, lagRecords);
  }

  #lag(): { lagMs: number; lagRecords: number } {
    const lagRecords = this.#readers.reduce((sum, { next, end }) => sum + Math.max(0, end - next), 0);
    return {
      lagMs:
        lagRecords === 0 || this.#latestMs === 0
          ? Math.min(1, lagRecords)
          : Math.max(1, this.#deps.clock.nowMs() - this.#latestMs),
      lagRecords,
    };
  }

  #batchReader(connections: ReturnType<KafkaCluster['connections']>): BatchReader {
    const { cluster, settings, job, clock, format } = this.#deps;
    return new BatchReader({
      cluster,
      connections,
      leaderOf: ({ topicId, partition }) => this.#topics.find(({ id }) => id === topicId)?.leaders[partition] ?? -1,
      refresh: () => this.#refresh(),
      newBatch: () => new BatchBuilder(format, this.#originFields),
      bytesMax: job.limits.batchBytesMax,
      waitMs: settings.waitMs,
      readCommitted: settings.readCommitted,
      clock,
      signal: job.signal,
    });
  }
}

function readersOf(ranges: readonly OffsetRange[]): PartitionReader[] {
  return ranges.map((range) => new PartitionReader(range, range.from, range.to));
}

function recordsOf(ranges: readonly OffsetRange[]): number {
  return ranges.reduce((sum, { from, to }) => sum + to - from, 0);
}

function interruptedSentence(records: number): string {
  return `${records} records of a batch that was interrupted were no longer in the topic when it was repeated, and may be missing; the pipe continues with what comes next.`;
}

/** What is lost is found, and reported, when the source is opened again. */
function laneError(error: unknown): unknown {
  if (!(error instanceof OffsetGoneError)) return sourceErrorOf(error);
  return new SourceError('away', 'Records that come next are no longer there.', error);
}
