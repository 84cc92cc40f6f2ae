import { type Clock, delay } from '../../kernel/clock.ts';
import { nextTurn } from '../../kernel/next-turn.ts';
import { AwsAnswerError } from '../aws/aws-errors.ts';
import { SourceError } from '../source-port.ts';
import type { KinesisBatch } from './kinesis-batch.ts';
import { kinesisErrorOf } from './kinesis-errors.ts';
import { isExpiredIterator, isNotFound, type KinesisStream } from './kinesis-stream.ts';
import type { ReadingPace, ShardReader } from './shard-reader.ts';

export interface BatchReaderDeps {
  stream: KinesisStream;
  newBatch: () => KinesisBatch;
  bytesMax: number;
  waitMs: number;
  pace: ReadingPace;
  clock: Clock;
  signal: AbortSignal;
}

/** How long the service may fail before the pipe is in trouble. */
const troubleMsMax = 10_000;
/** The same for answers that a shard is read too often. */
const throttledMsMax = 60_000;
const retryMs = 500;
/** What one answer may have; as many are asked for at the same time as fit into a batch. */
const answerBytes = 10_000_000;
const asksMax = 8;
const turnBytes = 2 * 1024 ** 2;
/** Records that were there and do not come back within this time are lost to retention. */
const lostMs = 5_000;

/** Reads shards of one lane into batches. */
export class BatchReader {
  readonly #deps: BatchReaderDeps;
  #troubleSinceMs: number | undefined;

  constructor(deps: BatchReaderDeps) {
    this.#deps = deps;
  }

  /**
   * The next batch: full, or as much as has come within the waiting time, or up to the end of a shard. `undefined` when
   * there is nothing new or the pipe stops. Throws `SourceError`.
   */
  async read(readers: readonly ShardReader[]): Promise<KinesisBatch | undefined> {
    const { newBatch, bytesMax, waitMs, clock, signal } = this.#deps;
    const batch = newBatch();
    let untilMs = Number.POSITIVE_INFINITY;
    while (!signal.aborted) {
      await this.#takePending(readers, batch, bytesMax);
      if (!batch.isEmpty && untilMs === Number.POSITIVE_INFINITY) untilMs = clock.nowMs() + waitMs;
      if (batch.hasEnd || batch.size >= bytesMax || clock.nowMs() >= untilMs) return batch;
      const asked = await this.#askDue(readers, untilMs);
      const isQuiet = asked && batch.isEmpty && readers.every(({ next }) => next === undefined);
      // While the service fails, what it has is not known.
      if (isQuiet && this.#troubleSinceMs === undefined && !readers.some(({ isAtEnd }) => isAtEnd)) return undefined;
    }
    return undefined;
  }

  /** Everything up to the limits of the readers, as far as it is still there. `undefined` when the pipe stops. */
  async readToLimits(readers: readonly ShardReader[]): Promise<KinesisBatch | undefined> {
    const { newBatch, clock, signal } = this.#deps;
    const batch = newBatch();
    const emptySinceMs = new Map<ShardReader, number>();
    let left = readers;
    while (!signal.aborted) {
      await this.#takePending(left, batch, Number.POSITIVE_INFINITY, false);
      for (const reader of left) {
        if (reader.behindMs > 0 || reader.isDone) emptySinceMs.delete(reader);
        else if (!emptySinceMs.has(reader)) emptySinceMs.set(reader, clock.nowMs());
      }
      const nowMs = clock.nowMs();
      left = left.filter((reader) => !reader.isDone && nowMs - (emptySinceMs.get(reader) ?? nowMs) < lostMs);
      if (left.length === 0) return batch;
      await this.#askDue(left, Number.POSITIVE_INFINITY, true);
    }
    return undefined;
  }

  async #takePending(
    readers: readonly ShardReader[],
    batch: KinesisBatch,
    bytesMax: number,
    withEnds = true,
  ): Promise<void> {
    let turnAt = batch.size + turnBytes;
    for (const reader of readers) {
      for (let record = reader.next; record && batch.size < bytesMax; record = reader.next) {
        await batch.add(reader, record);
        if (batch.size < turnAt) continue;
        turnAt = batch.size + turnBytes;
        await nextTurn();
      }
      if (withEnds && reader.isDone) batch.end(reader);
    }
  }

  /** Asks shards whose time has come, or waits for that; whether it has asked. */
  async #askDue(readers: readonly ShardReader[], untilMs: number, isAgain = false): Promise<boolean> {
    const { clock, signal, pace, bytesMax } = this.#deps;
    const open = readers.filter(({ next, isAtEnd }) => next === undefined && !isAtEnd);
    const due = open.filter(({ dueMs }) => dueMs <= clock.nowMs()).toSorted((a, b) => a.dueMs - b.dueMs);
    if (due.length === 0) {
      const wakeMs = Math.min(untilMs, clock.nowMs() + pace.idleMs, ...open.map(({ dueMs }) => dueMs));
      await delay(clock, Math.max(1, wakeMs - clock.nowMs()), signal);
      return readers.length === 0;
    }
    const width = Math.max(1, Math.min(asksMax, Math.floor(bytesMax / answerBytes)));
    const asked = due.slice(0, width);
    const results = await Promise.allSettled(asked.map((reader) => this.#ask(reader, isAgain)));
    const failed = results.find((result) => result.status === 'rejected');
    if (!failed) this.#troubleSinceMs = undefined;
    else if (!signal.aborted) await this.#endure(failed.reason);
    return true;
  }

  async #ask(reader: ShardReader, isAgain: boolean): Promise<void> {
    const { stream, clock, pace } = this.#deps;
    try {
      reader.iterator ??= await stream.iterator(reader.id, reader.position);
      reader.give(await stream.records(reader.iterator), clock.nowMs(), pace);
    } catch (error) {
      const nowMs = clock.nowMs();
      if (isExpiredIterator(error)) {
        reader.iterator = undefined;
        reader.dueMs = nowMs + pace.busyMs;
      } else if (isAgain && isNotFound(error)) reader.isAtEnd = true;
      else if (error instanceof AwsAnswerError && error.isThrottle) {
        reader.backOff(nowMs);
        if (nowMs - (reader.throttledSinceMs ?? nowMs) > throttledMsMax) throw new SourceError('away', crowded, error);
      } else {
        reader.dueMs = nowMs + retryMs;
        throw error;
      }
    }
  }

  /** Asked again, for a while. */
  async #endure(error: unknown): Promise<void> {
    const { clock, signal } = this.#deps;
    const translated = kinesisErrorOf(error);
    const passes = translated instanceof SourceError && translated.kind === 'away' && !(error instanceof SourceError);
    const nowMs = clock.nowMs();
    this.#troubleSinceMs ??= nowMs;
    if (!passes || isNotFound(error) || nowMs - this.#troubleSinceMs > troubleMsMax) throw translated;
    await delay(clock, retryMs, signal);
  }
}

const crowded =
  'Other consumers use up what AWS allows to be read from the stream; give the stream more shards, or read it less often.';
