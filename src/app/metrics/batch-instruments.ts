import type { Registry } from 'prom-client';
import type { BatchEvent } from '../../telemetry/batch-writer.ts';
import { counterOf, histogramOf } from './instruments.ts';

const kilobyte = 1024;

export function batchInstruments(registry: Registry): (event: BatchEvent) => void {
  const batches = counterOf(registry, {
    name: 'telemetry_batches_total',
    help: 'Batches by outcome.',
    labels: ['outcome'],
  });
  const rows = counterOf(registry, {
    name: 'telemetry_rows_inserted_total',
    help: 'Rows committed to the telemetry store.',
    labels: ['table'],
  });
  const age = histogramOf(registry, {
    name: 'telemetry_batch_age_seconds',
    help: 'Time from the arrival of the oldest row of a batch until the batch was committed.',
    buckets: [0.05, 0.1, 0.2, 0.3, 0.5, 1, 2, 5, 10, 30],
  });
  const size = histogramOf(registry, {
    name: 'telemetry_batch_size_bytes',
    help: 'Encoded size of committed batches.',
    buckets: [1, 16, 128, 1024, 8 * 1024, 32 * 1024].map((count) => count * kilobyte),
  });
  return (event) => {
    batches.inc({ outcome: event.kind });
    if (event.kind !== 'inserted') return;
    rows.inc({ table: event.table }, event.rows);
    age.observe(event.ageMs / 1000);
    size.observe(event.bytes);
  };
}
