import type { ProtobufWriter } from '../encode/protobuf-writer.ts';
import type { JsonReader } from './json-reader.ts';
import { base64ToBytes, enumNumber, hexToBytes, Integer64, toDouble, WrongJsonValue } from './json-scalars.ts';
import type { FieldKind } from './message-fields.ts';

type ScalarKind = Extract<FieldKind, string>;

const int32Min = -0x8000_0000;
const int32Max = 0x7fff_ffff;
const uint32Max = 0xffff_ffff;

/** Writes JSON's texts, numbers and words as the scalar fields of protobuf. Throws `WrongJsonValue`. */
export class ScalarTranslation {
  readonly #reader: JsonReader;
  readonly #writer: ProtobufWriter;
  readonly #integer = new Integer64();

  constructor(reader: JsonReader, writer: ProtobufWriter) {
    this.#reader = reader;
    this.#writer = writer;
  }

  write(number: number, kind: ScalarKind): void {
    const writer = this.#writer;
    switch (kind) {
      case 'string':
        this.#writeText(number);
        break;
      case 'hex':
        writer.writeBytes(number, hexToBytes(this.#readText('has to be hex text')));
        break;
      case 'base64':
        writer.writeBytes(number, base64ToBytes(this.#readText('has to be base64 text')));
        break;
      case 'bool':
        writer.writeUint32(number, this.#readBoolean() ? 1 : 0);
        break;
      case 'double':
        this.#readNumeral('has to be a number');
        writer.writeDouble(number, toDouble(this.#reader.bytes, this.#reader.start, this.#reader.end));
        break;
      case 'uint32':
        writer.writeUint32(number, this.#readInteger32(0, uint32Max));
        break;
      case 'fixed32':
        writer.writeFixed32(number, this.#readInteger32(0, uint32Max));
        break;
      case 'sint32':
        writer.writeSint32(number, this.#readInteger32(int32Min, int32Max));
        break;
      case 'int64':
      case 'uint64':
        this.#readInteger(kind === 'int64');
        writer.writeVarint64(number, this.#integer.low, this.#integer.high);
        break;
      case 'fixed64':
      case 'sfixed64':
        this.#readInteger(kind === 'sfixed64');
        writer.writeFixed64(number, this.#integer.low, this.#integer.high);
        break;
    }
  }

  /** An enum's number, or its name in the specification. */
  writeEnum(number: number, names: Readonly<Record<string, number>>): void {
    const reader = this.#reader;
    if (reader.peek() === 'text') {
      reader.readText();
      this.#writer.writeUint32(number, enumNumber(reader.text(), names));
      return;
    }
    if (reader.peek() !== 'number') throw new WrongJsonValue('has to be a number or the name of one');
    const value = this.#readInteger32(int32Min, int32Max);
    this.#writer.writeVarint64(number, value >>> 0, value < 0 ? uint32Max : 0);
  }

  #writeText(number: number): void {
    const reader = this.#reader;
    if (reader.peek() !== 'text') throw new WrongJsonValue('has to be text');
    reader.readText();
    if (reader.isEscaped) this.#writer.writeText(number, reader.text());
    else this.#writer.writeRange(number, reader.bytes, reader.start, reader.end);
  }

  #readText(otherwise: string): string {
    if (this.#reader.peek() !== 'text') throw new WrongJsonValue(otherwise);
    this.#reader.readText();
    return this.#reader.text();
  }

  #readBoolean(): boolean {
    const kind = this.#reader.peek();
    if (kind !== 'true' && kind !== 'false') throw new WrongJsonValue('has to be true or false');
    this.#reader.readWord(kind);
    return kind === 'true';
  }

  #readInteger32(min: number, max: number): number {
    this.#readInteger(min < 0);
    const value = this.#integer.toNumber(min < 0);
    if (value < min || value > max) {
      throw new WrongJsonValue(`is not in the range of ${min < 0 ? 'a signed' : 'an unsigned'} 32-bit number`);
    }
    return value;
  }

  #readInteger(signed: boolean): void {
    this.#readNumeral('has to be a whole number, or one as decimal text');
    this.#integer.take(this.#reader.bytes, this.#reader.start, this.#reader.end, signed);
  }

  /** A number, or a text that may hold one. */
  #readNumeral(otherwise: string): void {
    const kind = this.#reader.peek();
    if (kind === 'number') this.#reader.readNumber();
    else if (kind === 'text') this.#reader.readText();
    else throw new WrongJsonValue(otherwise);
  }
}
