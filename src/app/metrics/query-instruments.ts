import type { Registry } from 'prom-client';
import type { QueryMetrics } from '../../telemetry/query-metrics.ts';
import { counterOf, gaugeOf, histogramOf } from './instruments.ts';

/** `own`: the program's telemetry store; `connected`: the databases that users connect, all together. */
export type QueriedStore = 'own' | 'connected';

const labels = ['class', 'store'] as const;

export function queryInstruments(registry: Registry): (store: QueriedStore) => QueryMetrics {
  const waiting = gaugeOf(registry, {
    name: 'telemetry_queries_waiting',
    help: 'Queries waiting for a slot in their class.',
    labels,
  });
  const running = gaugeOf(registry, { name: 'telemetry_queries_running', help: 'Queries running now.', labels });
  const refused = counterOf(registry, {
    name: 'telemetry_queries_refused_total',
    help: 'Queries that got no slot in time (timeout), or whose caller disconnected first (cancelled).',
    labels: [...labels, 'reason'],
  });
  const ended = counterOf(registry, {
    name: 'telemetry_queries_total',
    help: 'Queries that were run, by outcome.',
    labels: [...labels, 'outcome'],
  });
  const wait = histogramOf(registry, {
    name: 'telemetry_query_wait_seconds',
    help: 'How long queries waited for a slot.',
    labels,
    buckets: [0.001, 0.01, 0.1, 0.5, 2, 10, 30],
  });
  const duration = histogramOf(registry, {
    name: 'telemetry_query_duration_seconds',
    help: 'How long queries ran, excluding the wait.',
    labels,
    buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30],
  });
  return (store) => ({
    queued: (queryClass) => waiting.inc({ class: queryClass, store }),
    started: (queryClass, waitedMs) => {
      waiting.dec({ class: queryClass, store });
      running.inc({ class: queryClass, store });
      wait.observe({ class: queryClass, store }, waitedMs / 1000);
    },
    refused: (queryClass, reason) => {
      waiting.dec({ class: queryClass, store });
      refused.inc({ class: queryClass, store, reason });
    },
    ended: (queryClass, outcome, durationMs) => {
      running.dec({ class: queryClass, store });
      ended.inc({ class: queryClass, store, outcome });
      duration.observe({ class: queryClass, store }, durationMs / 1000);
    },
  });
}
