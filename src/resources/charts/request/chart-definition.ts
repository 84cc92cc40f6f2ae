import type { AggregateFunction, ChartSeries, MetricDataType } from '../../../contract/series.ts';
import type { AggregateName, BucketEdges, Condition, TimeRange, WhereLanguage } from '../../../query/chart-query.ts';
import type { MetricKind } from '../../../query/source-schema.ts';
import type { Formula } from './parse-formula.ts';

/** One series in our words, before its source is known. */
export interface SeriesDefinition {
  sourceId: string;
  aggregate: AggregateName;
  level?: number;
  field?: string;
  where: string;
  whereLanguage: WhereLanguage;
  metricName?: string;
  metricKind?: MetricKind;
  /** Of gauges: see `SeriesQuery`. */
  overChanges?: true;
}

/** A condition on all sources, or on one. */
export interface SourceCondition extends Condition {
  sourceId?: string;
}

/** What a chart request or a tile asks for: the same thing, so that an alert evaluates what the chart shows. */
export interface ChartDefinition {
  range: TimeRange;
  granularityMs: number;
  /** False of numbers, tables, pies and bars, and of the windows of alerts on them; see `ChartQuery`. True when absent. */
  hasTimeAxis?: boolean;
  /** Buckets start at this instant plus multiples of the granularity. */
  bucketOriginMs: number;
  /** Buckets lie between these, instead of at multiples of the granularity. */
  bucketEdges?: BucketEdges;
  series: readonly SeriesDefinition[];
  groupBy: readonly string[];
  /** Filters of what surrounds the chart: those of its dashboard. */
  conditions: readonly SourceCondition[];
  asRatio: boolean;
  /** Values made of the series; none when absent. */
  formulas?: readonly Formula[];
  groupsMax: number;
  /** Applies `groupsMax` to each bucket as if it were requested alone; otherwise to the whole range. */
  groupsPerBucket?: boolean;
}

const metricKinds: Record<MetricDataType, MetricKind> = {
  sum: 'sum',
  gauge: 'gauge',
  histogram: 'histogram',
  summary: 'summary',
  'exponential histogram': 'exponentialHistogram',
};

/** The aggregate that a wire name means. Any value is the newest one, so that it is the same at each reading. */
export function aggregateOf(aggFn: AggregateFunction): AggregateName {
  if (aggFn === 'any') return 'last_value';
  return aggFn === 'none' ? 'expression' : aggFn;
}

/** A wire series in our words. Missing `whereLanguage` is Lucene everywhere; blank texts count as absent. */
export function toSeriesDefinition(
  series: Omit<ChartSeries, 'aggFn' | 'groupBy' | 'type'>,
  aggregate: AggregateName,
): SeriesDefinition {
  const { sourceId, where, whereLanguage = 'lucene', level, field, metricName, metricDataType, periodAggFn } = series;
  return {
    sourceId,
    aggregate,
    where,
    whereLanguage,
    ...(aggregate === 'quantile' && level !== undefined && { level }),
    ...(field?.trim() && { field }),
    ...(metricName?.trim() && { metricName }),
    ...(metricDataType && { metricKind: metricKinds[metricDataType] }),
    ...(periodAggFn && { overChanges: true as const }),
  };
}
