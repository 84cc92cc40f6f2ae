import { ProtobufWriter } from '../encode/protobuf-writer.ts';
import { MalformedPayloadError } from '../intake-errors.ts';
import type { Signal } from '../signal.ts';
import {
  base64ToBytes,
  hexToBytes,
  toBoolean,
  toDouble,
  toEnum,
  toInteger,
  toText,
  WrongJsonValue,
} from './json-scalars.ts';
import type { Field, FieldKind, MessageFields } from './message-fields.ts';
import { exportRequests } from './otlp-messages.ts';

/** Messages inside each other, at most: well above what the nested values' own limit allows. */
const depthMax = 400;

/**
 * Writes a parsed OTLP/JSON export request as protobuf, so that both encodings are stored by the same code. Throws
 * `MalformedPayloadError` that names the path.
 */
export function jsonToProtobuf(signal: Signal, request: unknown): Buffer {
  const translation = new Translation();
  try {
    translation.writeFields(request, exportRequests[signal]);
  } catch (error) {
    if (!(error instanceof WrongJsonValue)) throw error;
    throw new MalformedPayloadError(`${translation.path.join('.') || 'the request'} ${error.message}`);
  }
  return translation.writer.view();
}

class Translation {
  readonly writer = new ProtobufWriter();
  /** Where we are, for the error message: left as it is when something throws. */
  readonly path: (string | number)[] = [];

  writeFields(object: unknown, fields: MessageFields): void {
    if (typeof object !== 'object' || object === null || Array.isArray(object)) {
      throw new WrongJsonValue('has to be an object');
    }
    if (this.path.length > depthMax) throw new WrongJsonValue('is nested too deep');
    for (const [name, value] of Object.entries(object)) {
      const field = fields.get(name);
      if (!field || value === null || value === undefined) continue;
      this.path.push(name);
      if (field.repeated) this.#writeAll(field, value);
      else this.#write(field.number, field.kind, value);
      this.path.pop();
    }
  }

  #writeAll(field: Field, values: unknown): void {
    if (!Array.isArray(values)) throw new WrongJsonValue('has to be an array');
    for (const [index, value] of values.entries()) {
      this.path.push(index);
      this.#write(field.number, field.kind, value);
      this.path.pop();
    }
  }

  #write(number: number, kind: FieldKind, value: unknown): void {
    if (typeof kind !== 'object') this.#writeScalar(number, kind, value);
    else if ('enum' in kind) this.writer.writeInt64(number, toEnum(value, kind.enum));
    else {
      const start = this.writer.beginMessage(number);
      this.writeFields(value, kind.message());
      this.writer.endMessage(start);
    }
  }

  #writeScalar(number: number, kind: Extract<FieldKind, string>, value: unknown): void {
    const { writer } = this;
    switch (kind) {
      case 'string':
        writer.writeText(number, toText(value));
        break;
      case 'bool':
        writer.writeUint32(number, toBoolean(value) ? 1 : 0);
        break;
      case 'double':
        writer.writeDouble(number, toDouble(value));
        break;
      case 'uint32':
        writer.writeUint32(number, Number(toInteger(value, 32, false)));
        break;
      case 'sint32':
        writer.writeSint32(number, Number(toInteger(value, 32, true)));
        break;
      case 'fixed32':
        writer.writeFixed32(number, Number(toInteger(value, 32, false)));
        break;
      case 'int64':
        writer.writeInt64(number, toInteger(value, 64, true));
        break;
      case 'uint64':
        writer.writeInt64(number, toInteger(value, 64, false));
        break;
      case 'fixed64':
        writer.writeFixed64(number, toInteger(value, 64, false));
        break;
      case 'sfixed64':
        writer.writeFixed64(number, toInteger(value, 64, true));
        break;
      case 'hex':
        writer.writeBytes(number, hexToBytes(value));
        break;
      case 'base64':
        writer.writeBytes(number, base64ToBytes(value));
        break;
    }
  }
}
