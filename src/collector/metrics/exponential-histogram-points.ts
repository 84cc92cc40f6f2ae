import { ByteRange } from '../decode/byte-range.ts';
import type { DecodeRun } from '../decode/decode-run.ts';
import type { ProtobufReader } from '../decode/protobuf-reader.ts';
import { UInt64 } from '../decode/uint64.ts';
import type { UnixNano } from '../decode/unix-nano.ts';
import { fixed64, lengthDelimited, varint } from '../decode/wire-format.ts';
import type { ArrayColumn } from '../native/array-column.ts';
import type { Column32, Column64 } from '../native/number-columns.ts';
import { DataPoint, type DataPointRows } from './data-point.ts';
import { appendExemplars } from './exemplars.ts';
import { createExponentialHistogramTable } from './metric-tables.ts';
import { appendVarintList } from './number-lists.ts';

const attributesField = lengthDelimited(1);
const countField = fixed64(4);
const sumField = fixed64(5);
const scaleField = varint(6);
const zeroCountField = fixed64(7);
const positiveField = lengthDelimited(8);
const negativeField = lengthDelimited(9);
const flagsField = varint(10);
const exemplarsField = lengthDelimited(11);
const minField = fixed64(12);
const maxField = fixed64(13);

const offsetField = varint(1);
const bucketCounts = 2;

/** ExponentialHistogramDataPoints, a sum that is absent as of histograms; the tables have no column for the zero threshold. */
export class ExponentialHistogramPoints implements DataPointRows {
  readonly table = createExponentialHistogramTable();
  readonly #point = new DataPoint({ attributes: attributesField, flags: flagsField, exemplars: exemplarsField });
  readonly #count = new UInt64();
  readonly #zeroCount = new UInt64();
  readonly #positive = new ByteRange();
  readonly #negative = new ByteRange();
  #scale = 0;
  #sum = Number.NaN;
  #min = 0;
  #max = 0;

  scan(reader: ProtobufReader, end: number): void {
    this.#clear();
    while (reader.position < end) {
      const tagStart = reader.position;
      this.#scanField(reader, tagStart, reader.readTag(end), end);
    }
  }

  whyRejected(run: DecodeRun): string | undefined {
    return this.#point.whyRejected(run);
  }

  append(reader: ProtobufReader, now: UnixNano): void {
    const { columns } = this.table;
    this.#point.append(reader, columns, now);
    columns.Count.append(this.#count.low, this.#count.high);
    columns.Sum.appendDouble(this.#sum);
    columns.Scale.append(this.#scale);
    columns.ZeroCount.append(this.#zeroCount.low, this.#zeroCount.high);
    columns.Min.appendDouble(this.#min);
    columns.Max.appendDouble(this.#max);
    appendBuckets(reader, this.#positive, columns.PositiveOffset, columns.PositiveBucketCounts);
    appendBuckets(reader, this.#negative, columns.NegativeOffset, columns.NegativeBucketCounts);
    appendExemplars(reader, this.#point.exemplars, exemplarsField, columns);
  }

  #scanField(reader: ProtobufReader, tagStart: number, tag: number, end: number): void {
    switch (tag) {
      case countField:
        this.#count.take(reader, end);
        break;
      case sumField:
        this.#sum = reader.readDouble(end);
        break;
      case scaleField:
        this.#scale = reader.readSint32(end);
        break;
      case zeroCountField:
        this.#zeroCount.take(reader, end);
        break;
      case positiveField:
        this.#positive.take(reader, end);
        break;
      case negativeField:
        this.#negative.take(reader, end);
        break;
      case minField:
        this.#min = reader.readDouble(end);
        break;
      case maxField:
        this.#max = reader.readDouble(end);
        break;
      default:
        this.#point.scanField(reader, tagStart, tag, end);
    }
  }

  #clear(): void {
    this.#point.clear();
    this.#count.set(0, 0);
    this.#zeroCount.set(0, 0);
    this.#positive.clear();
    this.#negative.clear();
    this.#scale = 0;
    this.#sum = Number.NaN;
    this.#min = 0;
    this.#max = 0;
  }
}

function appendBuckets(
  reader: ProtobufReader,
  buckets: ByteRange,
  offsetColumn: Column32,
  countsColumn: ArrayColumn<Column64>,
): void {
  let offset = 0;
  reader.position = buckets.start;
  while (reader.position < buckets.end) {
    const tag = reader.readTag(buckets.end);
    if (tag === offsetField) offset = reader.readSint32(buckets.end);
    else reader.skip(tag, buckets.end);
  }
  offsetColumn.append(offset);
  appendVarintList(reader, buckets, bucketCounts, countsColumn);
}
