import type { TenantDirectory } from '../access/tenants.ts';
import type { Clock } from '../kernel/clock.ts';
import type { BlockSink } from '../telemetry/ports.ts';
import type { CollectorMetrics } from './collector-metrics.ts';
import type { RequestDecoder } from './decode/decoded-request.ts';
import { UnknownTenantError } from './intake-errors.ts';
import { jsonToProtobuf } from './json/json-to-protobuf.ts';
import { LogDecoder } from './logs/log-decoder.ts';
import { MetricDecoder } from './metrics/metric-decoder.ts';
import type { Signal } from './signal.ts';
import { SpanDecoder } from './traces/span-decoder.ts';

/** What became of a request's records: log records, spans or metric data points. */
export interface IntakeResult {
  accepted: number;
  rejected: number;
  /** Why records were rejected; absent when none was. */
  message?: string;
}

export interface IntakeOptions {
  tenants: TenantDirectory;
  sink: BlockSink;
  clock: Clock;
  metrics: CollectorMetrics;
}

/**
 * Takes export requests of any protocol, and the program's own telemetry. What it answers as accepted is committed.
 * Throws `MalformedPayloadError`, `PayloadTooLargeError`, `UnknownTenantError`, `SinkFullError` and `TelemetryError`;
 * then nothing of the request is stored.
 */
export class Intake {
  readonly #options: IntakeOptions;
  readonly #decoders: Readonly<Record<Signal, RequestDecoder>> = {
    logs: new LogDecoder(),
    traces: new SpanDecoder(),
    metrics: new MetricDecoder(),
  };

  constructor(options: IntakeOptions) {
    this.#options = options;
  }

  /** An `Export…ServiceRequest` in protobuf. */
  accept(tenantId: string, signal: Signal, payload: Buffer): Promise<IntakeResult> {
    return this.#take(tenantId, signal, () => payload);
  }

  /** An `Export…ServiceRequest` as OTLP/JSON, parsed. */
  acceptJson(tenantId: string, signal: Signal, request: unknown): Promise<IntakeResult> {
    return this.#take(tenantId, signal, () => jsonToProtobuf(signal, request));
  }

  async #take(tenantId: string, signal: Signal, payload: () => Buffer): Promise<IntakeResult> {
    const { tenants, sink, clock, metrics } = this.#options;
    const tenant = await tenants.find(tenantId);
    if (!tenant) throw new UnknownTenantError();
    // From here to `add` nothing waits: decoders reuse their buffers and serve one request at a time.
    const { blocks, accepted, rejected, message } = this.#decoders[signal].decode(payload(), clock.nowMs());
    if (blocks.length > 0) await sink.add(tenant.telemetryDatabase, blocks);
    if (accepted > 0) metrics.stored(signal, accepted);
    if (rejected > 0) metrics.rejected(signal, rejected);
    return message === undefined ? { accepted, rejected } : { accepted, rejected, message };
  }
}
