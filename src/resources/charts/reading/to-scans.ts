import { AppError } from '../../../contract/errors.ts';
import { isMetricExpression } from '../../../contract/metric-expression.ts';
import type { ChartQuery, SeriesQuery } from '../../../query/chart-query.ts';
import type { MetricKind } from '../../../query/source-schema.ts';
import type { Source } from '../../sources/source.ts';
import { countBuckets } from '../request/buckets.ts';
import type { ChartDefinition, SeriesDefinition } from '../request/chart-definition.ts';
import { onlyEventsExpress, onlyGaugesChange } from '../request/metric-value.ts';
import { QueryProblem } from '../request/query-problem.ts';

/** One statement: the series of a chart that read the same source, and of metrics the same metric (decisions C4). */
export interface Scan {
  sourceId: string;
  metricKind?: MetricKind;
  query: ChartQuery;
  /** `query.series[i]` is the chart's series `seriesIndexes[i]`. */
  seriesIndexes: readonly number[];
}

/**
 * Parts a chart into as few scans as possible. `sources` holds the source of every series. Throws `query_invalid` for a
 * series that its source cannot answer.
 */
export function toScans(definition: ChartDefinition, sources: ReadonlyMap<string, Source>): Scan[] {
  const scans = new Map<string, { indexes: number[]; series: SeriesQuery[] }>();
  definition.series.forEach((series, index) => {
    const query = toSeriesQuery(series, sources.get(series.sourceId), index);
    const key = JSON.stringify([series.sourceId, query.metric?.kind, query.metric?.name]);
    const scan = scans.get(key) ?? { indexes: [], series: [] };
    scan.indexes.push(index);
    scan.series.push(query);
    scans.set(key, scan);
  });
  const groupsMax = groupsOfScan(definition, scans.size);
  return [...scans.values()].map(({ indexes, series }) => toScan({ ...definition, groupsMax }, indexes, series));
}

/** What the scans of one chart may answer so that their groups can be compared. */
const rowsOfScan = 100_000;

/**
 * One group more than wanted shows that there are more. A group that is small in one scan may be the largest of the
 * chart, and must be whole: several scans answer as many groups as can be laid side by side.
 */
function groupsOfScan(definition: ChartDefinition, scans: number): number {
  const { groupsMax } = definition;
  if (scans === 1) return groupsMax + 1;
  const buckets = countBuckets(definition);
  return Math.max(groupsMax + 1, Math.floor(rowsOfScan / buckets));
}

function toScan(definition: ChartDefinition, seriesIndexes: number[], series: SeriesQuery[]): Scan {
  const { range, granularityMs, bucketOriginMs, bucketEdges, groupBy, groupsMax, groupsPerBucket = false } = definition;
  const { hasTimeAxis = true } = definition;
  const metric = series[0]?.metric;
  const sourceId = definition.series[seriesIndexes[0] ?? 0]?.sourceId ?? '';
  const conditions = definition.conditions.filter((each) => each.sourceId === undefined || each.sourceId === sourceId);
  return {
    sourceId,
    seriesIndexes,
    ...(metric && { metricKind: metric.kind }),
    query: {
      range,
      granularityMs,
      bucketOriginMs,
      ...(bucketEdges && { bucketEdges }),
      series,
      groupBy,
      conditions,
      groupsMax,
      groupsPerBucket,
      ...(!hasTimeAxis && metric && { hasTimeAxis }),
    },
  };
}

function toSeriesQuery(series: SeriesDefinition, source: Source | undefined, index: number): SeriesQuery {
  if (!source) throw new AppError('source_not_found', { public: `Source not found for series ${index}` });
  if (source.disabled) throw new QueryProblem(`series.${index}.sourceId`, `the source "${source.name}" is disabled.`);
  const { aggregate, level, where, whereLanguage } = series;
  const common = { aggregate, where, whereLanguage, ...(level !== undefined && { level }) };
  if (source.kind === 'promql') {
    throw new QueryProblem(
      `series.${index}.sourceId`,
      `the source "${source.name}" is of kind promql, which cannot be charted.`,
    );
  }
  if (source.kind === 'metric') {
    if (aggregate === 'expression') throw new QueryProblem(`series.${index}.aggFn`, `${onlyEventsExpress}.`);
    const { field } = series;
    const isCalculated = isMetricExpression(series);
    return {
      ...common,
      metric: metricOf(series, index),
      ...(isCalculated && field !== undefined && { field }),
      ...(series.overChanges && { overChanges: true as const }),
    };
  }
  if (series.overChanges) throw new QueryProblem(`series.${index}.periodAggFn`, `${onlyGaugesChange}.`);
  return { ...common, ...fieldOf(series, index) };
}

/** decisions C10: metric series need a name and a type. A name in `field` counts when `metricName` is absent. */
function metricOf({ metricName, field, metricKind, overChanges }: SeriesDefinition, index: number) {
  const name = metricName ?? field;
  if (name === undefined) throw new QueryProblem(`series.${index}.metricName`, `is required for a metric source.`);
  if (!metricKind)
    throw new QueryProblem(`series.${index}.metricDataType`, `is required for a metric source (sum, gauge, …).`);
  if (overChanges && metricKind !== 'gauge')
    throw new QueryProblem(`series.${index}.periodAggFn`, `${onlyGaugesChange}.`);
  return { name, kind: metricKind };
}

/** decisions C6: an aggregation that needs a field is rejected without one. */
function fieldOf({ aggregate, field, metricName }: SeriesDefinition, index: number): { field?: string } {
  if (metricName !== undefined) {
    throw new QueryProblem(`series.${index}.metricName`, `this source holds no metrics; name the column in field.`);
  }
  if (aggregate === 'increase' || aggregate === 'rate') {
    throw new QueryProblem(`series.${index}.aggFn`, `${aggregate} needs a metric source.`);
  }
  if (aggregate === 'count') return {};
  const wireName = aggregate === 'expression' ? 'none' : aggregate;
  if (field === undefined) throw new QueryProblem(`series.${index}.field`, `is required for ${wireName}.`);
  return { field };
}
