import type { Arrival } from '../decode/arrival.ts';
import { appendAttributes } from '../decode/attributes.ts';
import { decodeRequest, type SignalRows } from '../decode/decode-request.ts';
import type { DecodeRun } from '../decode/decode-run.ts';
import type { DecodedRequest, RequestDecoder } from '../decode/decoded-request.ts';
import { allTimesStorable } from '../decode/repeated-messages.ts';
import { appendId, isValidId, spanIdBytes, traceIdBytes } from '../decode/trace-ids.ts';
import { type UnixNano, unstorableTime } from '../decode/unix-nano.ts';
import type { Rejections } from '../rejections.ts';
import { eventsField, Span, spanAttributesField } from './span.ts';
import { appendEvents, appendLinks, eventTimeField } from './span-events.ts';
import { spanKindText, statusCodeText } from './span-labels.ts';
import { createSpanTable } from './span-table.ts';

const endsTooEarly = 'a span is stored with duration 0: it ends before it starts';

/** ExportTraceServiceRequest → rows of `otel_traces`. */
export class SpanDecoder implements RequestDecoder, SignalRows {
  readonly #table = createSpanTable();
  readonly tables = [this.#table];
  readonly #span = new Span();

  decode(payload: Buffer, arrival: Arrival, earlier?: Rejections): DecodedRequest {
    return decodeRequest(payload, this, arrival, earlier);
  }

  countRecords(): number {
    return 1;
  }

  takeMember(run: DecodeRun, end: number): void {
    if (run.careful) run.attempt(this.#table, () => this.#takeSpan(run, end));
    else this.#takeSpan(run, end);
  }

  #takeSpan(run: DecodeRun, end: number): void {
    const size = end - run.reader.position;
    this.#span.scan(run.reader, end);
    const start = this.#startTime(run);
    const reason = this.#whyRejected(run, start) ?? run.whyNoRoom(size);
    if (reason) run.rejections.add(reason);
    else this.#appendRow(run, start);
  }

  #whyRejected({ reader, arrival }: DecodeRun, start: UnixNano): string | undefined {
    const span = this.#span;
    if (!isValidId(reader, span.traceId, traceIdBytes)) return 'a trace id has 16 bytes that are not all zero';
    if (!isValidId(reader, span.spanId, spanIdBytes)) return 'a span id has 8 bytes that are not all zero';
    const parentBytes = span.parentSpanId.length;
    if (parentBytes !== 0 && parentBytes !== spanIdBytes) return 'a parent span id has 8 bytes or is absent';
    if (!span.endTime.isStorable) return unstorableTime;
    const tooOldOrNew = arrival.whyNotKept(start);
    if (tooOldOrNew) return tooOldOrNew;
    return allTimesStorable(reader, span.events, eventsField, eventTimeField) ? undefined : unstorableTime;
  }

  /** When it started, else when it ended, else when it arrived. */
  #startTime(run: DecodeRun): UnixNano {
    return run.timeOf(this.#span.startTime, this.#span.endTime);
  }

  #appendRow(run: DecodeRun, start: UnixNano): void {
    const span = this.#span;
    const { reader } = run;
    const { columns } = this.#table;
    columns.Timestamp.append(start.low, start.high);
    appendId(reader, span.traceId, traceIdBytes, columns.TraceId);
    appendId(reader, span.spanId, spanIdBytes, columns.SpanId);
    appendId(reader, span.parentSpanId, spanIdBytes, columns.ParentSpanId);
    columns.TraceState.append(reader.bytes, span.traceState.start, span.traceState.end);
    columns.SpanName.append(reader.bytes, span.name.start, span.name.end);
    columns.SpanKind.appendText(spanKindText(span.kind));
    appendAttributes(reader, span.attributes, spanAttributesField, columns.SpanAttributes);
    this.#appendDuration(run, start);
    columns.StatusCode.appendText(statusCodeText(span.statusCode));
    columns.StatusMessage.append(reader.bytes, span.statusMessage.start, span.statusMessage.end);
    appendEvents(reader, span.events, this.#table, start);
    appendLinks(reader, span.links, this.#table);
    this.#table.rows++;
  }

  /** End minus start; 0 when the end is missing or lies before the start. */
  #appendDuration(run: DecodeRun, start: UnixNano): void {
    const { endTime } = this.#span;
    if (!endTime.isMissing && endTime.isBefore(start)) run.rejections.note(endsTooEarly);
    const low = endTime.low - start.low;
    const high = endTime.high - start.high - (low < 0 ? 1 : 0);
    if (high < 0) this.#table.columns.Duration.append(0, 0);
    else this.#table.columns.Duration.append(low >>> 0, high);
  }
}
