import type { AppError } from '../../../contract/errors.ts';
import type { Reading } from '../../../evaluator/ports.ts';
import { TelemetryError } from '../../../telemetry/ports.ts';
import type { ChartTable } from '../../charts/answer/chart-table.ts';
import type { ChartDefinition } from '../../charts/request/chart-definition.ts';
import { readingOf, samplesByBucket } from './tile-samples.ts';

export type ErrorReading = Extract<Reading, { kind: 'error' }>;

/** The value of each group that the alert evaluates, which is the one that the chart shows; the window is one bucket. */
export function toReading(table: ChartTable, definition: ChartDefinition): Reading {
  const samples = [...samplesByBucket(table, definition).values()].flat();
  return readingOf(samples, table.truncated, definition);
}

/** What the alert shows of a chart that could not be read. */
export function toErrorReading(error: AppError): ErrorReading {
  if (error.code === 'query_timeout') return { kind: 'error', type: 'QUERY_TIMEOUT', message: error.publicText };
  const ranAndFailed = error.cause instanceof TelemetryError;
  return { kind: 'error', type: ranAndFailed ? 'QUERY_ERROR' : 'INVALID_ALERT', message: error.publicText };
}

/** The alert watches nothing that could be evaluated; `message` is a sentence. */
export function invalidAlert(message: string): ErrorReading {
  return { kind: 'error', type: 'INVALID_ALERT', message };
}
