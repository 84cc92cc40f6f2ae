import type { Clock } from '../kernel/clock.ts';
import { loggedFields } from '../kernel/logged-error.ts';
import type { LogFields, Logger, LogLevel } from '../kernel/logger.ts';
import type { SpanContext } from '../kernel/traceparent.ts';
import type { FinishedSpan } from '../kernel/tracer.ts';
import { type MetricFamily, metricsFrom } from './metric-data.ts';
import { attributesFrom, unixNano } from './otlp-json.ts';
import { RecordBuffer } from './record-buffer.ts';

export type Signal = 'logs' | 'traces' | 'metrics';

/** Port: takes an OTLP/JSON request of the program's own telemetry; implemented by the collector's intake. */
export interface SelfTelemetrySink {
  accept(signal: Signal, request: object): Promise<unknown>;
}

export interface SelfTelemetryOptions {
  sink: SelfTelemetrySink;
  clock: Clock;
  version: string;
  /** Where the process runs, to distinguish replicas. */
  instanceId: string;
  /** What a log line is a part of. */
  currentSpan?: () => SpanContext | undefined;
  readMetrics: () => Promise<readonly MetricFamily[]>;
  /**
   * Records that never reach the store: beyond the buffer (`full`), or rejected by the store (`refused`). For metrics,
   * families.
   */
  onDropped?: (signal: Signal, reason: DropReason, records: number) => void;
}

export type DropReason = 'full' | 'refused';

const flushMs = 1_000;
const metricsEveryFlushes = 15;
const recordsMax = 5_000;
const severityNumbers: Record<LogLevel, number> = { debug: 5, info: 9, warn: 13, error: 17 };
const spanKinds = { internal: 1, server: 2, client: 3 } as const;

/** The program's own logs, spans and metrics, sent to its first tenant through the collector's own path. */
export class SelfTelemetry {
  readonly #options: SelfTelemetryOptions;
  readonly #logs = new RecordBuffer(recordsMax, () => this.#dropped('logs', 'full', 1));
  readonly #spans = new RecordBuffer(recordsMax, () => this.#dropped('traces', 'full', 1));
  readonly #startMs: number;
  #flushes = 0;
  #stopped = false;
  #cancelTimer: () => void = () => {};
  #flushing: Promise<void> = Promise.resolve();

  constructor(options: SelfTelemetryOptions) {
    this.#options = options;
    this.#startMs = options.clock.nowMs();
  }

  /** A logger that writes to `base` and keeps a copy for the store. */
  tee(base: Logger, context: LogFields = {}): Logger {
    const write = (level: LogLevel) => (fields: LogFields, message: string) => {
      base[level](fields, message);
      if (level !== 'debug') this.recordLog(level, { ...context, ...fields }, message);
    };
    return {
      debug: write('debug'),
      info: write('info'),
      warn: write('warn'),
      error: write('error'),
      child: (fields) => this.tee(base.child(fields), { ...context, ...fields }),
    };
  }

  recordLog(level: LogLevel, fields: LogFields, message: string): void {
    if (this.#stopped) return;
    const nowNano = unixNano(this.#options.clock.nowMs());
    this.#logs.add({
      timeUnixNano: nowNano,
      observedTimeUnixNano: nowNano,
      severityNumber: severityNumbers[level],
      severityText: level,
      body: { stringValue: message },
      attributes: attributesFrom(loggedFields(fields)),
      ...idsOf(this.#options.currentSpan?.()),
    });
  }

  recordSpan(work: FinishedSpan): void {
    if (this.#stopped) return;
    this.#spans.add({
      traceId: work.traceId,
      spanId: work.spanId,
      ...(work.parentSpanId !== undefined && { parentSpanId: work.parentSpanId }),
      name: work.name,
      kind: spanKinds[work.kind],
      startTimeUnixNano: unixNano(work.startMs),
      endTimeUnixNano: unixNano(work.endMs),
      status: { code: work.failed ? 2 : 0 },
      attributes: attributesFrom(work.attributes),
    });
  }

  start(): void {
    this.#cancelTimer = this.#options.clock.after(flushMs, () => {
      void this.flush().finally(() => {
        if (!this.#stopped) this.start();
      });
    });
  }

  /** Sends what is left and stops; logs after that reach only the base logger. */
  async stop(): Promise<void> {
    this.#cancelTimer();
    this.#stopped = true;
    await this.flush();
  }

  /** One flush at a time. What the store rejects is dropped: self-telemetry must never block the program. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#send()).catch(() => {});
    return this.#flushing;
  }

  async #send(): Promise<void> {
    const resource = { attributes: attributesFrom(this.#resource()) };
    const scope = { name: 'signalbox', version: this.#options.version };
    const logRecords = this.#logs.take();
    const spans = this.#spans.take();
    if (logRecords.length > 0) {
      const request = { resourceLogs: [{ resource, scopeLogs: [{ scope, logRecords }] }] };
      await this.#accept('logs', request, logRecords.length);
    }
    if (spans.length > 0) {
      const request = { resourceSpans: [{ resource, scopeSpans: [{ scope, spans }] }] };
      await this.#accept('traces', request, spans.length);
    }
    if (this.#flushes++ % metricsEveryFlushes !== 0) return;
    const families = await this.#options.readMetrics();
    const metrics = metricsFrom(families, { startMs: this.#startMs, nowMs: this.#options.clock.nowMs() });
    if (metrics.length === 0) return;
    const request = { resourceMetrics: [{ resource, scopeMetrics: [{ scope, metrics }] }] };
    await this.#accept('metrics', request, metrics.length);
  }

  #resource(): LogFields {
    return {
      'service.name': 'signalbox',
      'service.version': this.#options.version,
      'service.instance.id': this.#options.instanceId,
    };
  }

  /** A rejected signal does not keep the others from being sent. */
  async #accept(signal: Signal, request: object, records: number): Promise<void> {
    try {
      await this.#options.sink.accept(signal, request);
    } catch {
      // Dropped: see flush.
      this.#dropped(signal, 'refused', records);
    }
  }

  #dropped(signal: Signal, reason: DropReason, records: number): void {
    this.#options.onDropped?.(signal, reason, records);
  }
}

function idsOf(span: SpanContext | undefined): Partial<SpanContext> {
  return span ? { traceId: span.traceId, spanId: span.spanId } : {};
}
