import type { Arrival } from '../decode/arrival.ts';
import type { ByteRange } from '../decode/byte-range.ts';
import { decodeRequest, type SignalRows } from '../decode/decode-request.ts';
import type { DecodeRun } from '../decode/decode-run.ts';
import type { DecodedRequest, RequestDecoder } from '../decode/decoded-request.ts';
import type { ProtobufReader } from '../decode/protobuf-reader.ts';
import { forEachMessage } from '../decode/repeated-messages.ts';
import { MalformedPayloadError } from '../intake-errors.ts';
import type { StringColumn } from '../native/string-column.ts';
import type { Rejections } from '../rejections.ts';
import type { DataPointRows } from './data-point.ts';
import { ExponentialHistogramPoints } from './exponential-histogram-points.ts';
import { HistogramPoints } from './histogram-points.ts';
import {
  dataPointField,
  exponentialHistogramField,
  gaugeField,
  histogramField,
  Metric,
  sumField,
  summaryField,
} from './metric.ts';
import { createGaugeTable, createSumTable } from './metric-tables.ts';
import { NumberPoints } from './number-points.ts';
import { SummaryPoints } from './summary-points.ts';

const noData = 'a metric has a gauge, sum, histogram, exponential histogram or summary';
const noName = 'a metric has a name';

/** ExportMetricsServiceRequest → rows of the five metric tables. */
export class MetricDecoder implements RequestDecoder, SignalRows {
  readonly #sums = createSumTable();
  readonly #histograms = new HistogramPoints();
  readonly #exponentialHistograms = new ExponentialHistogramPoints();
  readonly #rowsByKind = new Map<number, DataPointRows>([
    [gaugeField, new NumberPoints(createGaugeTable())],
    [sumField, new NumberPoints(this.#sums)],
    [histogramField, this.#histograms],
    [exponentialHistogramField, this.#exponentialHistograms],
    [summaryField, new SummaryPoints()],
  ]);
  readonly tables = [...this.#rowsByKind.values()].map((rows) => rows.table);
  readonly #metric = new Metric();

  decode(payload: Buffer, arrival: Arrival, earlier?: Rejections): DecodedRequest {
    return decodeRequest(payload, this, arrival, earlier);
  }

  countRecords({ reader }: DecodeRun, end: number): number {
    try {
      this.#metric.scan(reader, end);
    } catch (error) {
      if (error instanceof MalformedPayloadError) return 1;
      throw error;
    }
    return this.#countPoints(reader);
  }

  takeMember(run: DecodeRun, end: number): void {
    const { reader, rejections } = run;
    const rows = this.#scanMetric(run, end);
    if (!rows) return;
    if (this.#metric.name.length === 0) {
      rejections.add(noName, this.#countPoints(reader));
      return;
    }
    let rowsBefore = rows.table.rows;
    forEachMessage(reader, this.#metric.points, dataPointField, (pointEnd) => {
      this.#takePoint(run, pointEnd, rows);
      if (!run.chunkIsFull) return;
      this.#appendMetric(reader, rows, rows.table.rows - rowsBefore);
      run.endChunk();
      rowsBefore = 0;
    });
    this.#appendMetric(reader, rows, rows.table.rows - rowsBefore);
  }

  /** Reads the metric, without its points. `undefined` when it is rejected. */
  #scanMetric(run: DecodeRun, end: number): DataPointRows | undefined {
    try {
      this.#metric.scan(run.reader, end);
    } catch (error) {
      if (!run.careful || !(error instanceof MalformedPayloadError)) throw error;
      run.rejections.addBroken(error.reason);
      return undefined;
    }
    const rows = this.#rowsByKind.get(this.#metric.kind);
    if (!rows) run.rejections.add(noData);
    return rows;
  }

  #countPoints(reader: ProtobufReader): number {
    return forEachMessage(reader, this.#metric.points, dataPointField, () => {});
  }

  #takePoint(run: DecodeRun, end: number, rows: DataPointRows): void {
    if (run.careful) run.attempt(rows.table, () => this.#appendPoint(run, end, rows));
    else this.#appendPoint(run, end, rows);
  }

  #appendPoint(run: DecodeRun, end: number, rows: DataPointRows): void {
    const size = end - run.reader.position;
    rows.scan(run.reader, end);
    const reason = rows.whyRejected(run) ?? run.whyNoRoom(size + this.#metric.textBytes);
    if (reason) {
      run.rejections.add(reason);
      return;
    }
    rows.append(run.reader, run.now);
    rows.table.rows++;
  }

  /** Fills the columns that all `count` new rows of a metric share. */
  #appendMetric(reader: ProtobufReader, rows: DataPointRows, count: number): void {
    if (count === 0) return;
    const { name, description, unit, kind, temporality, isMonotonic } = this.#metric;
    const { columns } = rows.table;
    appendText(columns.MetricName, reader, name, count);
    appendText(columns.MetricDescription, reader, description, count);
    appendText(columns.MetricUnit, reader, unit, count);
    if (kind === sumField) {
      this.#sums.columns.AggregationTemporality.append(temporality, count);
      this.#sums.columns.IsMonotonic.append(isMonotonic ? 1 : 0, count);
    }
    if (kind === histogramField) this.#histograms.table.columns.AggregationTemporality.append(temporality, count);
    if (kind === exponentialHistogramField) {
      this.#exponentialHistograms.table.columns.AggregationTemporality.append(temporality, count);
    }
  }
}

function appendText(column: StringColumn, reader: ProtobufReader, text: ByteRange, times: number): void {
  column.append(reader.bytes, text.start, text.end);
  column.repeatLast(times - 1);
}
