import type { Registry } from 'prom-client';
import type { BucketCache, CacheUse } from '../../resources/charts/reading/bucket-cache.ts';
import { counterOf, startAtZero, watchedGauge } from './instruments.ts';

const uses: readonly CacheUse[] = ['hit', 'partial', 'miss', 'off'];

export function cacheInstruments(registry: Registry): (use: CacheUse) => void {
  const reads = counterOf(registry, {
    name: 'bucket_cache_reads_total',
    help: 'Scans of charts, by how much came from the cache; off if they cannot be cached.',
    labels: ['result'],
  });
  startAtZero(reads, 'result', uses);
  return (use) => reads.inc({ result: use });
}

export function watchCache(registry: Registry, cache: Pick<BucketCache, 'bytes' | 'entries'>): void {
  const size = { name: 'bucket_cache_size_bytes', help: 'Estimated memory of the cached buckets.' };
  watchedGauge(registry, size, () => cache.bytes);
  const entries = { name: 'bucket_cache_entries', help: 'Scans of charts with cached buckets.' };
  watchedGauge(registry, entries, () => cache.entries);
}
