import type { Column } from '../native/column.ts';
import type { MapColumn } from '../native/map-column.ts';
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
 * Fills the origin columns of the rows that `group` added to `table`: each value is encoded once and its bytes are
 * repeated for the other rows. Throws `PayloadTooLargeError`.
 */
export function appendOrigin(table: NativeTable<OriginColumns>, reader: ProtobufReader, group: ScopeGroup): void {
  const rows = table.rows - table.rowsWithOrigin;
  if (rows === 0) return;
  appendResource(table.columns, reader, group, rows - 1);
  appendScope(table.columns, reader, group, rows - 1);
  table.rowsWithOrigin = table.rows;
  table.checkSize();
}

function appendResource(columns: OriginColumns, reader: ProtobufReader, group: ScopeGroup, repeats: number): void {
  appendAttributes(reader, group.resource, resourceAttributes, columns.ResourceAttributes);
  columns.ResourceAttributes.repeatLast(repeats);
  const service = findAttribute(reader, group.resource, resourceAttributes, serviceName);
  appendAnyValue(reader, service.start, service.end, columns.ServiceName);
  columns.ServiceName.repeatLast(repeats);
  appendText(columns.ResourceSchemaUrl, reader, group.resourceSchemaUrl, repeats);
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
