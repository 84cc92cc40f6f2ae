import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { CollectorMetrics } from '../collector/collector-metrics.ts';
import type { BatchEvent } from '../telemetry/batch-writer.ts';

/** What the program counts about itself; no tenant data in it. */
export interface ProgramMetrics {
  registry: Registry;
  collector: CollectorMetrics;
  onBatch: (event: BatchEvent) => void;
  /** Shows what `count` answers whenever the metrics are read; the last value while it fails. */
  watchDetachedParts(count: () => Promise<number>): void;
}

export function createProgramMetrics(): ProgramMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    collector: collectorMetrics(registry),
    onBatch: batchMetrics(registry),
    watchDetachedParts: (count) => watchDetachedParts(registry, count),
  };
}

function collectorMetrics(registry: Registry): CollectorMetrics {
  const records = counter(registry, 'otlp_records_total', 'Records received by the collector.', ['signal', 'outcome']);
  const mistimed = counter(
    registry,
    'otlp_mistimed_records_total',
    'Records rejected because their time is older than the retention (behind) or more than a day ahead.',
    ['signal', 'clock'],
  );
  const refused = counter(registry, 'otlp_refused_requests_total', 'Export requests of which nothing was stored.', [
    'signal',
    'reason',
  ]);
  return {
    stored: (signal, count) => records.inc({ signal, outcome: 'stored' }, count),
    rejected: (signal, count) => records.inc({ signal, outcome: 'rejected' }, count),
    mistimed: (signal, clock, count) => mistimed.inc({ signal, clock }, count),
    refused: (signal, reason) => refused.inc({ signal, reason }),
  };
}

function batchMetrics(registry: Registry): (event: BatchEvent) => void {
  const batches = counter(registry, 'telemetry_batches_total', 'Batches by what became of them.', ['outcome']);
  const rows = counter(registry, 'telemetry_rows_inserted_total', 'Rows committed to the telemetry store.', ['table']);
  return (event) => {
    batches.inc({ outcome: event.kind });
    if (event.kind === 'inserted') rows.inc({ table: event.table }, event.rows);
  };
}

function watchDetachedParts(registry: Registry, count: () => Promise<number>): void {
  new Gauge({
    name: 'telemetry_detached_parts',
    help: 'Parts that the embedded engine has set aside, whose rows are missing from every answer.',
    registers: [registry],
    async collect() {
      const parts = await count().catch(() => undefined);
      if (parts !== undefined) this.set(parts);
    },
  });
}

function counter<Label extends string>(registry: Registry, name: string, help: string, labelNames: Label[]) {
  return new Counter<Label>({ name, help, labelNames, registers: [registry] });
}
