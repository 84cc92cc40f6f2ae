import type { StringColumn } from '../native/string-column.ts';
import type { ByteRange } from './byte-range.ts';
import type { ProtobufReader } from './protobuf-reader.ts';

export const traceIdBytes = 16;
export const spanIdBytes = 8;

/** An id has exactly its size and is not all zeros (OTLP). */
export function isValidId(reader: ProtobufReader, id: ByteRange, bytes: number): boolean {
  if (id.length !== bytes) return false;
  for (let at = id.start; at < id.end; at++) {
    if (reader.bytes[at] !== 0) return true;
  }
  return false;
}

/** Whether the id is present but has the wrong size. */
export function isBrokenId(id: ByteRange, bytes: number): boolean {
  return id.length !== 0 && id.length !== bytes;
}

/** Appends an id in lower-case hex; one that is not valid counts as absent and becomes `''` (OTLP). */
export function appendId(reader: ProtobufReader, id: ByteRange, bytes: number, column: StringColumn): void {
  if (isValidId(reader, id, bytes)) column.appendHex(reader.bytes, id.start, id.end);
  else column.appendText('');
}
