import type { LogFields } from './logger.ts';
import type { SpanContext } from './traceparent.ts';

export type SpanKind = 'server' | 'client' | 'internal';

/** A span that has begun: its own ids, and of what it is a part. */
export interface OpenSpan extends SpanContext {
  parentSpanId?: string;
}

/** One finished piece of work. No SQL, secrets or hosts in it. */
export interface FinishedSpan extends OpenSpan {
  name: string;
  kind: SpanKind;
  startMs: number;
  endMs: number;
  failed: boolean;
  attributes: LogFields;
}

export interface SpanStart {
  name: string;
  kind: SpanKind;
  attributes?: LogFields;
  /** The span under way when absent; a new trace when there is none either. */
  parent?: SpanContext | undefined;
  /** Now when absent. */
  startMs?: number;
  /** Reported only when something else is a part of it: where spans are many, storing them is what they cost. */
  onlyWithParts?: boolean;
}

/** For what only the work itself knows. */
export interface RunningSpan {
  set(attributes: LogFields): void;
  /** It failed, though nothing was thrown. */
  fail(): void;
}

/** Reports pieces of work as spans. */
export interface Tracer {
  /** Runs a piece of work as a span, a failed one when it rejects; what is begun meanwhile is a part of it. */
  within<T>(span: SpanStart, work: (running: RunningSpan) => Promise<T>): Promise<T>;
  /** The span under way here. */
  current(): SpanContext | undefined;
  /** For work whose start and end lie far apart: the ids with which it is recorded when it ends. */
  open(parent?: SpanContext): OpenSpan | undefined;
  record(span: FinishedSpan): void;
}

const unheard: RunningSpan = { set: () => {}, fail: () => {} };

/** For a program that does not report about itself. */
export const noTracer: Tracer = {
  within: (_span, work) => work(unheard),
  current: () => undefined,
  open: () => undefined,
  record: () => {},
};
