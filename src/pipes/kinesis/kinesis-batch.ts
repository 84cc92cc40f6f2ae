import { LineBody } from '../records/line-body.ts';
import { originText } from '../records/origin-fields.ts';
import { type RecordFormat, UnreadableRecordError } from '../records/record-format.ts';
import { recordText, type UnreadableRecord, unreadableBytes } from '../records/unreadable-record.ts';
import type { KinesisRecord } from './kinesis-stream.ts';
import { recordFields } from './record-fields.ts';
import { type RecordValue, valuesOf } from './record-values.ts';
import type { ShardRange } from './shard-range.ts';
import type { ShardReader } from './shard-reader.ts';

export interface BatchDeps {
  stream: string;
  format: RecordFormat;
  /** Fields of the origin that the pipe asks for. */
  originFields: readonly string[];
}

/** Rows of several shards that will be written together. */
export class KinesisBatch {
  readonly unreadable: UnreadableRecord[] = [];
  sourceBytes = 0;
  readonly #deps: BatchDeps;
  readonly #lines = new LineBody();
  readonly #ranges = new Map<ShardReader, ShardRange>();
  /** By line. */
  readonly #places: string[] = [];
  #unreadableBytes = 0;
  #hasEnd = false;

  constructor(deps: BatchDeps) {
    this.#deps = deps;
  }

  get ranges(): ShardRange[] {
    return [...this.#ranges.values()];
  }

  get isEmpty(): boolean {
    return this.#ranges.size === 0;
  }

  /** Bytes that it holds. */
  get size(): number {
    return this.#lines.length + this.#unreadableBytes;
  }

  /** Whether a shard is over: those that come after it wait. */
  get hasEnd(): boolean {
    return this.#hasEnd;
  }

  /** Of all records that can be read: one may have several. */
  get lines(): number {
    return this.#places.length;
  }

  /** In parts that end where a line does. */
  takeLines(): Buffer[] {
    return this.#lines.take();
  }

  positionOf(line: number): string {
    return this.#places[line] ?? '';
  }

  /** Throws `SourceError` when what is needed to read the record cannot be had. */
  async add(reader: ShardReader, record: KinesisRecord): Promise<void> {
    const range = this.#rangeOf(reader);
    range.to = record.sequence;
    range.records++;
    const place = `${reader.id}:${record.sequence}`;
    this.sourceBytes += record.data.length;
    const values = this.#valuesOf(record, place);
    for (const [index, value] of values.entries()) {
      await this.#write(value, values.length > 1 ? `${place}/${index}` : place, {
        ...{ shard: reader.id, sequence: record.sequence, arrivalMs: record.arrivalMs },
      });
    }
    reader.advance(record);
  }

  end(reader: ShardReader): void {
    this.#rangeOf(reader).isEnd = true;
    this.#hasEnd = true;
  }

  #rangeOf(reader: ShardReader): ShardRange {
    const known = this.#ranges.get(reader);
    if (known) return known;
    const { id: shard, sequence } = reader;
    const range = { shard, from: sequence, to: sequence, records: 0, isEnd: false };
    this.#ranges.set(reader, range);
    return range;
  }

  #valuesOf(record: KinesisRecord, place: string): RecordValue[] {
    try {
      return valuesOf(record);
    } catch (error) {
      this.#setAside(error, place, record.data);
      return [];
    }
  }

  async #write(
    { data, key }: RecordValue,
    place: string,
    origin: { shard: string; sequence: string; arrivalMs: number },
  ): Promise<void> {
    const { format, stream, originFields } = this.#deps;
    if (data.length === 0) return;
    await format.begin({ bytes: data, places: () => [{ start: 0, end: data.length }] });
    const prefix = originText(recordFields, originFields, { stream, key, ...origin });
    try {
      for (
        let lines = format.write({ bytes: data, start: 0, end: data.length }, prefix, this.#lines);
        lines > 0;
        lines--
      ) {
        this.#places.push(place);
      }
    } catch (error) {
      this.#lines.abandonLine();
      this.#setAside(error, place, data);
    }
  }

  #setAside(error: unknown, position: string, record: Buffer): void {
    if (!(error instanceof UnreadableRecordError)) throw error;
    this.unreadable.push({ position, reason: error.message, record: recordText(record) });
    this.#unreadableBytes += unreadableBytes;
  }
}
