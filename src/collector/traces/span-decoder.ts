import { appendAttributes } from '../decode/attributes.ts';
import { type DecodedRequest, type RequestDecoder, recordBytesMax, recordTooLarge } from '../decode/decoded-request.ts';
import { appendOrigin } from '../decode/origin-columns.ts';
import { ProtobufReader } from '../decode/protobuf-reader.ts';
import { allTimesStorable, forEachMessage } from '../decode/repeated-messages.ts';
import { forEachScope, recordTag } from '../decode/scope-groups.ts';
import { appendId, isValidId, spanIdBytes, traceIdBytes } from '../decode/trace-ids.ts';
import { UnixNano, unstorableTime } from '../decode/unix-nano.ts';
import { Rejections } from '../rejections.ts';
import { eventsField, Span, spanAttributesField } from './span.ts';
import { appendEvents, appendLinks, eventTimeField } from './span-events.ts';
import { createSpanTable } from './span-table.ts';
import { spanKindText, statusCodeText } from './span-words.ts';

/** ExportTraceServiceRequest → rows of `otel_traces`. */
export class SpanDecoder implements RequestDecoder {
  readonly #table = createSpanTable();
  readonly #span = new Span();
  readonly #now = new UnixNano();

  decode(payload: Buffer, nowMs: number): DecodedRequest {
    const reader = new ProtobufReader(payload);
    const rejections = new Rejections();
    this.#now.setMilliseconds(nowMs);
    try {
      forEachScope(reader, (group) => {
        forEachMessage(reader, group.records, recordTag, (end) => this.#decodeSpan(reader, end, rejections));
        appendOrigin(this.#table, reader, group);
      });
      return {
        blocks: this.#table.rows > 0 ? [this.#table.encode()] : [],
        accepted: this.#table.rows,
        rejected: rejections.total,
        message: rejections.message(),
      };
    } finally {
      this.#table.clear();
    }
  }

  #decodeSpan(reader: ProtobufReader, end: number, rejections: Rejections): void {
    const size = end - reader.position;
    this.#span.scan(reader, end);
    const reason = this.#whyRejected(reader, size);
    if (reason) rejections.add(reason);
    else this.#appendRow(reader);
  }

  #whyRejected(reader: ProtobufReader, size: number): string | undefined {
    const span = this.#span;
    if (size > recordBytesMax) return recordTooLarge;
    if (!isValidId(reader, span.traceId, traceIdBytes)) return 'a trace id has 16 bytes that are not all zero';
    if (!isValidId(reader, span.spanId, spanIdBytes)) return 'a span id has 8 bytes that are not all zero';
    const parentBytes = span.parentSpanId.length;
    if (parentBytes !== 0 && parentBytes !== spanIdBytes) return 'a parent span id has 8 bytes or is absent';
    if (!this.#startTime().isStorable || !span.endTime.isStorable) return unstorableTime;
    return allTimesStorable(reader, span.events, eventsField, eventTimeField) ? undefined : unstorableTime;
  }

  /** When it started, else when it ended, else when it arrived. */
  #startTime(): UnixNano {
    const { startTime, endTime } = this.#span;
    if (!startTime.isMissing) return startTime;
    return endTime.isMissing ? this.#now : endTime;
  }

  #appendRow(reader: ProtobufReader): void {
    const span = this.#span;
    const { columns } = this.#table;
    const start = this.#startTime();
    columns.Timestamp.append(start.low, start.high);
    appendId(reader, span.traceId, traceIdBytes, columns.TraceId);
    appendId(reader, span.spanId, spanIdBytes, columns.SpanId);
    appendId(reader, span.parentSpanId, spanIdBytes, columns.ParentSpanId);
    columns.TraceState.append(reader.bytes, span.traceState.start, span.traceState.end);
    columns.SpanName.append(reader.bytes, span.name.start, span.name.end);
    columns.SpanKind.appendText(spanKindText(span.kind));
    appendAttributes(reader, span.attributes, spanAttributesField, columns.SpanAttributes);
    this.#appendDuration(start);
    columns.StatusCode.appendText(statusCodeText(span.statusCode));
    columns.StatusMessage.append(reader.bytes, span.statusMessage.start, span.statusMessage.end);
    appendEvents(reader, span.events, this.#table, start);
    appendLinks(reader, span.links, this.#table);
    this.#table.rows++;
  }

  /** End minus start; 0 when the end is missing or lies before the start. */
  #appendDuration(start: UnixNano): void {
    const { endTime } = this.#span;
    const low = endTime.low - start.low;
    const high = endTime.high - start.high - (low < 0 ? 1 : 0);
    if (high < 0) this.#table.columns.Duration.append(0, 0);
    else this.#table.columns.Duration.append(low >>> 0, high);
  }
}
