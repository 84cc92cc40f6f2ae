import type { MapColumn } from '../native/map-column.ts';
import { appendAnyValue, arrayValue, element, keyValueList } from './any-value.ts';
import { ByteRange } from './byte-range.ts';
import type { ProtobufReader } from './protobuf-reader.ts';
import { lengthDelimited } from './wire-format.ts';

const keyField = lengthDelimited(1);
const valueField = lengthDelimited(2);

/** Most paths for the values in one row's maps and lists: further values are found in the JSON text only. */
const pathsMax = 128;
const depthMax = 8;
const itemsMax = 16;

/** Whether the AnyValue that begins at `start` is a map or a list. */
export function isNested(bytes: Buffer, start: number, end: number): boolean {
  return start < end && (bytes[start] === keyValueList || bytes[start] === arrayValue);
}

/**
 * Adds keys for values inside maps and lists, so that they can be searched, grouped and charted like any attribute:
 * `a.b` for the `b` of a map `a`, `a.0.b` where the map is the first item of a list. A list is found as a whole, by its
 * JSON text: keys for each of its items would make every row of `process.command_args` longer. An attribute that is
 * called like such a path comes first and counts.
 */
export class AttributePaths {
  readonly #reader: ProtobufReader;
  readonly #map: MapColumn;
  #entries = 0;

  constructor(reader: ProtobufReader, map: MapColumn) {
    this.#reader = reader;
    this.#map = map;
  }

  /** How many entries it appended. */
  get entries(): number {
    return this.#entries;
  }

  /** Takes the AnyValue in `[start, end)`, whose own key has been added. */
  addPaths(path: string, start: number, end: number, depth = 0): void {
    const reader = this.#reader;
    reader.position = start;
    const tag = reader.readTag(end);
    const contentEnd = reader.readEnd(end);
    if (depth === depthMax) return;
    if (tag === keyValueList) this.#takeMap(path, contentEnd, depth);
    else if (tag === arrayValue) this.#takeList(path, contentEnd, depth);
  }

  #takeMap(path: string, end: number, depth: number): void {
    const reader = this.#reader;
    while (reader.position < end && this.#entries < pathsMax) {
      const tag = reader.readTag(end);
      if (tag !== element) {
        reader.skip(tag, end);
        continue;
      }
      const next = reader.readEnd(end);
      const { key, value } = scanMember(reader, next);
      const name = reader.bytes.toString('utf8', key.start, key.end);
      this.#take(`${path}.${name}`, value, { depth, isItem: false });
      reader.position = next;
    }
  }

  #takeList(path: string, end: number, depth: number): void {
    const reader = this.#reader;
    for (let index = 0; reader.position < end && index < itemsMax && this.#entries < pathsMax; ) {
      const tag = reader.readTag(end);
      if (tag !== element) {
        reader.skip(tag, end);
        continue;
      }
      const value = new ByteRange();
      value.end = reader.readEnd(end);
      value.start = reader.position;
      this.#take(`${path}.${index++}`, value, { depth, isItem: true });
      reader.position = value.end;
    }
  }

  #take(path: string, { start, end }: ByteRange, { depth, isItem }: { depth: number; isItem: boolean }): void {
    const { bytes } = this.#reader;
    const nested = isNested(bytes, start, end);
    const isList = nested && bytes[start] === arrayValue;
    if (!isItem && (!nested || isList)) this.#append(path, start, end);
    if (nested) this.addPaths(path, start, end, depth + 1);
  }

  #append(path: string, start: number, end: number): void {
    const key = Buffer.from(path);
    if (!this.#map.appendKey(key, 0, key.length)) return;
    appendAnyValue(this.#reader, start, end, this.#map.values);
    this.#entries++;
  }
}

function scanMember(reader: ProtobufReader, end: number) {
  const member = { key: new ByteRange(), value: new ByteRange() };
  while (reader.position < end) {
    const tag = reader.readTag(end);
    if (tag === keyField) member.key.take(reader, end);
    else if (tag === valueField) member.value.take(reader, end);
    else reader.skip(tag, end);
  }
  return member;
}
