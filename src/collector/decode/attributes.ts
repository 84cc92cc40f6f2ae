import type { MapColumn } from '../native/map-column.ts';
import { appendAnyValue, stringValue } from './any-value.ts';
import { AttributePaths, isNested } from './attribute-paths.ts';
import { ByteRange } from './byte-range.ts';
import type { ProtobufReader } from './protobuf-reader.ts';
import { lengthDelimited } from './wire-format.ts';

const keyField = lengthDelimited(1);
const valueField = lengthDelimited(2);

/** Reused: one KeyValue is read at a time. */
const key = new ByteRange();
const value = new ByteRange();

/**
 * Appends one row to `map`: the KeyValues under `tag` in `[start, end)`, in their order. Of several with the same key
 * the first counts (docs/ingestion.md).
 */
export function appendAttributes(
  reader: ProtobufReader,
  { start, end }: { start: number; end: number },
  tag: number,
  map: MapColumn,
): void {
  let entries = 0;
  let nested: NestedValue[] | undefined;
  reader.position = start;
  while (reader.position < end) {
    const next = shortTextEnd(reader.bytes, reader.position, end, tag);
    if (next > 0) {
      if (appendShortText(reader.bytes, reader.position, next, map)) entries++;
      reader.position = next;
      continue;
    }
    const found = reader.readTag(end);
    if (found !== tag) {
      reader.skip(found, end);
      continue;
    }
    const entryEnd = reader.readEnd(end);
    scanKeyValue(reader, entryEnd);
    if (map.appendKey(reader.bytes, key.start, key.end)) {
      if (isNested(reader.bytes, value.start, value.end)) nested = noted(nested, key, value);
      appendAnyValue(reader, value.start, value.end, map.values);
      entries++;
    }
    reader.position = entryEnd;
  }
  if (nested) entries += appendPaths(reader, map, nested);
  map.endRow(entries);
}

interface NestedValue {
  keyStart: number;
  keyEnd: number;
  start: number;
  end: number;
}

function noted(
  others: NestedValue[] | undefined,
  { start: keyStart, end: keyEnd }: ByteRange,
  { start, end }: ByteRange,
) {
  const all = others ?? [];
  all.push({ keyStart, keyEnd, start, end });
  return all;
}

/** Appended after the attributes that were sent as such, which take precedence. */
function appendPaths(reader: ProtobufReader, map: MapColumn, nested: readonly NestedValue[]): number {
  const paths = new AttributePaths(reader, map);
  for (const { keyStart, keyEnd, start, end } of nested) {
    paths.addPaths(reader.bytes.toString('utf8', keyStart, keyEnd), start, end);
  }
  return paths.entries;
}

/**
 * Where the entry at `at` ends, if it has the layout of most attributes: key, then a string, all lengths in one byte; 0
 * when it has another. It is here for speed only: the general way gives the same.
 */
function shortTextEnd(bytes: Buffer, at: number, end: number, tag: number): number {
  const entryEnd = at + 2 + (bytes[at + 1] ?? 0);
  if (bytes[at] !== tag || bytes[at + 2] !== keyField || entryEnd > end || entryEnd > at + 129) return 0;
  const valueAt = at + 4 + (bytes[at + 3] ?? 0);
  if (valueAt + 4 > entryEnd || bytes[valueAt] !== valueField || bytes[valueAt + 2] !== stringValue) return 0;
  if (valueAt + 2 + (bytes[valueAt + 1] ?? 0) !== entryEnd) return 0;
  return valueAt + 4 + (bytes[valueAt + 3] ?? 0) === entryEnd ? entryEnd : 0;
}

function appendShortText(bytes: Buffer, at: number, entryEnd: number, map: MapColumn): boolean {
  const valueAt = at + 4 + (bytes[at + 3] ?? 0);
  if (!map.appendKey(bytes, at + 4, valueAt)) return false;
  map.values.append(bytes, valueAt + 4, entryEnd);
  return true;
}

/** Position of the value of the first attribute with this name; empty if there is none. */
export function findAttribute(
  reader: ProtobufReader,
  { start, end }: { start: number; end: number },
  tag: number,
  name: Buffer,
): { start: number; end: number } {
  const found = { start: 0, end: 0 };
  reader.position = start;
  while (reader.position < end) {
    const fieldTag = reader.readTag(end);
    if (fieldTag !== tag) {
      reader.skip(fieldTag, end);
      continue;
    }
    scanKeyValue(reader, reader.readEnd(end));
    if (reader.bytes.compare(name, 0, name.length, key.start, key.end) === 0) {
      found.start = value.start;
      found.end = value.end;
      break;
    }
  }
  return found;
}

function scanKeyValue(reader: ProtobufReader, end: number): void {
  key.clear();
  value.clear();
  while (reader.position < end) {
    const tag = reader.readTag(end);
    if (tag === keyField) key.take(reader, end);
    else if (tag === valueField) value.take(reader, end);
    else reader.skip(tag, end);
  }
}
