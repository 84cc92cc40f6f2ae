import type { KinesisRecord, RecordsAnswer, ShardPosition } from './kinesis-stream.ts';
import { isAfter } from './shard-range.ts';

/** How often a shard may be asked: AWS allows five times a second, for all consumers together. */
export interface ReadingPace {
  /** While it has more. */
  busyMs: number;
  /** When there was nothing new. */
  idleMs: number;
}

const firstBackOffMs = 500;
const backOffMsMax = 10_000;

/** How far one shard has been read, and what of it has arrived but is not in a batch yet. */
export class ShardReader {
  readonly id: string;
  /** Of the last record that is in a batch; empty = none. */
  sequence: string;
  iterator: string | undefined;
  /** Closed, and everything has arrived. */
  isAtEnd = false;
  /** How far the last answer was behind the newest record. */
  behindMs = 1;
  /** May be asked again then. */
  dueMs = 0;
  /** Since when every answer has been that the shard is asked too often. */
  throttledSinceMs: number | undefined;
  readonly #start: ShardPosition;
  /** Nothing after this one is read; absent = no limit. */
  readonly #limit: string | undefined;
  #backOffMs = firstBackOffMs;
  #pending: readonly KinesisRecord[] = [];
  #at = 0;

  constructor(place: { id: string; start: ShardPosition; after?: string; limit?: string }) {
    this.id = place.id;
    this.#start = place.start;
    this.sequence = place.after ?? '';
    this.#limit = place.limit;
  }

  get position(): ShardPosition {
    return this.sequence === '' ? this.#start : { after: this.sequence };
  }

  /** The next record, if one has arrived. */
  get next(): KinesisRecord | undefined {
    const record = this.#pending[this.#at];
    const isOver = record && this.#limit !== undefined && isAfter(record.sequence, this.#limit);
    return isOver ? undefined : record;
  }

  /** There is nothing more to read. */
  get isDone(): boolean {
    if (this.#limit !== undefined) {
      const isPast = this.#at < this.#pending.length && this.next === undefined;
      if (isPast || !isAfter(this.#limit, this.sequence)) return true;
    }
    return this.isAtEnd && this.#at >= this.#pending.length;
  }

  advance(record: KinesisRecord): void {
    this.#at++;
    this.sequence = record.sequence;
    if (this.#at < this.#pending.length) return;
    this.#pending = [];
    this.#at = 0;
  }

  give({ records, next, behindMs }: RecordsAnswer, nowMs: number, pace: ReadingPace): void {
    this.#pending = records;
    this.#at = 0;
    this.iterator = next;
    this.isAtEnd = next === undefined;
    this.behindMs = behindMs;
    this.dueMs = nowMs + (behindMs > 0 || records.length > 0 ? pace.busyMs : pace.idleMs);
    this.#backOffMs = firstBackOffMs;
    this.throttledSinceMs = undefined;
  }

  backOff(nowMs: number): void {
    this.throttledSinceMs ??= nowMs;
    this.dueMs = nowMs + this.#backOffMs;
    this.#backOffMs = Math.min(backOffMsMax, this.#backOffMs * 2);
  }
}
