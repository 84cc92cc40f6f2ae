import type { Registry } from 'prom-client';
import type { CollectorMetrics } from '../../collector/collector-metrics.ts';
import { counterOf } from './instruments.ts';

export function collectorInstruments(registry: Registry): CollectorMetrics {
  const records = counterOf(registry, {
    name: 'otlp_records_total',
    help: 'Records received by the collector.',
    labels: ['signal', 'outcome'],
  });
  const mistimed = counterOf(registry, {
    name: 'otlp_mistimed_records_total',
    help: 'Records rejected because their time is older than the retention (behind) or more than a day ahead.',
    labels: ['signal', 'clock'],
  });
  const refused = counterOf(registry, {
    name: 'otlp_refused_requests_total',
    help: 'Export requests that were refused as a whole.',
    labels: ['signal', 'reason'],
  });
  return {
    stored: (signal, count) => records.inc({ signal, outcome: 'stored' }, count),
    rejected: (signal, count) => records.inc({ signal, outcome: 'rejected' }, count),
    mistimed: (signal, clock, count) => mistimed.inc({ signal, clock }, count),
    refused: (signal, reason) => refused.inc({ signal, reason }),
  };
}
