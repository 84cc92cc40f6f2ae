import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { BucketCache } from '../../resources/charts/reading/bucket-cache.ts';
import { TelemetryError } from '../../telemetry/ports.ts';
import { deliveryInstruments, evaluationInstruments } from './alerting-instruments.ts';
import { batchInstruments } from './batch-instruments.ts';
import { cacheInstruments, watchCache } from './cache-instruments.ts';
import { collectorInstruments } from './collector-instruments.ts';
import { engineInstruments } from './engine-instruments.ts';
import { watchDetachedParts, watchHeldBytes } from './program-metrics.ts';
import { queryInstruments } from './query-instruments.ts';
import { selfTelemetryInstruments } from './self-telemetry-instruments.ts';

/** The samples that are not 0, without the buckets of histograms. */
async function samples(registry: Registry): Promise<string[]> {
  const lines = (await registry.metrics()).split('\n');
  return lines.filter((line) => line !== '' && !/^#|_bucket\{| 0$/.test(line));
}

async function countedBy(drive: (registry: Registry) => void): Promise<string[]> {
  const registry = new Registry();
  drive(registry);
  return samples(registry);
}

describe('what the program counts', () => {
  it('records of the collector, and requests that it refused', async () => {
    const drive = (registry: Registry) => {
      const metrics = collectorInstruments(registry);
      metrics.stored('logs', 3);
      metrics.rejected('logs', 2);
      metrics.mistimed('logs', 'behind', 1);
      metrics.refused('traces', 'full');
    };
    expect(await countedBy(drive)).toEqual([
      'otlp_records_total{signal="logs",outcome="stored"} 3',
      'otlp_records_total{signal="logs",outcome="rejected"} 2',
      'otlp_mistimed_records_total{signal="logs",clock="behind"} 1',
      'otlp_refused_requests_total{signal="traces",reason="full"} 1',
    ]);
  });

  it('batches: what became of them, age, size, rows, and the bytes that are held', async () => {
    const drive = (registry: Registry) => {
      const count = batchInstruments(registry);
      count({ kind: 'inserted', table: 'otel_logs', rows: 7, bytes: 2_048, requests: 2, ageMs: 250 });
      count({ kind: 'retried', table: 'otel_logs', reason: new TelemetryError('unavailable', 'away') });
      watchHeldBytes(registry, () => 512);
    };
    expect(await countedBy(drive)).toEqual([
      'telemetry_batches_total{outcome="inserted"} 1',
      'telemetry_batches_total{outcome="retried"} 1',
      'telemetry_rows_inserted_total{table="otel_logs"} 7',
      'telemetry_batch_age_seconds_sum 0.25',
      'telemetry_batch_age_seconds_count 1',
      'telemetry_batch_size_bytes_sum 2048',
      'telemetry_batch_size_bytes_count 1',
      'telemetry_batches_held_bytes 512',
    ]);
  });

  it('queries by class and store: waiting, running, refused, ended', async () => {
    const drive = (registry: Registry) => {
      const queries = queryInstruments(registry);
      const own = queries('own');
      for (let count = 0; count < 4; count++) own.queued('interactive');
      own.started('interactive', 100);
      own.started('interactive', 400);
      own.refused('interactive', 'timeout');
      own.ended('interactive', 'completed', 2_000);
      queries('connected').queued('alerts');
    };
    expect(await countedBy(drive)).toEqual([
      'telemetry_queries_waiting{class="interactive",store="own"} 1',
      'telemetry_queries_waiting{class="alerts",store="connected"} 1',
      'telemetry_queries_running{class="interactive",store="own"} 1',
      'telemetry_queries_refused_total{class="interactive",store="own",reason="timeout"} 1',
      'telemetry_queries_total{class="interactive",store="own",outcome="completed"} 1',
      'telemetry_query_wait_seconds_sum{class="interactive",store="own"} 0.5',
      'telemetry_query_wait_seconds_count{class="interactive",store="own"} 2',
      'telemetry_query_duration_seconds_sum{class="interactive",store="own"} 2',
      'telemetry_query_duration_seconds_count{class="interactive",store="own"} 1',
    ]);
  });

  it('evaluations by result, their lag, and missed windows', async () => {
    const drive = (registry: Registry) => {
      const metrics = evaluationInstruments(registry);
      metrics.ended('evaluated', 2);
      metrics.ended('QUERY_TIMEOUT', 1);
      metrics.lagged(1_500, 2);
      metrics.missed(30);
    };
    expect(await countedBy(drive)).toEqual([
      'alert_evaluations_total{result="evaluated"} 2',
      'alert_evaluations_total{result="queryTimeout"} 1',
      'alert_evaluation_lag_seconds_sum 3',
      'alert_evaluation_lag_seconds_count 2',
      'alert_missed_windows_total 30',
    ]);
  });

  it('tries to deliver notifications, by outcome', async () => {
    const drive = (registry: Registry) => {
      const metrics = deliveryInstruments(registry);
      metrics.tried('retried', 500);
      metrics.tried('delivered', 250);
    };
    expect(await countedBy(drive)).toEqual([
      'notification_delivery_attempts_total{outcome="delivered"} 1',
      'notification_delivery_attempts_total{outcome="retried"} 1',
      'notification_delivery_duration_seconds_sum 0.75',
      'notification_delivery_duration_seconds_count 2',
    ]);
  });

  it('the bucket cache: reads by result, bytes, entries', async () => {
    const drive = (registry: Registry) => {
      const cache = new BucketCache(10_000, cacheInstruments(registry));
      watchCache(registry, cache);
      cache.used('miss');
      cache.used('hit');
      cache.used('hit');
      const writes = { oldestKeptMs: () => 0, mark: () => 0, writtenSince: () => [] };
      const key = { text: 'key', database: 'otel', table: 'otel_logs' };
      cache.keep(key, new Map([[0, { columns: [], rows: 0, bytes: 100, endMs: 60_000 }]]), 0, writes);
    };
    expect(await countedBy(drive)).toEqual([
      'bucket_cache_reads_total{result="hit"} 2',
      'bucket_cache_reads_total{result="miss"} 1',
      'bucket_cache_size_bytes 2303',
      'bucket_cache_entries 1',
    ]);
  });

  it('restarts of the engine, and whether it is up', async () => {
    const registry = new Registry();
    const count = engineInstruments(registry);
    count({ kind: 'ready', pid: 1, restarts: 0 });
    expect(await samples(registry)).toEqual(['engine_up 1']);
    count({ kind: 'exited', pid: 1, exit: { code: 1, signal: null }, errorOutput: '' });
    expect(await samples(registry)).toEqual([]);
    count({ kind: 'restartFailed', reason: 'x', errorOutput: '', nextDelayMs: 1 });
    count({ kind: 'ready', pid: 2, restarts: 2 });
    expect(await samples(registry)).toEqual([
      'engine_restarts_total{outcome="ready"} 1',
      'engine_restarts_total{outcome="failed"} 1',
      'engine_up 1',
    ]);
  });

  it('detached parts, with the last number while they can’t be counted', async () => {
    const registry = new Registry();
    const answers = [async () => 3, async () => Promise.reject(new Error('away'))].values();
    watchDetachedParts(registry, () => answers.next().value?.() ?? Promise.resolve(0));
    expect(await samples(registry)).toEqual(['telemetry_detached_parts 3']);
    expect(await samples(registry)).toEqual(['telemetry_detached_parts 3']);
  });

  it('lost self-telemetry', async () => {
    const drive = (registry: Registry) => selfTelemetryInstruments(registry)('logs', 'full', 5);
    expect(await countedBy(drive)).toEqual(['self_telemetry_dropped_records_total{signal="logs",reason="full"} 5']);
  });
});
