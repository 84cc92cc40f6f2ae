import { collectDefaultMetrics, Registry } from 'prom-client';
import type { CollectorMetrics } from '../../collector/collector-metrics.ts';
import type { BatchEvent } from '../../telemetry/batch-writer.ts';
import type { QueryMetrics } from '../../telemetry/query-metrics.ts';
import { batchInstruments } from './batch-instruments.ts';
import { collectorInstruments } from './collector-instruments.ts';
import { watchedGauge } from './instruments.ts';
import { type QueriedStore, queryInstruments } from './query-instruments.ts';

/** What the program counts about itself; no tenant data, SQL or host in it. `docs/observability.md` lists all of it. */
export interface ProgramMetrics {
  registry: Registry;
  collector: CollectorMetrics;
  onBatch: (event: BatchEvent) => void;
  queries: (store: QueriedStore) => QueryMetrics;
}

export function createProgramMetrics(): ProgramMetrics {
  const registry = processMetrics();
  return {
    registry,
    collector: collectorInstruments(registry),
    onBatch: batchInstruments(registry),
    queries: queryInstruments(registry),
  };
}

/** Memory, time and event loop of the process alone. */
export function processMetrics(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}

/** Shows what `count` answers whenever the metrics are read. */
export function watchDetachedParts(registry: Registry, count: () => Promise<number>): void {
  const help = 'Parts that the embedded engine has detached; their rows are missing from every query.';
  watchedGauge(registry, { name: 'telemetry_detached_parts', help }, count);
}

export function watchHeldBytes(registry: Registry, read: () => number): void {
  const help = 'Bytes of batches that wait or are being written.';
  watchedGauge(registry, { name: 'telemetry_batches_held_bytes', help }, read);
}
