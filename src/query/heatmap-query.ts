import type { BucketEdges, Condition, TimeRange, WhereLanguage } from './chart-query.ts';

export type ValueScale = 'linear' | 'log';

/** How a number of the events is distributed, bucket by bucket. */
export interface HeatmapQuery {
  range: TimeRange;
  granularityMs: number;
  /** Buckets start at this instant plus multiples of the granularity; 0 when absent. */
  bucketOriginMs?: number;
  /** Or they lie between these. */
  bucketEdges?: BucketEdges;
  /** User text: the number. Events without one are left out. */
  value: string;
  /** User text: what is shown of the events in a cell, an aggregate; their number when absent. */
  count?: string;
  /** Chosen from the values when absent. */
  scale?: ValueScale;
  /** User text in `whereLanguage`; empty matches everything. */
  where: string;
  whereLanguage: WhereLanguage;
  conditions?: readonly Condition[];
}
