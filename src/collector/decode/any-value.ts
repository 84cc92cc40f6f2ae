import type { StringColumn } from '../native/string-column.ts';
import { int64ToText } from './int64.ts';
import type { ProtobufReader } from './protobuf-reader.ts';
import { fixed64, lengthDelimited, varint } from './wire-format.ts';

export const stringValue = lengthDelimited(1);
const boolValue = varint(2);
const intValue = varint(3);
const doubleValue = fixed64(4);
export const arrayValue = lengthDelimited(5);
export const keyValueList = lengthDelimited(6);
const bytesValue = lengthDelimited(7);

/** Of an array or a key-value list. */
export const element = lengthDelimited(1);
const keyField = lengthDelimited(1);
const valueField = lengthDelimited(2);

/** Arrays and lists inside each other, at most; protobuf's own libraries stop at 100 too. */
const depthMax = 100;

/**
 * Appends the AnyValue in `[start, end)` as text: strings as they are, numbers and booleans in plain form (int64
 * exact), bytes as base64, arrays and key-value lists as JSON text, an empty value as `''`.
 */
export function appendAnyValue(reader: ProtobufReader, start: number, end: number, column: StringColumn): void {
  reader.position = start;
  if (end - start > 1 && reader.readTag(end) === stringValue) {
    const textEnd = reader.readEnd(end);
    if (textEnd === end) {
      column.append(reader.bytes, reader.position, end);
      return;
    }
  }
  reader.position = start;
  column.appendText(readAnyValue(reader, end).text);
}

interface ValueText {
  text: string;
  /** The value must be quoted inside JSON. */
  quoted: boolean;
}

const nothing: ValueText = { text: '', quoted: false };

/** The last of several members counts, as in every protobuf oneof. */
function readAnyValue(reader: ProtobufReader, end: number, depth = 0): ValueText {
  if (depth > depthMax) throw reader.malformed(`values are nested deeper than ${depthMax}`);
  let value = nothing;
  while (reader.position < end) {
    const tag = reader.readTag(end);
    value = readMember(reader, tag, end, depth) ?? value;
  }
  return value;
}

function readMember(reader: ProtobufReader, tag: number, end: number, depth: number): ValueText | undefined {
  switch (tag) {
    case stringValue:
      return { text: readText(reader, end, 'utf8'), quoted: true };
    case bytesValue:
      return { text: readText(reader, end, 'base64'), quoted: true };
    case boolValue:
      reader.readVarint(end);
      return { text: String((reader.low | reader.high) !== 0), quoted: false };
    case intValue:
      reader.readVarint(end);
      return { text: int64ToText(reader.low, reader.high), quoted: false };
    case doubleValue: {
      const number = reader.readDouble(end);
      return { text: String(number), quoted: !Number.isFinite(number) };
    }
    case arrayValue:
      return { text: readArray(reader, reader.readEnd(end), depth + 1), quoted: false };
    case keyValueList:
      return { text: readKeyValueList(reader, reader.readEnd(end), depth + 1), quoted: false };
    default:
      reader.skip(tag, end);
      return undefined;
  }
}

function readArray(reader: ProtobufReader, end: number, depth: number): string {
  const items: string[] = [];
  while (reader.position < end) {
    const tag = reader.readTag(end);
    if (tag === element) items.push(toJson(readAnyValue(reader, reader.readEnd(end), depth)));
    else reader.skip(tag, end);
  }
  return `[${items.join(',')}]`;
}

function readKeyValueList(reader: ProtobufReader, end: number, depth: number): string {
  const members: string[] = [];
  while (reader.position < end) {
    const tag = reader.readTag(end);
    if (tag === element) members.push(readKeyValue(reader, reader.readEnd(end), depth));
    else reader.skip(tag, end);
  }
  return `{${members.join(',')}}`;
}

function readKeyValue(reader: ProtobufReader, end: number, depth: number): string {
  let key = '';
  let value = nothing;
  while (reader.position < end) {
    const tag = reader.readTag(end);
    if (tag === keyField) key = readText(reader, end, 'utf8');
    else if (tag === valueField) value = readAnyValue(reader, reader.readEnd(end), depth);
    else reader.skip(tag, end);
  }
  return `${JSON.stringify(key)}:${toJson(value)}`;
}

function toJson(value: ValueText): string {
  if (value === nothing) return 'null';
  return value.quoted ? JSON.stringify(value.text) : value.text;
}

function readText(reader: ProtobufReader, end: number, encoding: 'utf8' | 'base64'): string {
  const textEnd = reader.readEnd(end);
  const text = reader.bytes.toString(encoding, reader.position, textEnd);
  reader.position = textEnd;
  return text;
}
