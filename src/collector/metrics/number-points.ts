import type { DecodeRun } from '../decode/decode-run.ts';
import { int64ToNumber } from '../decode/int64.ts';
import type { ProtobufReader } from '../decode/protobuf-reader.ts';
import type { UnixNano } from '../decode/unix-nano.ts';
import { fixed64, lengthDelimited, varint } from '../decode/wire-format.ts';
import { DataPoint, type DataPointRows } from './data-point.ts';
import { appendExemplars } from './exemplars.ts';
import type { createGaugeTable, createSumTable } from './metric-tables.ts';

const doubleValueField = fixed64(4);
const exemplarsField = lengthDelimited(5);
const intValueField = fixed64(6);
const attributesField = lengthDelimited(7);
const flagsField = varint(8);

/** NumberDataPoints, of a gauge or a sum. */
export class NumberPoints implements DataPointRows {
  readonly table: ReturnType<typeof createGaugeTable | typeof createSumTable>;
  readonly #point = new DataPoint({ attributes: attributesField, flags: flagsField, exemplars: exemplarsField });
  #value: number | undefined;

  constructor(table: ReturnType<typeof createGaugeTable | typeof createSumTable>) {
    this.table = table;
  }

  scan(reader: ProtobufReader, end: number): void {
    this.#point.clear();
    this.#value = undefined;
    while (reader.position < end) {
      const tagStart = reader.position;
      const tag = reader.readTag(end);
      if (tag === doubleValueField) this.#value = reader.readDouble(end);
      else if (tag === intValueField) {
        reader.readFixed64(end);
        this.#value = int64ToNumber(reader.low, reader.high);
      } else this.#point.scanField(reader, tagStart, tag, end);
    }
  }

  whyRejected(run: DecodeRun): string | undefined {
    if (this.#value === undefined) return 'a number data point has a value';
    return this.#point.whyRejected(run);
  }

  append(reader: ProtobufReader, now: UnixNano): void {
    const { columns } = this.table;
    this.#point.append(reader, columns, now);
    columns.Value.appendDouble(this.#value ?? 0);
    appendExemplars(reader, this.#point.exemplars, exemplarsField, columns);
  }
}
