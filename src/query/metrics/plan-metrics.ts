import type { ChartQuery, SeriesQuery } from '../chart-query.ts';
import { needsCareColumn, QueryTextError } from '../compiled-query.ts';
import { onlyNumbersCalculate } from '../metric-value.ts';
import { bucketAndGroup } from '../plan/plan-groups.ts';
import { type OutputColumn, type Select, sameColumn } from '../plan/select.ts';
import { alias, call, constant, sqlNull } from '../plan/sql-expr.ts';
import type { MetricKind, MetricSourceSchema, TableSchema } from '../source-schema.ts';
import { planExponentialHistogram } from './exponential-histogram.ts';
import { planGauge } from './gauge.ts';
import { planHistogram } from './histogram.ts';
import type { MetricScan } from './metric-scan.ts';
import { careColumns, noCare } from './stream-care.ts';
import { planSum } from './sum.ts';
import { planSummary } from './summary.ts';

const planners: Record<MetricKind, (scan: MetricScan) => Select> = {
  gauge: planGauge,
  sum: planSum,
  histogram: planHistogram,
  exponentialHistogram: planExponentialHistogram,
  summary: planSummary,
};

/**
 * Series of a metric source (decisions C9): columns `ts`, `g…`, then `n…` and `v…` per series. Series over the same
 * metric with the same filter share a scan; different metrics are read one by one and laid side by side. Of all kinds but
 * gauges `careColumns` follow; where these say so, the answer is taken from the careful plan instead.
 */
export function planMetrics(query: ChartQuery, source: MetricSourceSchema, isCareful = false): Select {
  const [first, ...more] = shareScans(query, source).map((scan) => ({ ...scan, isCareful }));
  if (first === undefined) throw new Error('a chart query without series');
  const plan = (scan: MetricScan): Select => planners[scan.kind](scan);
  return more.length === 0 ? plan(first) : sideBySide(query, [first, ...more], [first, ...more].map(plan));
}

function shareScans(query: ChartQuery, source: MetricSourceSchema): Omit<MetricScan, 'isCareful'>[] {
  const scans = new Map<string, Omit<MetricScan, 'isCareful'>>();
  for (const [index, series] of query.series.entries()) {
    const { name, kind } = metricOf(series, index);
    if (series.field !== undefined && kind !== 'gauge' && kind !== 'sum') throw noSingleValue(index);
    const key = JSON.stringify([
      name,
      kind,
      series.whereLanguage,
      series.where.trim(),
      series.overChanges,
      series.field,
    ]);
    const scan = scans.get(key) ?? { query, source, table: tableOf(source, kind, index), name, kind, series: [] };
    scans.set(key, { ...scan, series: [...scan.series, { index, query: series }] });
  }
  return [...scans.values()];
}

function metricOf(series: SeriesQuery, index: number): { name: string; kind: MetricKind } {
  if (series.metric && series.metric.name !== '') return series.metric;
  const text = 'a series of a metric source requires metricName and metricDataType';
  throw new QueryTextError(text, undefined, undefined, `series.${index}.metricName`);
}

function noSingleValue(index: number): QueryTextError {
  return new QueryTextError(onlyNumbersCalculate, undefined, undefined, `series.${index}.field`);
}

function tableOf(source: MetricSourceSchema, kind: MetricKind, index: number): TableSchema {
  const table = source.tables[kind];
  if (table) return table;
  throw new QueryTextError(
    `this source has no ${kind} metrics`,
    undefined,
    undefined,
    `series.${index}.metricDataType`,
  );
}

/** One row per bucket and group out of the rows of all scans. */
function sideBySide(
  query: ChartQuery,
  scans: readonly [MetricScan, ...MetricScan[]],
  plans: readonly Select[],
): Select {
  const groups = query.groupBy.map((_, index) => sameColumn(`g${index}`));
  const indexes = query.series.map((_, index) => index);
  const parts = plans.map((plan, at): Select => {
    const own = new Set(scans[at]?.series.map(({ index }) => index));
    const pair = (index: number): OutputColumn[] => [
      { as: `part_n${index}`, expr: own.has(index) ? alias(`n${index}`) : call('toUInt64', constant(0)) },
      { as: `part_v${index}`, expr: own.has(index) ? alias(`v${index}`) : sqlNull },
    ];
    const hasCare = plan.columns.some(({ as }) => as === needsCareColumn);
    return {
      columns: [
        sameColumn('ts'),
        ...groups,
        ...indexes.flatMap(pair),
        ...(hasCare ? careColumns.map(({ as }) => sameColumn(as)) : noCare),
      ],
      from: { kind: 'select', select: plan },
    };
  });
  const merged = (index: number): OutputColumn[] => [
    { as: `n${index}`, expr: call('sum', alias(`part_n${index}`)) },
    { as: `v${index}`, expr: call('max', alias(`part_v${index}`)) },
  ];
  return {
    columns: [sameColumn('ts'), ...groups, ...indexes.flatMap(merged), ...careColumns],
    from: { kind: 'union', selects: parts },
    groupBy: bucketAndGroup(groups),
  };
}
