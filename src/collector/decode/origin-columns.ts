import { MalformedPayloadError } from '../intake-errors.ts';
import type { Column } from '../native/column.ts';
import { MapColumn } from '../native/map-column.ts';
import type { NativeTable } from '../native/native-table.ts';
import type { Column32 } from '../native/number-columns.ts';
import type { StringColumn } from '../native/string-column.ts';
import { appendAnyValue } from './any-value.ts';
import { appendAttributes, findAttribute } from './attributes.ts';
import { ByteRange } from './byte-range.ts';
import type { ProtobufReader } from './protobuf-reader.ts';
import type { ScopeGroup } from './scope-groups.ts';
import { lengthDelimited, varint } from './wire-format.ts';

const resourceAttributes = lengthDelimited(1);
const scopeName = lengthDelimited(1);
const scopeVersion = lengthDelimited(2);
const scopeAttributes = lengthDelimited(3);
const scopeDroppedAttributes = varint(4);

const serviceName = Buffer.from('service.name');

/** Columns that say where a row comes from. All rows of one scope have the same values in them. */
export type OriginColumns = Record<string, Column> & {
  ServiceName: StringColumn;
  ResourceAttributes: MapColumn;
  ResourceSchemaUrl?: StringColumn;
  ScopeName: StringColumn;
  ScopeVersion: StringColumn;
  ScopeAttributes?: MapColumn;
  ScopeDroppedAttrCount?: Column32;
  ScopeSchemaUrl?: StringColumn;
};

/**
 * Fills the origin columns of the rows that `group` added to `table`: each resource and scope is read once, and its
 * bytes are repeated for the other rows. Throws `PayloadTooLargeError`.
 */
export function appendOrigin(table: NativeTable<OriginColumns>, reader: ProtobufReader, group: ScopeGroup): void {
  const rows = table.rows - table.rowsWithOrigin;
  if (rows === 0) return;
  if (table.lastResource === group.resourceNumber) repeatResource(table.columns, rows);
  else {
    appendResource(table.columns, reader, group);
    repeatResource(table.columns, rows - 1);
    table.lastResource = group.resourceNumber;
  }
  appendScope(table.columns, reader, group, rows - 1);
  table.rowsWithOrigin = table.rows;
  table.checkSize();
}

/** Whether the resource can be read at all; it costs reading it. */
export function isReadableResource(reader: ProtobufReader, group: ScopeGroup): boolean {
  return isReadable(() => appendAttributes(reader, group.resource, resourceAttributes, trial));
}

export function isReadableScope(reader: ProtobufReader, group: ScopeGroup): boolean {
  return isReadable(() => {
    scanScope(reader, group.scope);
    appendAttributes(reader, group.scope, scopeAttributes, trial);
  });
}

function isReadable(read: () => void): boolean {
  trial.clear();
  try {
    read();
    return true;
  } catch (error) {
    if (error instanceof MalformedPayloadError) return false;
    throw error;
  }
}

const trial = new MapColumn();

function appendResource(columns: OriginColumns, reader: ProtobufReader, group: ScopeGroup): void {
  appendAttributes(reader, group.resource, resourceAttributes, columns.ResourceAttributes);
  const service = findAttribute(reader, group.resource, resourceAttributes, serviceName);
  appendAnyValue(reader, service.start, service.end, columns.ServiceName);
  appendText(columns.ResourceSchemaUrl, reader, group.resourceSchemaUrl, 0);
}

function repeatResource(columns: OriginColumns, times: number): void {
  columns.ResourceAttributes.repeatLast(times);
  columns.ServiceName.repeatLast(times);
  columns.ResourceSchemaUrl?.repeatLast(times);
}

function appendScope(columns: OriginColumns, reader: ProtobufReader, group: ScopeGroup, repeats: number): void {
  const scope = scanScope(reader, group.scope);
  appendText(columns.ScopeName, reader, scope.name, repeats);
  appendText(columns.ScopeVersion, reader, scope.version, repeats);
  appendText(columns.ScopeSchemaUrl, reader, group.scopeSchemaUrl, repeats);
  columns.ScopeDroppedAttrCount?.append(scope.droppedAttributes, repeats + 1);
  if (!columns.ScopeAttributes) return;
  appendAttributes(reader, group.scope, scopeAttributes, columns.ScopeAttributes);
  columns.ScopeAttributes.repeatLast(repeats);
}

function appendText(column: StringColumn | undefined, reader: ProtobufReader, text: ByteRange, repeats: number): void {
  column?.append(reader.bytes, text.start, text.end);
  column?.repeatLast(repeats);
}

function scanScope(reader: ProtobufReader, { start, end }: ByteRange) {
  const scope = { name: new ByteRange(), version: new ByteRange(), droppedAttributes: 0 };
  reader.position = start;
  while (reader.position < end) {
    const tag = reader.readTag(end);
    if (tag === scopeName) scope.name.take(reader, end);
    else if (tag === scopeVersion) scope.version.take(reader, end);
    else if (tag === scopeDroppedAttributes) scope.droppedAttributes = reader.readUint32(end);
    else reader.skip(tag, end);
  }
  return scope;
}
