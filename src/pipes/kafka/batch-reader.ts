import { type Clock, delay } from '../../kernel/clock.ts';
import { groupedBy } from '../../kernel/grouped-by.ts';
import { nextTurn } from '../../kernel/next-turn.ts';
import { SourceError } from '../source-port.ts';
import type { BatchBuilder } from './batch-builder.ts';
import type { FetchAnswer } from './fetch-answer.ts';
import type { KafkaCluster } from './kafka-cluster.ts';
import type { KafkaConnections } from './kafka-connections.ts';
import { KafkaAnswerError, sourceErrorOf } from './kafka-errors.ts';
import type { PartitionReader } from './partition-reader.ts';
import { peekBatch, readBatch, UnreadableBatchError } from './record-batches.ts';

export interface BatchReaderDeps {
  cluster: KafkaCluster;
  connections: KafkaConnections;
  /** Node that leads a partition; below 0 = none right now. */
  leaderOf: (reader: PartitionReader) => number;
  /** Asks who leads which partition. */
  refresh: () => Promise<void>;
  newBatch: () => BatchBuilder;
  bytesMax: number;
  waitMs: number;
  readCommitted: boolean;
  clock: Clock;
  signal: AbortSignal;
}

/** How long brokers may fail before the pipe is in trouble: elections and restarts of one of several take less. */
const troubleMsMax = 10_000;
const retryMs = 250;
const pollMs = 500;
const mebibyte = 1024 ** 2;
const fetchBytes = { min: mebibyte, max: 16 * mebibyte };
const partitionBytesMax = 4 * mebibyte;
const turnBytes = 2 * mebibyte;
/** Records that were there and do not come back within this time are lost: an unclean election has dropped them. */
const lostMs = 60_000;

/** The records that a position pointed to are no longer there. */
export class OffsetGoneError extends Error {}

/** Reads partitions of one lane into batches, several of them at the same time. */
export class BatchReader {
  readonly #deps: BatchReaderDeps;
  #troubleSinceMs: number | undefined;
  #hadRecords = true;

  constructor(deps: BatchReaderDeps) {
    this.#deps = deps;
  }

  /**
   * The next batch: full, or as much as has come within the waiting time. `undefined` when there is nothing new or the
   * pipe stops. Throws `SourceError` and `OffsetGoneError`.
   */
  async read(readers: readonly PartitionReader[]): Promise<BatchBuilder | undefined> {
    const { newBatch, bytesMax, waitMs, clock, signal } = this.#deps;
    const batch = newBatch();
    let untilMs = Number.POSITIVE_INFINITY;
    while (!signal.aborted) {
      await this.#readPending(readers, batch, bytesMax);
      if (!batch.isEmpty && untilMs === Number.POSITIVE_INFINITY) untilMs = clock.nowMs() + waitMs;
      const leftMs = untilMs - clock.nowMs();
      if (leftMs <= 0 || batch.size >= bytesMax) return batch;
      await this.#fetch(readers, Math.min(pollMs, leftMs), bytesMax - batch.size);
      const isQuiet = batch.isEmpty && !readers.some(({ hasPending }) => hasPending);
      // While brokers fail, what they have is not known.
      if (isQuiet && this.#troubleSinceMs === undefined) return undefined;
    }
    return undefined;
  }

  /**
   * Everything up to the limits of the readers, however much it is. `undefined` when the pipe stops. Throws `SourceError`,
   * and `OffsetGoneError` when it is not all there.
   */
  async readToLimits(readers: readonly PartitionReader[]): Promise<BatchBuilder | undefined> {
    const { newBatch, clock, signal } = this.#deps;
    const batch = newBatch();
    let [left, movedMs] = [remaining(readers), clock.nowMs()];
    while (!signal.aborted) {
      await this.#readPending(readers, batch, Number.POSITIVE_INFINITY);
      if (readers.every(({ isDone }) => isDone)) return batch;
      if (remaining(readers) < left) [left, movedMs] = [remaining(readers), clock.nowMs()];
      else if (clock.nowMs() - movedMs > lostMs) throw new OffsetGoneError();
      await this.#fetch(readers, pollMs, fetchBytes.max);
    }
    return undefined;
  }

  /** Asks all leaders for what comes next. */
  async #fetch(readers: readonly PartitionReader[], waitMs: number, bytesMax: number): Promise<void> {
    const { leaderOf, clock, signal } = this.#deps;
    const asked = groupedBy(
      readers.filter((reader) => !reader.isDone && !reader.hasPending),
      leaderOf,
    );
    const room = Math.max(fetchBytes.min, Math.min(fetchBytes.max, bytesMax));
    // Where one of several leaders has records, the others are not waited for.
    const pauseMs = this.#hadRecords ? 0 : waitMs;
    const results = await Promise.allSettled(
      [...asked].map(([node, ofNode]) => this.#fetchFrom(node, byBacklog(ofNode), { waitMs: pauseMs, bytesMax: room })),
    );
    this.#hadRecords = readers.some(({ hasPending }) => hasPending);
    const failed = results.find((result) => result.status === 'rejected');
    if (!failed) this.#troubleSinceMs = undefined;
    else if (!signal.aborted) await this.#endure(failed.reason);
    if (readers.length === 0) await delay(clock, pollMs, signal);
  }

  async #fetchFrom(
    node: number,
    readers: readonly PartitionReader[],
    { waitMs, bytesMax }: { waitMs: number; bytesMax: number },
  ): Promise<void> {
    const { cluster, connections, readCommitted, signal } = this.#deps;
    const partitions = readers.map(({ topicId, partition, next }) => ({ topicId, partition, offset: next }));
    const order = { partitions, waitMs, bytesMax, partitionBytesMax };
    const answer = await unlessAborted(cluster.fetch(connections, node, order), signal);
    if (!answer) return;
    const failure = this.#takeAnswer(readers, answer, readCommitted);
    if (failure !== undefined) throw new KafkaAnswerError(failure);
  }

  /** The name of an error that passes, if there is one. */
  #takeAnswer(readers: readonly PartitionReader[], answer: FetchAnswer, readCommitted: boolean): string | undefined {
    const { cluster } = this.#deps;
    let failure = cluster.errorName(answer.errorCode);
    for (const fetched of answer.partitions) {
      const reader = readers.find(
        ({ topicId, partition }) => partition === fetched.partition && topicId === fetched.topicId,
      );
      if (!reader) continue;
      const error = cluster.errorName(fetched.errorCode);
      if (error === 'OFFSET_OUT_OF_RANGE') throw new OffsetGoneError();
      if (error === undefined) reader.take(fetched, readCommitted);
      else failure ??= error;
    }
    return failure;
  }

  /** Leaders move and brokers restart: asked again, for a while. */
  async #endure(error: unknown): Promise<void> {
    const { clock, signal, refresh } = this.#deps;
    if (error instanceof OffsetGoneError) throw error;
    const translated = sourceErrorOf(error);
    const passes = translated instanceof SourceError && translated.kind === 'away';
    const nowMs = clock.nowMs();
    this.#troubleSinceMs ??= nowMs;
    if (!passes || nowMs - this.#troubleSinceMs > troubleMsMax) throw translated;
    await delay(clock, retryMs, signal);
    await refresh().catch(() => {});
  }

  async #readPending(readers: readonly PartitionReader[], batch: BatchBuilder, bytesMax: number): Promise<void> {
    let turnAt = batch.size + turnBytes;
    for (const reader of readers) {
      while (reader.hasPending && !reader.isDone && batch.size < bytesMax) {
        await readNext(reader, batch);
        if (batch.size < turnAt) continue;
        turnAt = batch.size + turnBytes;
        await nextTurn();
      }
      if (reader.isDone) reader.dropPending();
    }
  }
}

async function readNext(reader: PartitionReader, batch: BatchBuilder): Promise<void> {
  const { pending, pendingAt, next, limit } = reader;
  const place = peekBatch(pending, pendingAt);
  if (!place) return reader.dropPending();
  if (place.end <= pendingAt) {
    throw new SourceError('rejected', `A broker sends for ${reader.topic}/${reader.partition} what are no records.`);
  }
  reader.pendingAt = place.end;
  if (place.nextOffset <= next) return;
  const to = Math.min(place.nextOffset, limit);
  try {
    const records = readBatch(pending, pendingAt);
    if (records && !reader.isSkipped(records)) await batch.add(reader, records);
  } catch (error) {
    if (!(error instanceof UnreadableBatchError)) throw error;
    const position = `${reader.topic}/${reader.partition}:${next}-${to - 1}`;
    batch.addUnreadable(position, `The record batch has ${error.message}.`, Buffer.alloc(0));
  }
  batch.cover(reader, to);
}

/** Brokers fill an answer in the order of partitions. */
function byBacklog(readers: readonly PartitionReader[]): readonly PartitionReader[] {
  return readers.toSorted((a, b) => b.end - b.next - (a.end - a.next));
}

function remaining(readers: readonly PartitionReader[]): number {
  return readers.reduce((sum, { next, limit }) => sum + Math.max(0, limit - next), 0);
}

function unlessAborted<Value>(value: Promise<Value>, signal: AbortSignal): Promise<Value | undefined> {
  return new Promise((resolve, reject) => {
    const stop = () => resolve(undefined);
    signal.addEventListener('abort', stop, { once: true });
    value.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
