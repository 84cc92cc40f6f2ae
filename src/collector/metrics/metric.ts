import { ByteRange } from '../decode/byte-range.ts';
import type { ProtobufReader } from '../decode/protobuf-reader.ts';
import { lengthDelimited, varint } from '../decode/wire-format.ts';

const nameField = lengthDelimited(1);
const descriptionField = lengthDelimited(2);
const unitField = lengthDelimited(3);
export const gaugeField = lengthDelimited(5);
export const sumField = lengthDelimited(7);
export const histogramField = lengthDelimited(9);
export const exponentialHistogramField = lengthDelimited(10);
export const summaryField = lengthDelimited(11);

/** Gauge, Sum, Histogram, ExponentialHistogram and Summary agree in these. */
export const dataPointField = lengthDelimited(1);
const temporalityField = varint(2);
const isMonotonicField = varint(3);

/** One metric: what its data points share, and their positions in the payload. Reused for each metric. */
export class Metric {
  readonly name = new ByteRange();
  readonly description = new ByteRange();
  readonly unit = new ByteRange();
  /** The field that holds the data, 0 when there is none that we know. */
  kind = 0;
  readonly points = new ByteRange();
  temporality = 0;
  isMonotonic = false;

  /** What each of its rows repeats. */
  get textBytes(): number {
    return this.name.length + this.description.length + this.unit.length;
  }

  /** Takes the metric that ends at `end`. */
  scan(reader: ProtobufReader, end: number): void {
    this.#clear();
    while (reader.position < end) this.#scanField(reader, reader.readTag(end), end);
    this.#scanData(reader);
  }

  #scanField(reader: ProtobufReader, tag: number, end: number): void {
    switch (tag) {
      case nameField:
        this.name.take(reader, end);
        break;
      case descriptionField:
        this.description.take(reader, end);
        break;
      case unitField:
        this.unit.take(reader, end);
        break;
      case gaugeField:
      case sumField:
      case histogramField:
      case exponentialHistogramField:
      case summaryField:
        this.kind = tag;
        this.points.take(reader, end);
        break;
      default:
        reader.skip(tag, end);
    }
  }

  #scanData(reader: ProtobufReader): void {
    const { start, end } = this.points;
    reader.position = start;
    while (reader.position < end) {
      const tag = reader.readTag(end);
      if (tag === temporalityField) this.temporality = reader.readUint32(end);
      else if (tag === isMonotonicField) this.isMonotonic = reader.readUint32(end) !== 0;
      else reader.skip(tag, end);
    }
  }

  #clear(): void {
    this.name.clear();
    this.description.clear();
    this.unit.clear();
    this.kind = 0;
    this.points.clear();
    this.temporality = 0;
    this.isMonotonic = false;
  }
}
