import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock } from '../kernel/clock.ts';
import type { LogFields } from '../kernel/logger.ts';
import type { SpanContext } from '../kernel/traceparent.ts';
import type { FinishedSpan, OpenSpan, RunningSpan, SpanStart, Tracer } from '../kernel/tracer.ts';
import type { SpanIds } from './span-ids.ts';

interface SpanUnderWay extends OpenSpan {
  hasParts: boolean;
}

export interface SpanTracerOptions {
  clock: Clock;
  ids: SpanIds;
}

/** Spans that find their parent without being passed as parameters (ADR 0016). */
export class SpanTracer implements Tracer {
  readonly #clock: Clock;
  readonly #ids: SpanIds;
  readonly #underWay = new AsyncLocalStorage<SpanUnderWay>();
  #recordTo: (span: FinishedSpan) => void = () => {};

  constructor({ clock, ids }: SpanTracerOptions) {
    this.#clock = clock;
    this.#ids = ids;
  }

  /** Where finished spans go; before, they are lost. The store of the spans is opened with a tracer already. */
  recordTo(record: (span: FinishedSpan) => void): void {
    this.#recordTo = record;
  }

  async within<T>(span: SpanStart, work: (running: RunningSpan) => Promise<T>): Promise<T> {
    const around = span.parent ? undefined : this.#underWay.getStore();
    if (around) around.hasParts = true;
    const own = this.open(span.parent ?? around);
    const underWay: SpanUnderWay = { ...own, hasParts: false };
    const { name, kind, startMs = this.#clock.nowMs() } = span;
    const attributes: Record<string, unknown> = { ...span.attributes };
    let failed = false;
    const running: RunningSpan = {
      set: (more: LogFields) => void Object.assign(attributes, more),
      fail: () => {
        failed = true;
      },
    };
    try {
      return await this.#underWay.run(underWay, () => work(running));
    } catch (error) {
      failed = true;
      throw error;
    } finally {
      const isReported = underWay.hasParts || !span.onlyWithParts;
      if (isReported) this.record({ ...own, name, kind, startMs, endMs: this.#clock.nowMs(), failed, attributes });
    }
  }

  current(): SpanContext | undefined {
    return this.#underWay.getStore();
  }

  open(parent?: SpanContext): OpenSpan {
    const spanId = this.#ids.spanId();
    if (!parent) return { traceId: this.#ids.traceId(), spanId };
    return { traceId: parent.traceId, spanId, parentSpanId: parent.spanId };
  }

  record(span: FinishedSpan): void {
    this.#recordTo(span);
  }
}
