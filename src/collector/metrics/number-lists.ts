import type { ProtobufReader } from '../decode/protobuf-reader.ts';
import { fixed64, lengthDelimited, varint } from '../decode/wire-format.ts';
import type { ArrayColumn } from '../native/array-column.ts';
import type { Column64 } from '../native/number-columns.ts';

type Range = { start: number; end: number };

/** Appends one array: the fixed64 or double numbers of a repeated field, packed or not. */
export function appendFixed64List(
  reader: ProtobufReader,
  range: Range,
  field: number,
  column: ArrayColumn<Column64>,
): void {
  const count = forEachNumber(reader, range, { packed: lengthDelimited(field), single: fixed64(field) }, (end) => {
    reader.readFixed64(end);
    column.items.append(reader.low, reader.high);
  });
  column.endRow(count);
}

/** How many fixed64 or double numbers a repeated field has, packed or not. */
export function countFixed64List(reader: ProtobufReader, range: Range, field: number): number {
  return forEachNumber(reader, range, { packed: lengthDelimited(field), single: fixed64(field) }, (end) =>
    reader.readFixed64(end),
  );
}

/** Appends one array: the uint64 numbers of a repeated field, packed or not. */
export function appendVarintList(
  reader: ProtobufReader,
  range: Range,
  field: number,
  column: ArrayColumn<Column64>,
): void {
  const count = forEachNumber(reader, range, { packed: lengthDelimited(field), single: varint(field) }, (end) => {
    reader.readVarint(end);
    column.items.append(reader.low, reader.high);
  });
  column.endRow(count);
}

function forEachNumber(
  reader: ProtobufReader,
  { start, end }: Range,
  tags: { packed: number; single: number },
  read: (end: number) => void,
): number {
  let count = 0;
  reader.position = start;
  while (reader.position < end) {
    const tag = reader.readTag(end);
    if (tag === tags.packed) {
      const listEnd = reader.readEnd(end);
      for (; reader.position < listEnd; count++) read(listEnd);
    } else if (tag === tags.single) {
      read(end);
      count++;
    } else reader.skip(tag, end);
  }
  return count;
}
