import { appendAttributes } from '../decode/attributes.ts';
import { ByteRange } from '../decode/byte-range.ts';
import { int64ToNumber } from '../decode/int64.ts';
import type { ProtobufReader } from '../decode/protobuf-reader.ts';
import { forEachMessage } from '../decode/repeated-messages.ts';
import { appendId, spanIdBytes, traceIdBytes } from '../decode/trace-ids.ts';
import { UnixNano } from '../decode/unix-nano.ts';
import { fixed64, lengthDelimited } from '../decode/wire-format.ts';
import type { ExemplarColumns } from './metric-tables.ts';

export const exemplarTimeField = fixed64(2);
const doubleValueField = fixed64(3);
const spanIdField = lengthDelimited(4);
const traceIdField = lengthDelimited(5);
const intValueField = fixed64(6);
const filteredAttributesField = lengthDelimited(7);

/** Appends the row's exemplars, which have the tag `tag`. */
export function appendExemplars(
  reader: ProtobufReader,
  exemplars: { start: number; end: number },
  tag: number,
  columns: ExemplarColumns,
): void {
  const count = forEachMessage(reader, exemplars, tag, (end) => {
    const start = reader.position;
    const exemplar = scanExemplar(reader, end);
    columns['Exemplars.TimeUnix'].items.append(exemplar.time.low, exemplar.time.high);
    columns['Exemplars.Value'].items.appendDouble(exemplar.value);
    appendId(reader, exemplar.spanId, spanIdBytes, columns['Exemplars.SpanId'].items);
    appendId(reader, exemplar.traceId, traceIdBytes, columns['Exemplars.TraceId'].items);
    appendAttributes(reader, { start, end }, filteredAttributesField, columns['Exemplars.FilteredAttributes'].items);
  });
  columns['Exemplars.TimeUnix'].endRow(count);
  columns['Exemplars.Value'].endRow(count);
  columns['Exemplars.SpanId'].endRow(count);
  columns['Exemplars.TraceId'].endRow(count);
  columns['Exemplars.FilteredAttributes'].endRow(count);
}

function scanExemplar(reader: ProtobufReader, end: number) {
  const exemplar = { time: new UnixNano(), value: 0, spanId: new ByteRange(), traceId: new ByteRange() };
  while (reader.position < end) {
    const tag = reader.readTag(end);
    if (tag === exemplarTimeField) exemplar.time.take(reader, end);
    else if (tag === doubleValueField) exemplar.value = reader.readDouble(end);
    else if (tag === intValueField) {
      reader.readFixed64(end);
      exemplar.value = int64ToNumber(reader.low, reader.high);
    } else if (tag === spanIdField) exemplar.spanId.take(reader, end);
    else if (tag === traceIdField) exemplar.traceId.take(reader, end);
    else reader.skip(tag, end);
  }
  return exemplar;
}
