import { Gauge, type Registry } from 'prom-client';
import type { Clock } from '../../kernel/clock.ts';
import type { PipeMetrics } from '../../pipes/pipe-metrics.ts';
import { counterOf, gaugeOf } from './instruments.ts';

/** By the id of the pipe, which names neither a customer nor what the pipe reads. */
const labels = ['pipe_id'] as const;

export function pipeInstruments(registry: Registry, clock: Clock): PipeMetrics {
  const rows = counterOf(registry, { name: 'pipe_rows_total', help: 'Rows that a pipe has written.', labels });
  const bytes = counterOf(registry, { name: 'pipe_bytes_total', help: 'Bytes that a pipe has read.', labels });
  const errors = counterOf(registry, {
    name: 'pipe_errors_total',
    help: 'Records that did not fit and went to the error table of their pipe.',
    labels,
  });
  const lag = gaugeOf(registry, { name: 'pipe_lag_seconds', help: 'How far a pipe is behind its source.', labels });
  const lagRecords = gaugeOf(registry, {
    name: 'pipe_lag_records',
    help: 'How many records a pipe is behind a source that counts them.',
    labels,
  });
  const lagBytes = gaugeOf(registry, {
    name: 'pipe_lag_bytes',
    help: 'Bytes of write-ahead log that PostgreSQL keeps because a pipe has not read them.',
    labels,
  });
  const success = gaugeOf(registry, {
    name: 'pipe_last_success_timestamp_seconds',
    help: 'When a pipe last wrote rows, in Unix time.',
    labels,
  });
  return {
    written: (pipe_id, batch) => {
      rows.inc({ pipe_id }, batch.rows);
      bytes.inc({ pipe_id }, batch.bytes);
      errors.inc({ pipe_id }, batch.errors);
      success.set({ pipe_id }, clock.nowMs() / 1000);
    },
    lagged: (pipe_id, lagMs, records) => {
      lag.set({ pipe_id }, lagMs / 1000);
      if (records !== undefined) lagRecords.set({ pipe_id }, records);
    },
    laggedBytes: (pipe_id, bytes) => lagBytes.set({ pipe_id }, bytes),
    left: (pipe_id) => {
      // Another process may run it now and say how it is doing.
      lag.remove({ pipe_id });
      lagRecords.remove({ pipe_id });
      lagBytes.remove({ pipe_id });
      success.remove({ pipe_id });
    },
  };
}

/** The states of all pipes, as the metadata store has them on collection; the last ones while it is away. */
export function watchPipeStates(
  registry: Registry,
  read: () => Promise<readonly { pipeId: string; state: string }[]>,
): void {
  new Gauge({
    name: 'pipe_state',
    help: '1 for the state in which a pipe is.',
    labelNames: ['pipe_id', 'state'],
    registers: [registry],
    async collect() {
      const states = await read().catch(() => undefined);
      if (!states) return;
      this.reset();
      for (const { pipeId, state } of states) this.set({ pipe_id: pipeId, state }, 1);
    },
  });
}
