import type { Registry } from 'prom-client';
import type { DropReason, Signal } from '../../self-telemetry/self-telemetry.ts';
import { counterOf } from './instruments.ts';

const signals: readonly Signal[] = ['logs', 'traces', 'metrics'];
const reasons: readonly DropReason[] = ['full', 'refused'];

export function selfTelemetryInstruments(
  registry: Registry,
): (signal: Signal, reason: DropReason, records: number) => void {
  const dropped = counterOf(registry, {
    name: 'self_telemetry_dropped_records_total',
    help: 'Lost self-telemetry records: the buffer was full (full), or the store rejected them (refused).',
    labels: ['signal', 'reason'],
  });
  for (const signal of signals) for (const reason of reasons) dropped.inc({ signal, reason }, 0);
  return (signal, reason, records) => dropped.inc({ signal, reason }, records);
}
