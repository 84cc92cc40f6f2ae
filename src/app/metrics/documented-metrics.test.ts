import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { requestMetrics } from '../../http/request-metrics.ts';
import { systemClock } from '../../kernel/clock.ts';
import { BucketCache } from '../../resources/charts/reading/bucket-cache.ts';
import { deliveryInstruments, evaluationInstruments } from './alerting-instruments.ts';
import { cacheInstruments, watchCache } from './cache-instruments.ts';
import { engineInstruments } from './engine-instruments.ts';
import { pipeInstruments, watchPipeStates } from './pipe-instruments.ts';
import { createProgramMetrics, watchDetachedParts, watchHeldBytes } from './program-metrics.ts';
import { selfTelemetryInstruments } from './self-telemetry-instruments.ts';

/** Every metric that a process with all roles has, but those that prom-client gives every Node.js program. */
function allMetrics() {
  const { registry } = createProgramMetrics();
  requestMetrics(registry);
  evaluationInstruments(registry);
  deliveryInstruments(registry);
  cacheInstruments(registry);
  watchCache(registry, new BucketCache(0));
  engineInstruments(registry);
  selfTelemetryInstruments(registry);
  pipeInstruments(registry, systemClock);
  watchPipeStates(registry, async () => []);
  watchDetachedParts(registry, async () => 0);
  watchHeldBytes(registry, () => 0);
  return registry.getMetricsAsArray().filter(({ name }) => !/^(process|nodejs)_/.test(name));
}

it('docs/observability.md lists each metric with its type and labels', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/observability.md'), 'utf8');
  const rows = page.split('\n').flatMap((line) => {
    const [name, type, labels] = line
      .split('|')
      .map((cell) => cell.trim())
      .slice(1);
    if (!name?.startsWith('`') || (type !== 'counter' && type !== 'gauge' && type !== 'histogram')) return [];
    return [
      `${name.replaceAll('`', '')} ${type} ${[...(labels ?? '').matchAll(/`(\w+)`:?/g)].map((match) => match[1])}`,
    ];
  });
  // prom-client keeps what a metric was made with, but does not say so in its types.
  const metrics = allMetrics() as unknown as { name: string; type: string; labelNames: string[] }[];
  const made = metrics.map(({ name, type, labelNames }) => `${name} ${type} ${labelNames}`);
  expect(rows.toSorted()).toEqual(made.toSorted());
});

it('names say their unit, and counters end in _total', () => {
  for (const { name, type } of allMetrics() as unknown as { name: string; type: string }[]) {
    expect(name.endsWith('_total'), name).toBe(type === 'counter');
    if (type === 'histogram') expect(name).toMatch(/_(seconds|bytes)$/);
  }
});
