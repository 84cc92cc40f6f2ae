import type { TenantDirectory } from '../access/tenants.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Workers } from '../kernel/workers.ts';
import type { BlockSink } from '../telemetry/ports.ts';
import type { CollectorMetrics } from './collector-metrics.ts';
import { type CompressedBody, decompress } from './content-encoding.ts';
import type { PayloadEncoding } from './decode-export.ts';
import { UnknownTenantError } from './intake-errors.ts';
import type { MistimedLog } from './mistimed-log.ts';
import { PayloadWork } from './payload-work.ts';
import type { Signal } from './signal.ts';

/** What became of a request's records: log records, spans or metric data points. */
export interface IntakeResult {
  accepted: number;
  rejected: number;
  /** Why records were rejected, or are stored otherwise than they were sent; absent when there is nothing to report. */
  message?: string;
}

export interface IntakeOptions {
  tenants: TenantDirectory;
  sink: BlockSink;
  clock: Clock;
  metrics: CollectorMetrics;
  /** For large payloads. */
  workers: Workers;
  /** How long the store keeps records; without it, every time that can be stored is taken. */
  retentionDays?: Readonly<Record<Signal, number>>;
  /** Remembers whose clocks are wrong. */
  mistimedLog?: MistimedLog;
}

/**
 * Takes export requests of any protocol, and the program's own telemetry. What it answers as accepted is committed.
 * Throws `MalformedPayloadError`, `PayloadTooLargeError`, `UnknownTenantError`, `SinkFullError` and `TelemetryError`;
 * then nothing of the request is stored.
 */
export class Intake {
  readonly #options: IntakeOptions;
  readonly #work: PayloadWork;

  constructor(options: IntakeOptions) {
    this.#options = options;
    this.#work = new PayloadWork(options.workers);
  }

  /** A body as it was before it was compressed. Throws as `decompress`, and `SinkFullError`. */
  decompress(tenantId: string, body: CompressedBody): Promise<Buffer> {
    return decompress(body, (compression, bytes, limit) =>
      this.#work.decompress(tenantId, { compression, bytes, limit }),
    );
  }

  /** An `Export…ServiceRequest` as it was sent, decompressed; a large payload is moved away, and empty afterwards. */
  async accept(
    tenantId: string,
    signal: Signal,
    payload: Buffer,
    encoding: PayloadEncoding = 'protobuf',
  ): Promise<IntakeResult> {
    const { tenants, sink, clock, metrics, retentionDays, mistimedLog } = this.#options;
    const tenant = await tenants.find(tenantId);
    if (!tenant) throw new UnknownTenantError();
    const order = { signal, encoding, payload, nowMs: clock.nowMs(), retentionDays: retentionDays?.[signal] };
    const { blocks, accepted, rejected, mistimed, message } = await this.#work.decode(tenantId, order);
    if (blocks.length > 0) await sink.add(tenant.telemetryDatabase, blocks);
    if (accepted > 0) metrics.stored(signal, accepted);
    if (rejected > 0) metrics.rejected(signal, rejected);
    if (mistimed.behind > 0) metrics.mistimed(signal, 'behind', mistimed.behind);
    if (mistimed.ahead > 0) metrics.mistimed(signal, 'ahead', mistimed.ahead);
    mistimedLog?.record(tenantId, signal, mistimed);
    return message === undefined ? { accepted, rejected } : { accepted, rejected, message };
  }
}
