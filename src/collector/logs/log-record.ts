import { ByteRange } from '../decode/byte-range.ts';
import type { ProtobufReader } from '../decode/protobuf-reader.ts';
import { UnixNano } from '../decode/unix-nano.ts';
import { fixed32, fixed64, lengthDelimited, varint } from '../decode/wire-format.ts';

const timeField = fixed64(1);
const severityNumberField = varint(2);
const severityTextField = lengthDelimited(3);
const bodyField = lengthDelimited(5);
export const logAttributesField = lengthDelimited(6);
const flagsField = fixed32(8);
const traceIdField = lengthDelimited(9);
const spanIdField = lengthDelimited(10);
const observedTimeField = fixed64(11);
const eventNameField = lengthDelimited(12);

/** One log record: its numbers, and the positions of its other parts in the payload. Reused for each record. */
export class LogRecord {
  readonly time = new UnixNano();
  readonly observedTime = new UnixNano();
  severityNumber = 0;
  flags = 0;
  readonly severityText = new ByteRange();
  readonly body = new ByteRange();
  readonly attributes = new ByteRange();
  readonly traceId = new ByteRange();
  readonly spanId = new ByteRange();
  readonly eventName = new ByteRange();

  /** Takes the record that ends at `end`. */
  scan(reader: ProtobufReader, end: number): void {
    this.#clear();
    while (reader.position < end) {
      const tagStart = reader.position;
      this.#scanField(reader, tagStart, reader.readTag(end), end);
    }
  }

  #scanField(reader: ProtobufReader, tagStart: number, tag: number, end: number): void {
    switch (tag) {
      case timeField:
        this.time.take(reader, end);
        break;
      case observedTimeField:
        this.observedTime.take(reader, end);
        break;
      case severityNumberField:
        this.severityNumber = reader.readUint32(end);
        break;
      case severityTextField:
        this.severityText.take(reader, end);
        break;
      case bodyField:
        this.body.take(reader, end);
        break;
      case logAttributesField:
        this.attributes.widen(reader, tagStart, tag, end);
        break;
      case flagsField:
        this.flags = reader.readFixed32(end);
        break;
      case traceIdField:
        this.traceId.take(reader, end);
        break;
      case spanIdField:
        this.spanId.take(reader, end);
        break;
      case eventNameField:
        this.eventName.take(reader, end);
        break;
      default:
        reader.skip(tag, end);
    }
  }

  #clear(): void {
    this.time.set(0, 0);
    this.observedTime.set(0, 0);
    this.severityNumber = 0;
    this.flags = 0;
    this.severityText.clear();
    this.body.clear();
    this.attributes.clear();
    this.traceId.clear();
    this.spanId.clear();
    this.eventName.clear();
  }
}
