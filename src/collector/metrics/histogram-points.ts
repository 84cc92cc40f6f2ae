import { ByteRange } from '../decode/byte-range.ts';
import type { DecodeRun } from '../decode/decode-run.ts';
import type { ProtobufReader } from '../decode/protobuf-reader.ts';
import { UInt64 } from '../decode/uint64.ts';
import type { UnixNano } from '../decode/unix-nano.ts';
import { fixed64, lengthDelimited, varint } from '../decode/wire-format.ts';
import { DataPoint, type DataPointRows } from './data-point.ts';
import { appendExemplars } from './exemplars.ts';
import { createHistogramTable } from './metric-tables.ts';
import { appendFixed64List, countFixed64List } from './number-lists.ts';

const countField = fixed64(4);
const sumField = fixed64(5);
const bucketCounts = 6;
const explicitBounds = 7;
const exemplarsField = lengthDelimited(8);
const attributesField = lengthDelimited(9);
const flagsField = varint(10);
const minField = fixed64(11);
const maxField = fixed64(12);

/**
 * HistogramDataPoints. A missing sum is stored as NaN, so that it is not mistaken for 0; a missing minimum or maximum
 * is stored as 0, as the Collector's exporter does.
 */
export class HistogramPoints implements DataPointRows {
  readonly table = createHistogramTable();
  readonly #point = new DataPoint({ attributes: attributesField, flags: flagsField, exemplars: exemplarsField });
  readonly #count = new UInt64();
  readonly #bucketCounts = new ByteRange();
  readonly #explicitBounds = new ByteRange();
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
    const counts = countFixed64List(run.reader, this.#bucketCounts, bucketCounts);
    const bounds = countFixed64List(run.reader, this.#explicitBounds, explicitBounds);
    const fits = counts === 0 ? bounds === 0 : counts === bounds + 1;
    if (!fits) return 'a histogram has one bucket count more than explicit bounds, or none of both';
    return this.#point.whyRejected(run);
  }

  append(reader: ProtobufReader, now: UnixNano): void {
    const { columns } = this.table;
    this.#point.append(reader, columns, now);
    columns.Count.append(this.#count.low, this.#count.high);
    columns.Sum.appendDouble(this.#sum);
    columns.Min.appendDouble(this.#min);
    columns.Max.appendDouble(this.#max);
    appendFixed64List(reader, this.#bucketCounts, bucketCounts, columns.BucketCounts);
    appendFixed64List(reader, this.#explicitBounds, explicitBounds, columns.ExplicitBounds);
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
      case minField:
        this.#min = reader.readDouble(end);
        break;
      case maxField:
        this.#max = reader.readDouble(end);
        break;
      case lengthDelimited(bucketCounts):
      case fixed64(bucketCounts):
        this.#bucketCounts.widen(reader, tagStart, tag, end);
        break;
      case lengthDelimited(explicitBounds):
      case fixed64(explicitBounds):
        this.#explicitBounds.widen(reader, tagStart, tag, end);
        break;
      default:
        this.#point.scanField(reader, tagStart, tag, end);
    }
  }

  #clear(): void {
    this.#point.clear();
    this.#count.set(0, 0);
    this.#bucketCounts.clear();
    this.#explicitBounds.clear();
    this.#sum = Number.NaN;
    this.#min = 0;
    this.#max = 0;
  }
}
