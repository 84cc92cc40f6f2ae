import type { ByteRange } from '../decode/byte-range.ts';
import { type DecodedRequest, type RequestDecoder, recordBytesMax, recordTooLarge } from '../decode/decoded-request.ts';
import { appendOrigin } from '../decode/origin-columns.ts';
import { ProtobufReader } from '../decode/protobuf-reader.ts';
import { forEachMessage } from '../decode/repeated-messages.ts';
import { forEachScope, recordTag } from '../decode/scope-groups.ts';
import { UnixNano } from '../decode/unix-nano.ts';
import type { StringColumn } from '../native/string-column.ts';
import { Rejections } from '../rejections.ts';
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

/** ExportMetricsServiceRequest → rows of the five metric tables. */
export class MetricDecoder implements RequestDecoder {
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
  readonly #tables = [...this.#rowsByKind.values()].map((rows) => rows.table);
  readonly #metric = new Metric();
  readonly #now = new UnixNano();

  decode(payload: Buffer, nowMs: number): DecodedRequest {
    const reader = new ProtobufReader(payload);
    const rejections = new Rejections();
    this.#now.setMilliseconds(nowMs);
    try {
      forEachScope(reader, (group) => {
        forEachMessage(reader, group.records, recordTag, (end) => this.#decodeMetric(reader, end, rejections));
        for (const table of this.#tables) appendOrigin(table, reader, group);
      });
      const filled = this.#tables.filter((table) => table.rows > 0);
      return {
        blocks: filled.map((table) => table.encode()),
        accepted: filled.reduce((sum, table) => sum + table.rows, 0),
        rejected: rejections.total,
        message: rejections.message(),
      };
    } finally {
      for (const table of this.#tables) table.clear();
    }
  }

  #decodeMetric(reader: ProtobufReader, end: number, rejections: Rejections): void {
    const metric = this.#metric;
    metric.scan(reader, end);
    const rows = this.#rowsByKind.get(metric.kind);
    if (!rows) {
      rejections.add('a metric has a gauge, sum, histogram, exponential histogram or summary');
      return;
    }
    const rowsBefore = rows.table.rows;
    forEachMessage(reader, metric.points, dataPointField, (pointEnd) => {
      this.#decodePoint(reader, pointEnd, rows, rejections);
    });
    this.#appendMetric(reader, rows, rows.table.rows - rowsBefore);
  }

  #decodePoint(reader: ProtobufReader, end: number, rows: DataPointRows, rejections: Rejections): void {
    const size = end - reader.position;
    rows.scan(reader, end);
    const reason = size > recordBytesMax ? recordTooLarge : rows.whyRejected(reader);
    if (reason) {
      rejections.add(reason);
      return;
    }
    rows.append(reader, this.#now);
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
