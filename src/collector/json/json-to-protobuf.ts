import { recordBytesMax, recordTooLarge } from '../decode/decoded-request.ts';
import { ProtobufWriter } from '../encode/protobuf-writer.ts';
import { MalformedPayloadError } from '../intake-errors.ts';
import type { Rejections } from '../rejections.ts';
import type { Signal } from '../signal.ts';
import { JsonReader } from './json-reader.ts';
import { WrongJsonValue } from './json-scalars.ts';
import type { Field, MessageFields } from './message-fields.ts';
import { exportRequests } from './otlp-messages.ts';
import { ScalarTranslation } from './scalar-translation.ts';

/** Messages inside each other, at most: above what the nested values' own limit allows. */
const depthMax = 250;
/** Names of fields that a reason shows. */
const shownNames = 4;

/**
 * Writes an OTLP/JSON export request as protobuf, so that both encodings are stored by the same code. A record with a
 * value that its field can't have is left out and counted in `rejections`. Throws `MalformedPayloadError` for a body
 * that is not JSON, or no request.
 */
export function jsonToProtobuf(signal: Signal, body: Buffer, rejections: Rejections): Buffer {
  const translation = new Translation(new JsonReader(body), rejections);
  translation.translate(exportRequests[signal]);
  return translation.writer.view();
}

class Translation {
  readonly writer = new ProtobufWriter();
  readonly #reader: JsonReader;
  readonly #rejections: Rejections;
  readonly #scalars: ScalarTranslation;
  /** Names of the fields we are in: left as they are when something throws. */
  readonly #path: string[] = [];
  #recordStart: number | undefined;

  constructor(reader: JsonReader, rejections: Rejections) {
    this.#reader = reader;
    this.#rejections = rejections;
    this.#scalars = new ScalarTranslation(reader, this.writer);
  }

  translate(request: MessageFields): void {
    try {
      this.#writeFields(request);
    } catch (error) {
      if (!(error instanceof WrongJsonValue)) throw error;
      throw new MalformedPayloadError(`${this.#path.join('.') || 'the request'} ${error.message}`);
    }
    this.#reader.finish();
  }

  #writeFields(fields: MessageFields): void {
    const reader = this.#reader;
    if (reader.peek() !== 'object') throw new WrongJsonValue('has to be an object');
    if (this.#path.length > depthMax) throw new WrongJsonValue('is nested too deep');
    if (!reader.enter('object')) return;
    do {
      reader.readKey();
      const field = fields.find(reader.bytes, reader.start, reader.end);
      if (field) this.#writeField(field);
      else reader.skip();
    } while (reader.hasMore('object'));
  }

  #writeField(field: Field): void {
    const kind = this.#reader.peek();
    if (kind === 'null') {
      this.#reader.readWord('null');
      return;
    }
    this.#path.push(field.name);
    if (!field.repeated) this.#write(field);
    else if (kind === 'array') this.#writeElements(field);
    else throw new WrongJsonValue('has to be an array');
    this.#path.pop();
  }

  #writeElements(field: Field): void {
    const reader = this.#reader;
    if (!reader.enter('array')) return;
    do {
      if (field.holds) this.#writeOrReject(field);
      else {
        this.#write(field);
        this.#checkRecordSize();
      }
    } while (reader.hasMore('array'));
  }

  /** An element that can be rejected on its own: a record, or a group with an invalid value. */
  #writeOrReject(field: Field): void {
    const reader = this.#reader;
    const { length: written } = this.writer;
    const { length: depth } = this.#path;
    // The reader is now at the value's first byte.
    reader.peek();
    const { position } = reader;
    if (field.holds === 'record') this.#recordStart = written;
    try {
      this.#write(field);
      this.#checkRecordSize();
    } catch (error) {
      if (!(error instanceof WrongJsonValue)) throw error;
      const reason = `${this.#placeFrom(depth - 1)} ${error.message}`;
      this.#path.length = depth;
      this.#rejections.addBroken(reason, this.#rejectFrom(position, written, field));
    }
    this.#recordStart = undefined;
  }

  /** Takes back what was written of an element, steps over it, and reports how many records it held. */
  #rejectFrom(position: number, written: number, field: Field): number {
    this.writer.truncate(written);
    this.#reader.position = position;
    return Math.max(1, this.#countRecords(field));
  }

  /** A number in a list is longer in protobuf than `0,` is. */
  #checkRecordSize(): void {
    if (this.#recordStart === undefined || this.writer.length - this.#recordStart <= recordBytesMax) return;
    throw new WrongJsonValue(`is too large: ${recordTooLarge}`);
  }

  #write({ number, kind }: Field): void {
    if (typeof kind !== 'object') this.#scalars.write(number, kind);
    else if ('enum' in kind) this.#scalars.writeEnum(number, kind.enum);
    else {
      const start = this.writer.beginMessage(number);
      this.#writeFields(kind.message());
      this.writer.endMessage(start);
    }
  }

  /** Steps over the element and reports how many records it holds. */
  #countRecords({ holds, kind }: Field): number {
    const reader = this.#reader;
    if (holds === 'record' || reader.peek() !== 'object' || typeof kind !== 'object' || 'enum' in kind) {
      reader.skip();
      return 1;
    }
    let records = 0;
    if (!reader.enter('object')) return records;
    do {
      reader.readKey();
      records += this.#countMember(kind.message().find(reader.bytes, reader.start, reader.end));
    } while (reader.hasMore('object'));
    return records;
  }

  #countMember(field: Field | undefined): number {
    const reader = this.#reader;
    const kind = reader.peek();
    if (field?.holds && kind === 'object' && !field.repeated) return this.#countRecords(field);
    if (!field?.holds || kind !== 'array') {
      reader.skip();
      return 0;
    }
    let records = 0;
    if (!reader.enter('array')) return records;
    do records += this.#countRecords(field);
    while (reader.hasMore('array'));
    return records;
  }

  #placeFrom(depth: number): string {
    const names = this.#path.slice(depth);
    if (names.length <= shownNames) return names.join('.');
    return [...names.slice(0, shownNames - 1), '…', names.at(-1)].join('.');
  }
}
