import { ByteRange } from './byte-range.ts';
import type { ProtobufReader } from './protobuf-reader.ts';
import { lengthDelimited } from './wire-format.ts';

// Resource{Logs,Spans,Metrics} and Scope{Logs,Spans,Metrics} have the same field numbers for all three signals.
const resourceGroup = lengthDelimited(1);
const owner = lengthDelimited(1);
const member = lengthDelimited(2);
const schemaUrl = lengthDelimited(3);

/** The tag of records inside `ScopeGroup.records`. */
export const recordTag = member;

/** Records of one scope of one resource, with their positions in the payload. */
export class ScopeGroup {
  /** Counts the resources of the request, from 1: all scopes of one resource have the same number. */
  resourceNumber = 0;
  readonly resource = new ByteRange();
  readonly resourceSchemaUrl = new ByteRange();
  readonly scope = new ByteRange();
  readonly scopeSchemaUrl = new ByteRange();
  /** The group's message; its records are the fields with `recordTag`. */
  readonly records = new ByteRange();
}

/** Calls `visit` for each scope of each resource of an export request, with one reused `ScopeGroup`. */
export function forEachScope(reader: ProtobufReader, visit: (group: ScopeGroup) => void): void {
  const group = new ScopeGroup();
  const resourceRange = new ByteRange();
  const payloadEnd = reader.bytes.length;
  while (reader.position < payloadEnd) {
    const tag = reader.readTag(payloadEnd);
    if (tag !== resourceGroup) {
      reader.skip(tag, payloadEnd);
      continue;
    }
    resourceRange.take(reader, payloadEnd);
    group.resourceNumber++;
    scanOwner(reader, resourceRange, group.resource, group.resourceSchemaUrl);
    forEachScopeOfResource(reader, resourceRange, group, visit);
    reader.position = resourceRange.end;
  }
}

function forEachScopeOfResource(
  reader: ProtobufReader,
  { start, end }: ByteRange,
  group: ScopeGroup,
  visit: (group: ScopeGroup) => void,
): void {
  reader.position = start;
  while (reader.position < end) {
    const tag = reader.readTag(end);
    if (tag !== member) {
      reader.skip(tag, end);
      continue;
    }
    group.records.take(reader, end);
    scanOwner(reader, group.records, group.scope, group.scopeSchemaUrl);
    visit(group);
    reader.position = group.records.end;
  }
}

/** The resource or scope may follow its members, so it is located first. */
function scanOwner(reader: ProtobufReader, { start, end }: ByteRange, found: ByteRange, url: ByteRange): void {
  found.clear();
  url.clear();
  reader.position = start;
  while (reader.position < end) {
    const tag = reader.readTag(end);
    if (tag === owner) found.take(reader, end);
    else if (tag === schemaUrl) url.take(reader, end);
    else reader.skip(tag, end);
  }
}
