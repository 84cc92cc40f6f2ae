import type { IngestionAuthenticator } from '../../access/authenticators.ts';
import type { TenantDirectory } from '../../access/tenants.ts';
import { ByteBudget } from '../../kernel/byte-budget.ts';
import { FakeClock } from '../../kernel/fake-clock.ts';
import { inlineWorkers } from '../../kernel/inline-workers.ts';
import { RecordingLogger } from '../../kernel/recording-logger.ts';
import type { Workers } from '../../kernel/workers.ts';
import type { BlockSink } from '../../telemetry/ports.ts';
import { RecordingSink } from '../../telemetry/testing.ts';
import type { CollectorMetrics } from '../collector-metrics.ts';
import { Intake } from '../intake.ts';
import { arrivalMs } from './decoders.ts';
import { type Row, readNativeBlock } from './read-native-block.ts';

export const ingestionKey = 'test-ingestion-key';
const tenantId = 'aaaaaaaaaaaaaaaaaaaaaaaa';

const authenticator: IngestionAuthenticator = {
  authenticateIngestion: async (authorization) =>
    authorization === ingestionKey || authorization === `Bearer ${ingestionKey}`
      ? { kind: 'ingestion', tenantId, keyId: 'key', role: 'admin' }
      : undefined,
};

/** Counts by `<what> <signal> [reason]`. */
class RecordingMetrics implements CollectorMetrics {
  readonly counts: Record<string, number> = {};

  stored(signal: string, records: number): void {
    this.#add(`stored ${signal}`, records);
  }
  rejected(signal: string, records: number): void {
    this.#add(`rejected ${signal}`, records);
  }
  mistimed(signal: string, clock: string, records: number): void {
    this.#add(`${clock} ${signal}`, records);
  }
  refused(signal: string, reason: string): void {
    this.#add(`refused ${signal} ${reason}`, 1);
  }

  #add(name: string, count: number): void {
    this.counts[name] = (this.counts[name] ?? 0) + count;
  }
}

/** What a protocol server needs, with doubles for everything behind the intake. */
export function collectorFixture() {
  const sink = new RecordingSink();
  return { ...serverOptions(sink), sink, storedRows: () => storedRows(sink) };
}

/** The same around another sink. */
export function serverOptions(sink: BlockSink, workers: Workers = inlineWorkers) {
  const metrics = new RecordingMetrics();
  const logger = new RecordingLogger();
  const clock = new FakeClock(arrivalMs);
  const tenants: TenantDirectory = {
    find: async (id) =>
      id === tenantId ? { id, kind: 'team', name: 'Team', telemetryDatabase: 'otel_team' } : undefined,
    list: async () => [],
  };
  const intake = new Intake({ tenants, sink, clock, metrics, workers });
  const budget = new ByteBudget({ totalBytesMax: 1 << 20, perHolderBytesMax: 1 << 20 });
  const options = { host: '127.0.0.1', port: 0, intake, authenticator, metrics, logger, clock, budget };
  return { metrics, logger, clock, intake, budget, options, tenantId };
}

/** Everything that reached the sink, by table. */
function storedRows(sink: RecordingSink): Record<string, Row[]> {
  const rows: Record<string, Row[]> = {};
  for (const { block } of sink.added) rows[block.table] = [...(rows[block.table] ?? []), ...readNativeBlock(block)];
  return rows;
}
