import type { MetricKind } from './source-schema.ts';

export type AggregateName =
  | 'avg'
  | 'count'
  | 'count_distinct'
  | 'last_value'
  | 'max'
  | 'min'
  | 'quantile'
  | 'sum'
  | 'rate'
  /** Of logs and traces: what the field calculates of aggregates. */
  | 'expression'
  | 'increase';
export type WhereLanguage = 'lucene' | 'sql';

/** Half-open: `[startMs, endMs)` (decisions C2). Unix milliseconds. */
export interface TimeRange {
  startMs: number;
  endMs: number;
}

export interface SeriesQuery {
  aggregate: AggregateName;
  /** 0..1, for `quantile`; 0.5 when absent. */
  level?: number;
  /**
   * User text: a column, an attribute path or an allowed function of these; absent for `count`. Of metrics what is
   * calculated of their values, absent for the values as they are: of gauges any expression, evaluated at each point;
   * of sums a multiple of the value.
   */
  field?: string;
  /** User text in `whereLanguage`; empty matches everything. */
  where: string;
  whereLanguage: WhereLanguage;
  /** For metric sources. */
  metric?: { name: string; kind: MetricKind };
  /** Of gauges: the aggregate is over what each time series changed by within the bucket, from its first point to its last. */
  overChanges?: true;
}

/** A filter outside the series that applies to all of them: a dashboard's filter or its search bar. */
export interface Condition {
  /** User text in `whereLanguage`; empty matches everything. */
  where: string;
  whereLanguage: WhereLanguage;
  /** Path of the text, for errors about it. */
  path: string;
}

/** Buckets of different lengths: days of a time zone whose clocks are changed within the range. */
export interface BucketEdges {
  /** What decides them all, whatever the range. */
  key: string;
  /** Where the buckets that touch the range begin, and where the last of them ends; ascending. Unix milliseconds. */
  atMs: readonly number[];
}

/** Several series over one source and range: one scan (decisions C4). */
export interface ChartQuery {
  range: TimeRange;
  /** Bucket width; absent = one bucket over the whole range (number and table tiles). */
  granularityMs?: number;
  /**
   * Whether buckets follow each other on an axis. Without one (numbers, tables, pies, bars) a bucket covers a whole
   * stretch of time: levels are aggregated over all their points, not over the last of each time series (decisions C9).
   */
  hasTimeAxis?: boolean;
  /** Buckets start at this instant plus multiples of the granularity; 0 (the Unix epoch) for charts. */
  bucketOriginMs: number;
  /** Buckets lie between these, instead of at multiples of the granularity. */
  bucketEdges?: BucketEdges;
  series: readonly SeriesQuery[];
  /** User texts, the same for all series. */
  groupBy: readonly string[];
  /** Rows that do not meet all of these are not there for any series. */
  conditions?: readonly Condition[];
  /** Most groups in the answer, largest first (decisions C5). */
  groupsMax: number;
  /** Applies `groupsMax` to each bucket as if it were requested alone; otherwise to the whole range. */
  groupsPerBucket?: boolean;
}

/** What must hold of every compiled query, checked after the last pass. */
export interface Guards {
  /** The only database that the query may read: the tenant's own. */
  database: string;
  rowsToReadMax?: number;
  resultRowsMax: number;
  memoryBytesMax: number;
  timeoutMs: number;
  /** Settings defined for the source; the guards' settings take precedence. */
  settings?: Readonly<Record<string, number>>;
}
