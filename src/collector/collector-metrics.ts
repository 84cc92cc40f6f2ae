import type { Signal } from './signal.ts';

/** Why a whole request was refused. */
export type RefusalReason = 'unauthenticated' | 'malformed' | 'tooLarge' | 'full' | 'unavailable' | 'failed';

/** What the collector counts; the app connects it to its metrics. */
export interface CollectorMetrics {
  /** Records of a request that is committed. */
  stored(signal: Signal, records: number): void;
  /** Records that a partial success reported back. */
  rejected(signal: Signal, records: number): void;
  /** Those among the rejected whose times are older than what is kept, or ahead of the clock here. */
  mistimed(signal: Signal, clock: 'behind' | 'ahead', records: number): void;
  /** A request of which nothing is stored. */
  refused(signal: Signal, reason: RefusalReason): void;
}
