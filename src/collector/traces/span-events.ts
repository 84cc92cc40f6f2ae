import { appendAttributes } from '../decode/attributes.ts';
import { ByteRange } from '../decode/byte-range.ts';
import type { ProtobufReader } from '../decode/protobuf-reader.ts';
import { forEachMessage } from '../decode/repeated-messages.ts';
import { appendId, spanIdBytes, traceIdBytes } from '../decode/trace-ids.ts';
import { UnixNano } from '../decode/unix-nano.ts';
import { fixed64, lengthDelimited } from '../decode/wire-format.ts';
import { eventsField, linksField } from './span.ts';
import type { SpanTable } from './span-table.ts';

export const eventTimeField = fixed64(1);
const eventNameField = lengthDelimited(2);
const eventAttributesField = lengthDelimited(3);

const linkTraceIdField = lengthDelimited(1);
const linkSpanIdField = lengthDelimited(2);
const linkTraceStateField = lengthDelimited(3);
const linkAttributesField = lengthDelimited(4);

/** Appends the row's events. One without a time gets `fallback`, the span's own. */
export function appendEvents(reader: ProtobufReader, events: ByteRange, table: SpanTable, fallback: UnixNano): void {
  const { columns } = table;
  const count = forEachMessage(reader, events, eventsField, (end) => {
    const start = reader.position;
    const { time, name } = scanEvent(reader, end);
    const stored = time.isMissing ? fallback : time;
    columns['Events.Timestamp'].items.append(stored.low, stored.high);
    columns['Events.Name'].items.append(reader.bytes, name.start, name.end);
    appendAttributes(reader, { start, end }, eventAttributesField, columns['Events.Attributes'].items);
  });
  columns['Events.Timestamp'].endRow(count);
  columns['Events.Name'].endRow(count);
  columns['Events.Attributes'].endRow(count);
}

/** Appends the row's links. */
export function appendLinks(reader: ProtobufReader, links: ByteRange, { columns }: SpanTable): void {
  const count = forEachMessage(reader, links, linksField, (end) => {
    const start = reader.position;
    const { traceId, spanId, traceState } = scanLink(reader, end);
    appendId(reader, traceId, traceIdBytes, columns['Links.TraceId'].items);
    appendId(reader, spanId, spanIdBytes, columns['Links.SpanId'].items);
    columns['Links.TraceState'].items.append(reader.bytes, traceState.start, traceState.end);
    appendAttributes(reader, { start, end }, linkAttributesField, columns['Links.Attributes'].items);
  });
  columns['Links.TraceId'].endRow(count);
  columns['Links.SpanId'].endRow(count);
  columns['Links.TraceState'].endRow(count);
  columns['Links.Attributes'].endRow(count);
}

function scanEvent(reader: ProtobufReader, end: number) {
  const event = { time: new UnixNano(), name: new ByteRange() };
  while (reader.position < end) {
    const tag = reader.readTag(end);
    if (tag === eventTimeField) event.time.take(reader, end);
    else if (tag === eventNameField) event.name.take(reader, end);
    else reader.skip(tag, end);
  }
  return event;
}

function scanLink(reader: ProtobufReader, end: number) {
  const link = { traceId: new ByteRange(), spanId: new ByteRange(), traceState: new ByteRange() };
  while (reader.position < end) {
    const tag = reader.readTag(end);
    if (tag === linkTraceIdField) link.traceId.take(reader, end);
    else if (tag === linkSpanIdField) link.spanId.take(reader, end);
    else if (tag === linkTraceStateField) link.traceState.take(reader, end);
    else reader.skip(tag, end);
  }
  return link;
}
