import { ByteRange } from '../decode/byte-range.ts';
import type { DecodeRun } from '../decode/decode-run.ts';
import type { ProtobufReader } from '../decode/protobuf-reader.ts';
import { forEachMessage } from '../decode/repeated-messages.ts';
import { UInt64 } from '../decode/uint64.ts';
import type { UnixNano } from '../decode/unix-nano.ts';
import { fixed64, lengthDelimited, varint } from '../decode/wire-format.ts';
import { DataPoint, type DataPointRows } from './data-point.ts';
import { createSummaryTable } from './metric-tables.ts';

const countField = fixed64(4);
const sumField = fixed64(5);
const quantileValuesField = lengthDelimited(6);
const attributesField = lengthDelimited(7);
const flagsField = varint(8);

const quantileField = fixed64(1);
const valueField = fixed64(2);

/** SummaryDataPoints. */
export class SummaryPoints implements DataPointRows {
  readonly table = createSummaryTable();
  readonly #point = new DataPoint({ attributes: attributesField, flags: flagsField, exemplars: 0 });
  readonly #count = new UInt64();
  readonly #quantileValues = new ByteRange();
  #sum = 0;

  scan(reader: ProtobufReader, end: number): void {
    this.#point.clear();
    this.#count.set(0, 0);
    this.#quantileValues.clear();
    this.#sum = 0;
    while (reader.position < end) {
      const tagStart = reader.position;
      const tag = reader.readTag(end);
      if (tag === countField) this.#count.take(reader, end);
      else if (tag === sumField) this.#sum = reader.readDouble(end);
      else if (tag === quantileValuesField) this.#quantileValues.widen(reader, tagStart, tag, end);
      else this.#point.scanField(reader, tagStart, tag, end);
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
    this.#appendQuantiles(reader);
  }

  #appendQuantiles(reader: ProtobufReader): void {
    const { 'ValueAtQuantiles.Quantile': quantiles, 'ValueAtQuantiles.Value': values } = this.table.columns;
    const count = forEachMessage(reader, this.#quantileValues, quantileValuesField, (end) => {
      let quantile = 0;
      let value = 0;
      while (reader.position < end) {
        const tag = reader.readTag(end);
        if (tag === quantileField) quantile = reader.readDouble(end);
        else if (tag === valueField) value = reader.readDouble(end);
        else reader.skip(tag, end);
      }
      quantiles.items.appendDouble(quantile);
      values.items.appendDouble(value);
    });
    quantiles.endRow(count);
    values.endRow(count);
  }
}
