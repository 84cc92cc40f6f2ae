import type { Registry } from 'prom-client';
import type { EngineEvent } from '../../engine/supervisor.ts';
import { counterOf, gaugeOf, startAtZero } from './instruments.ts';

export function engineInstruments(registry: Registry): (event: EngineEvent) => void {
  const restarts = counterOf(registry, {
    name: 'engine_restarts_total',
    help: 'Restarts of the embedded engine after a crash: ready, or failed attempts.',
    labels: ['outcome'],
  });
  startAtZero(restarts, 'outcome', ['ready', 'failed']);
  const up = gaugeOf(registry, { name: 'engine_up', help: '1 while the embedded engine answers, else 0.' });
  return (event) => {
    up.set(event.kind === 'ready' ? 1 : 0);
    if (event.kind === 'restartFailed') restarts.inc({ outcome: 'failed' });
    if (event.kind === 'ready' && event.restarts > 0) restarts.inc({ outcome: 'ready' });
  };
}
