import { ByteRange } from '../decode/byte-range.ts';
import type { ProtobufReader } from '../decode/protobuf-reader.ts';
import { UnixNano } from '../decode/unix-nano.ts';
import { fixed64, lengthDelimited, varint } from '../decode/wire-format.ts';

const traceIdField = lengthDelimited(1);
const spanIdField = lengthDelimited(2);
const traceStateField = lengthDelimited(3);
const parentSpanIdField = lengthDelimited(4);
const nameField = lengthDelimited(5);
const kindField = varint(6);
const startTimeField = fixed64(7);
const endTimeField = fixed64(8);
export const spanAttributesField = lengthDelimited(9);
export const eventsField = lengthDelimited(11);
export const linksField = lengthDelimited(13);
const statusField = lengthDelimited(15);

const statusMessageField = lengthDelimited(2);
const statusCodeField = varint(3);

/** One span: its numbers, and the positions of its other parts in the payload. Reused for each span. */
export class Span {
  readonly traceId = new ByteRange();
  readonly spanId = new ByteRange();
  readonly parentSpanId = new ByteRange();
  readonly traceState = new ByteRange();
  readonly name = new ByteRange();
  kind = 0;
  readonly startTime = new UnixNano();
  readonly endTime = new UnixNano();
  readonly attributes = new ByteRange();
  readonly events = new ByteRange();
  readonly links = new ByteRange();
  readonly statusMessage = new ByteRange();
  statusCode = 0;

  /** Takes the span that ends at `end`. */
  scan(reader: ProtobufReader, end: number): void {
    this.#clear();
    while (reader.position < end) {
      const tagStart = reader.position;
      this.#scanField(reader, tagStart, reader.readTag(end), end);
    }
  }

  #scanField(reader: ProtobufReader, tagStart: number, tag: number, end: number): void {
    switch (tag) {
      case traceIdField:
        this.traceId.take(reader, end);
        break;
      case spanIdField:
        this.spanId.take(reader, end);
        break;
      case traceStateField:
        this.traceState.take(reader, end);
        break;
      case parentSpanIdField:
        this.parentSpanId.take(reader, end);
        break;
      case nameField:
        this.name.take(reader, end);
        break;
      case kindField:
        this.kind = reader.readUint32(end);
        break;
      case startTimeField:
        this.startTime.take(reader, end);
        break;
      case endTimeField:
        this.endTime.take(reader, end);
        break;
      case spanAttributesField:
        this.attributes.widen(reader, tagStart, tag, end);
        break;
      case eventsField:
        this.events.widen(reader, tagStart, tag, end);
        break;
      case linksField:
        this.links.widen(reader, tagStart, tag, end);
        break;
      case statusField:
        this.#scanStatus(reader, reader.readEnd(end));
        break;
      default:
        reader.skip(tag, end);
    }
  }

  #scanStatus(reader: ProtobufReader, end: number): void {
    this.statusMessage.clear();
    this.statusCode = 0;
    while (reader.position < end) {
      const tag = reader.readTag(end);
      if (tag === statusMessageField) this.statusMessage.take(reader, end);
      else if (tag === statusCodeField) this.statusCode = reader.readUint32(end);
      else reader.skip(tag, end);
    }
  }

  #clear(): void {
    this.traceId.clear();
    this.spanId.clear();
    this.parentSpanId.clear();
    this.traceState.clear();
    this.name.clear();
    this.kind = 0;
    this.startTime.set(0, 0);
    this.endTime.set(0, 0);
    this.attributes.clear();
    this.events.clear();
    this.links.clear();
    this.statusMessage.clear();
    this.statusCode = 0;
  }
}
