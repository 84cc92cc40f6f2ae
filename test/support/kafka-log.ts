import { randomUUID } from 'node:crypto';
import { createRecordsBatch } from '@platformatic/kafka';

export interface StoredBatch {
  base: number;
  next: number;
  timestampMs: number;
  bytes: Buffer;
}

export interface AppendOptions {
  timestampMs?: number;
  compression?: 'none' | 'gzip' | 'snappy' | 'lz4';
  keys?: readonly string[];
}

type Value = string | Buffer | null;

const producerId = 7n;
const controlBit = 0x20;

/** The log of one partition of `KafkaServer`. */
export class PartitionLog {
  readonly aborted: { producerId: bigint; firstOffset: number; lastOffset: number }[] = [];
  batches: StoredBatch[] = [];
  start = 0;
  end = 0;

  append(values: readonly Value[], options: AppendOptions = {}): void {
    this.#store(values, options, {});
  }

  /** A transaction that its producer has given up. */
  appendAborted(values: readonly Value[]): void {
    const firstOffset = this.end;
    this.#store(values, {}, { transactionalId: 't', producerId });
    this.aborted.push({ producerId, firstOffset, lastOffset: this.end });
    const marker = this.#store([Buffer.alloc(6)], { keys: ['\0\0\0\0'] }, { transactionalId: 't', producerId });
    marker.bytes.writeInt16BE(marker.bytes.readInt16BE(21) | controlBit, 21);
  }

  /** Bytes that no reader of records can make sense of, in the frame of a batch. */
  appendBroken(): void {
    const { bytes } = this.#store(['x'], { compression: 'gzip' }, {});
    bytes.fill(0xff, 61);
  }

  /** As retention does. */
  dropBefore(offset: number): void {
    this.batches = this.batches.filter(({ next }) => next > offset);
    this.start = offset;
  }

  /** What a broker answers for an offset: whole batches, the first of them whatever its size. */
  read(offset: number, bytesMax: number): Buffer {
    const found: Buffer[] = [];
    let left = bytesMax;
    for (const { next, bytes } of this.batches) {
      if (next <= offset) continue;
      if (found.length > 0 && bytes.length > left) break;
      left -= bytes.length;
      found.push(bytes);
    }
    return Buffer.concat(found);
  }

  #store(
    values: readonly Value[],
    options: AppendOptions,
    extra: { transactionalId?: string; producerId?: bigint },
  ): StoredBatch {
    const { timestampMs = Date.now(), compression = 'none', keys = [] } = options;
    const messages = values.map((value, index) => ({
      topic: '',
      key: keys[index] === undefined ? null : Buffer.from(keys[index]),
      value: typeof value === 'string' ? Buffer.from(value) : value,
      timestamp: BigInt(timestampMs),
    }));
    // The library writes a record without a value as well, though its type says otherwise.
    const written = createRecordsBatch(messages as never, { ...extra, compression } as never);
    const bytes = Buffer.from(written.buffer);
    bytes.writeBigInt64BE(BigInt(this.end));
    const batch = { base: this.end, next: this.end + values.length, timestampMs, bytes };
    this.batches.push(batch);
    this.end = batch.next;
    return batch;
  }
}

/** A topic of `KafkaServer`. */
export class TopicLog {
  readonly id = randomUUID();
  readonly partitions: PartitionLog[];

  constructor(partitions: number) {
    this.partitions = Array.from({ length: partitions }, () => new PartitionLog());
  }

  addPartition(): PartitionLog {
    const log = new PartitionLog();
    this.partitions.push(log);
    return log;
  }

  partition(index: number): PartitionLog {
    const log = this.partitions[index];
    if (!log) throw new Error(`no partition ${index}`);
    return log;
  }
}
