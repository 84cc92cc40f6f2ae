import type { AbortedTransaction, FetchedPartition } from './fetch-answer.ts';
import type { RecordBatch } from './record-batches.ts';

/** How far one partition has been read, and what of it has arrived but is not read yet. */
export class PartitionReader {
  readonly topic: string;
  readonly topicId: string;
  readonly partition: number;
  readonly resets: number;
  /** Nothing from here on is read. */
  readonly limit: number;
  /** Offset of the next record. */
  next: number;
  /** End of what can be read, as of the last answer. */
  end = 0;
  pending: Buffer = Buffer.alloc(0);
  pendingAt = 0;
  #aborted: AbortedTransaction[] = [];
  readonly #abortedProducers = new Set<bigint>();

  constructor(
    place: { topic: string; topicId: string; partition: number; resets: number },
    next: number,
    limit = Number.POSITIVE_INFINITY,
  ) {
    this.topic = place.topic;
    this.topicId = place.topicId;
    this.partition = place.partition;
    this.resets = place.resets;
    this.next = next;
    this.limit = limit;
  }

  get isDone(): boolean {
    return this.next >= this.limit;
  }

  get hasPending(): boolean {
    return this.pendingAt < this.pending.length;
  }

  take(answer: FetchedPartition, isCommittedOnly: boolean): void {
    this.pending = answer.records;
    this.pendingAt = 0;
    this.end = isCommittedOnly ? answer.lastStableOffset : answer.highWatermark;
    this.#aborted = answer.aborted.toSorted((a, b) => a.firstOffset - b.firstOffset);
    this.#abortedProducers.clear();
  }

  /** The rest is asked for again. */
  dropPending(): void {
    this.pending = Buffer.alloc(0);
    this.pendingAt = 0;
  }

  /** Whether the records of the batch are no one's: of an aborted transaction, or control records. */
  isSkipped(batch: RecordBatch): boolean {
    while ((this.#aborted[0]?.firstOffset ?? Number.POSITIVE_INFINITY) < batch.nextOffset) {
      const aborted = this.#aborted.shift();
      if (aborted) this.#abortedProducers.add(aborted.producerId);
    }
    if (batch.control !== 'none') {
      if (batch.control === 'abort') this.#abortedProducers.delete(batch.producerId);
      return true;
    }
    return batch.isTransactional && this.#abortedProducers.has(batch.producerId);
  }
}
