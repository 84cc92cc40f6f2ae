import { appendAnyValue } from '../decode/any-value.ts';
import { appendAttributes } from '../decode/attributes.ts';
import { type DecodedRequest, type RequestDecoder, recordBytesMax, recordTooLarge } from '../decode/decoded-request.ts';
import { appendOrigin } from '../decode/origin-columns.ts';
import { ProtobufReader } from '../decode/protobuf-reader.ts';
import { forEachMessage } from '../decode/repeated-messages.ts';
import { forEachScope, recordTag } from '../decode/scope-groups.ts';
import { appendId, spanIdBytes, traceIdBytes } from '../decode/trace-ids.ts';
import { UnixNano, unstorableTime } from '../decode/unix-nano.ts';
import { Rejections } from '../rejections.ts';
import { LogRecord, logAttributesField } from './log-record.ts';
import { createLogTable } from './log-table.ts';

/** ExportLogsServiceRequest → rows of `otel_logs`. */
export class LogDecoder implements RequestDecoder {
  readonly #table = createLogTable();
  readonly #record = new LogRecord();
  readonly #now = new UnixNano();

  decode(payload: Buffer, nowMs: number): DecodedRequest {
    const reader = new ProtobufReader(payload);
    const rejections = new Rejections();
    this.#now.setMilliseconds(nowMs);
    try {
      forEachScope(reader, (group) => {
        forEachMessage(reader, group.records, recordTag, (end) => this.#decodeRecord(reader, end, rejections));
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

  #decodeRecord(reader: ProtobufReader, end: number, rejections: Rejections): void {
    const size = end - reader.position;
    this.#record.scan(reader, end);
    const reason = this.#whyRejected(size);
    if (reason) rejections.add(reason);
    else this.#appendRow(reader);
  }

  #whyRejected(size: number): string | undefined {
    if (size > recordBytesMax) return recordTooLarge;
    return this.#time().isStorable ? undefined : unstorableTime;
  }

  /** When it happened, else when it was observed, else when it arrived. */
  #time(): UnixNano {
    const { time, observedTime } = this.#record;
    if (!time.isMissing) return time;
    return observedTime.isMissing ? this.#now : observedTime;
  }

  #appendRow(reader: ProtobufReader): void {
    const record = this.#record;
    const { columns } = this.#table;
    const time = this.#time();
    columns.Timestamp.append(time.low, time.high);
    appendId(reader, record.traceId, traceIdBytes, columns.TraceId);
    appendId(reader, record.spanId, spanIdBytes, columns.SpanId);
    columns.TraceFlags.append(record.flags);
    columns.SeverityText.append(reader.bytes, record.severityText.start, record.severityText.end);
    columns.SeverityNumber.append(record.severityNumber > 0xff ? 0 : record.severityNumber);
    appendAnyValue(reader, record.body.start, record.body.end, columns.Body);
    appendAttributes(reader, record.attributes, logAttributesField, columns.LogAttributes);
    columns.EventName.append(reader.bytes, record.eventName.start, record.eventName.end);
    this.#table.rows++;
  }
}
