import { LineBody } from '../records/line-body.ts';
import { originText } from '../records/origin-fields.ts';
import { type RecordFormat, UnreadableRecordError, type ValuePlace } from '../records/record-format.ts';
import { recordText, type UnreadableRecord, unreadableBytes } from '../records/unreadable-record.ts';
import type { OffsetRange } from './offset-range.ts';
import type { PartitionReader } from './partition-reader.ts';
import { type RecordBatch, RecordCursor } from './record-batches.ts';
import { recordFields } from './record-fields.ts';

/** Records of a batch in which only one partition occurs. */
interface Segment {
  place: string;
  /** Number of its first line. */
  start: number;
}

/** Rows of several partitions that will be written together. */
export class BatchBuilder {
  readonly #lines = new LineBody();
  readonly unreadable: UnreadableRecord[] = [];
  #unreadableBytes = 0;
  sourceBytes = 0;
  /** Of the latest record. */
  timestampMs = 0;
  readonly #format: RecordFormat;
  readonly #originFields: readonly string[];
  readonly #ranges = new Map<PartitionReader, OffsetRange>();
  readonly #segments: Segment[] = [];
  /** By line. */
  readonly #offsets: number[] = [];

  constructor(format: RecordFormat, originFields: readonly string[]) {
    this.#format = format;
    this.#originFields = originFields;
  }

  get ranges(): OffsetRange[] {
    return [...this.#ranges.values()];
  }

  get isEmpty(): boolean {
    return this.#ranges.size === 0;
  }

  /** Bytes that it holds. */
  get size(): number {
    return this.#lines.length + this.#unreadableBytes;
  }

  /** Of all records that can be read: one may have several. */
  get lines(): number {
    return this.#offsets.length;
  }

  /** In parts that end where a line does. */
  takeLines(): Buffer[] {
    return this.#lines.take();
  }

  /** Where a line was read. */
  positionOf(line: number): string {
    const segment = this.#segments.findLast(({ start }) => start <= line);
    return `${segment?.place ?? ''}:${this.#offsets[line] ?? ''}`;
  }

  /** Everything up to `to` has been dealt with. */
  cover(reader: PartitionReader, to: number): void {
    const known = this.#ranges.get(reader);
    const { topic, topicId, partition, resets, next } = reader;
    if (known) known.to = to;
    else this.#ranges.set(reader, { topic, topicId, partition, resets, from: next, to });
    reader.next = to;
  }

  /** Throws `SourceError` when what is needed to read the batch cannot be had. */
  async add(reader: PartitionReader, batch: RecordBatch): Promise<void> {
    await this.#format.begin({ bytes: batch.records, places: () => valuesOf(batch) });
    const { topic, partition } = reader;
    const { records, baseOffset, baseTimestampMs } = batch;
    this.#segments.push({ place: `${topic}/${partition}`, start: this.#offsets.length });
    const cursor = new RecordCursor(records, batch.count);
    const value: ValuePlace = { bytes: records, start: 0, end: 0 };
    while (cursor.next()) {
      const offset = baseOffset + cursor.offsetDelta;
      if (offset < reader.next) continue;
      if (offset >= reader.limit) break;
      // Without a value it says that its key is gone: there is no row in it.
      if (cursor.valueStart < 0 || cursor.valueStart === cursor.valueEnd) continue;
      value.start = cursor.valueStart;
      value.end = cursor.valueEnd;
      this.sourceBytes += value.end - value.start;
      const timestampMs = baseTimestampMs + cursor.timestampDelta;
      if (timestampMs > this.timestampMs) this.timestampMs = timestampMs;
      this.#write(value, this.#prefix(reader, cursor, { offset, timestampMs, records }), {
        place: `${topic}/${partition}`,
        offset,
      });
    }
  }

  addUnreadable(position: string, reason: string, record: Buffer): void {
    this.unreadable.push({ position, reason, record: recordText(record) });
    this.#unreadableBytes += unreadableBytes;
  }

  #write(value: ValuePlace, prefix: string, { place, offset }: { place: string; offset: number }): void {
    try {
      for (let lines = this.#format.write(value, prefix, this.#lines); lines > 0; lines--) this.#offsets.push(offset);
    } catch (error) {
      if (!(error instanceof UnreadableRecordError)) throw error;
      this.#lines.abandonLine();
      this.addUnreadable(`${place}:${offset}`, error.message, value.bytes.subarray(value.start, value.end));
    }
  }

  #prefix(
    { topic, partition }: PartitionReader,
    { keyStart, keyEnd }: RecordCursor,
    { offset, timestampMs, records }: { offset: number; timestampMs: number; records: Buffer },
  ): string {
    if (this.#originFields.length === 0) return '';
    const key = keyEnd > keyStart ? records.subarray(keyStart, keyEnd) : undefined;
    return originText(recordFields, this.#originFields, { topic, partition, offset, timestampMs, key });
  }
}

function* valuesOf({ records, count }: RecordBatch): Generator<{ start: number; end: number }> {
  const cursor = new RecordCursor(records, count);
  while (cursor.next()) yield { start: cursor.valueStart, end: cursor.valueEnd };
}
