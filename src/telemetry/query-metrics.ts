import type { QueryClass, TelemetryErrorKind } from './ports.ts';

export type QueryOutcome = 'completed' | TelemetryErrorKind;

/** Port: what the runner of queries counts; the app connects it to its metrics. Each query is first `queued`. */
export interface QueryMetrics {
  queued(queryClass: QueryClass): void;
  /** It got a place in its class. */
  started(queryClass: QueryClass, waitedMs: number): void;
  /** It got no slot in time, or its caller disconnected first. */
  refused(queryClass: QueryClass, reason: 'timeout' | 'cancelled'): void;
  ended(queryClass: QueryClass, outcome: QueryOutcome, durationMs: number): void;
}

export const uncountedQueries: QueryMetrics = {
  queued: () => {},
  started: () => {},
  refused: () => {},
  ended: () => {},
};
