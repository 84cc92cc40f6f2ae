import { appendAnyValue } from '../decode/any-value.ts';
import type { Arrival } from '../decode/arrival.ts';
import { appendAttributes, findAttribute } from '../decode/attributes.ts';
import { decodeRequest, type SignalRows } from '../decode/decode-request.ts';
import type { DecodeRun } from '../decode/decode-run.ts';
import type { DecodedRequest, RequestDecoder } from '../decode/decoded-request.ts';
import type { ProtobufReader } from '../decode/protobuf-reader.ts';
import { appendId, isBrokenId, spanIdBytes, traceIdBytes } from '../decode/trace-ids.ts';
import type { UnixNano } from '../decode/unix-nano.ts';
import type { Rejections } from '../rejections.ts';
import { LogRecord, logAttributesField } from './log-record.ts';
import { createLogTable } from './log-table.ts';
import { severityNumberOf, severityTextOf } from './severity.ts';

const withoutId = 'a log record is stored without an id: a trace id has 16 bytes, a span id 8';
const severityNumberMax = 24;
/** HyperDX' browser SDK sends pieces of recorded sessions as log records with this attribute. */
const replayKey = Buffer.from('rr-web.event');
const replay = 'recordings of sessions (rr-web) are not kept: they are not logs';

/** ExportLogsServiceRequest → rows of `otel_logs`. */
export class LogDecoder implements RequestDecoder, SignalRows {
  readonly #table = createLogTable();
  readonly tables = [this.#table];
  readonly #record = new LogRecord();
  /** Looked for in the whole payload first, as most have none. */
  #mayHaveReplays = false;

  decode(payload: Buffer, arrival: Arrival, earlier?: Rejections): DecodedRequest {
    this.#mayHaveReplays = payload.includes(replayKey);
    return decodeRequest(payload, this, arrival, earlier);
  }

  countRecords(): number {
    return 1;
  }

  takeMember(run: DecodeRun, end: number): void {
    if (run.careful) run.attempt(this.#table, () => this.#takeRecord(run, end));
    else this.#takeRecord(run, end);
  }

  #takeRecord(run: DecodeRun, end: number): void {
    const size = end - run.reader.position;
    this.#record.scan(run.reader, end);
    const time = this.#time(run);
    const reason = this.#whyNoLog(run) ?? run.arrival.whyNotKept(time) ?? run.whyNoRoom(size);
    if (reason) run.rejections.add(reason);
    else this.#appendRow(run, time);
  }

  #whyNoLog({ reader }: DecodeRun): string | undefined {
    if (!this.#mayHaveReplays) return undefined;
    return findAttribute(reader, this.#record.attributes, logAttributesField, replayKey).end > 0 ? replay : undefined;
  }

  /** When it happened, else when it was observed, else when it arrived. */
  #time(run: DecodeRun): UnixNano {
    return run.timeOf(this.#record.time, this.#record.observedTime);
  }

  #appendRow(run: DecodeRun, time: UnixNano): void {
    const record = this.#record;
    const { reader } = run;
    const { columns } = this.#table;
    columns.Timestamp.append(time.low, time.high);
    appendId(reader, record.traceId, traceIdBytes, columns.TraceId);
    appendId(reader, record.spanId, spanIdBytes, columns.SpanId);
    columns.TraceFlags.append(record.flags);
    this.#appendSeverity(reader);
    appendAnyValue(reader, record.body.start, record.body.end, columns.Body);
    appendAttributes(reader, record.attributes, logAttributesField, columns.LogAttributes);
    columns.EventName.append(reader.bytes, record.eventName.start, record.eventName.end);
    if (isBrokenId(record.traceId, traceIdBytes) || isBrokenId(record.spanId, spanIdBytes)) {
      run.rejections.note(withoutId);
    }
    this.#table.rows++;
  }

  /** Number and text say the same: where one is missing, it follows from the other. */
  #appendSeverity(reader: ProtobufReader): void {
    const { severityText, severityNumber } = this.#record;
    const { SeverityText, SeverityNumber } = this.#table.columns;
    const number = severityNumber > severityNumberMax ? 0 : severityNumber;
    if (severityText.length === 0) {
      SeverityText.appendText(severityTextOf(number));
      SeverityNumber.append(number);
      return;
    }
    SeverityText.append(reader.bytes, severityText.start, severityText.end);
    SeverityNumber.append(number === 0 ? severityNumberOf(reader.bytes, severityText) : number);
  }
}
