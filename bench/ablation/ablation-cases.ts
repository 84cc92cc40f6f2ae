import { compileAllGroups, compileTopN } from '../../src/query/compile-chart.ts';
import type { CompiledQuery } from '../../src/query/compiled-query.ts';
import { planReads } from '../../src/resources/charts/reading/plan-reads.ts';
import { type PreparedScan, prepareScan, rowsMaxOf } from '../../src/resources/charts/reading/prepared-scan.ts';
import { planSharedSeries, sharedSeriesOf, tryShare } from '../../src/resources/charts/reading/shared-series.ts';
import type { ChartTables } from './chart-tables.ts';

/** The statements that answer the same questions with a mechanism and without it; all else is alike. */
export interface AblationCase {
  mechanism: string;
  chart: string;
  on: readonly CompiledQuery[];
  off: readonly CompiledQuery[];
}

const narrow = { isWide: () => false };
const count = { aggFn: 'count' };
const average = { aggFn: 'avg', field: 'LogAttributes.http.duration_ms' };
const duration = { aggFn: 'quantile', level: 0.95, field: 'Duration' };
const day = { hours: 24, granularity: '1h' };
const minutes = { hours: 24, granularity: '1m' };
const week = { hours: 168, granularity: '6h' };
const service = { groupBy: ['ServiceName'] };
const user = { groupBy: ["LogAttributes['user.id']"] };

export function ablationCases(tables: ChartTables): AblationCase[] {
  return [
    ...countProjections(tables),
    ...attributeColumns(tables),
    ...cheapGroupKeys(tables),
    ...foldedBuckets(tables),
    ...noTopNLimit(tables),
    ...sharing(tables),
    ...quickMetrics(tables),
  ];
}

function countProjections(tables: ChartTables): AblationCase[] {
  const charts = {
    'log count per minute, 24 h': tables.scan('log', minutes, [count]),
    'log count by service, 24 h': tables.scan('log', day, [{ ...count, ...service }]),
    'errors and all spans by service, 7 d': tables.scan('trace', week, [
      { ...count, where: 'StatusCode:"Error"', ...service },
      { ...count, ...service },
    ]),
  };
  return Object.entries(charts).map(([chart, scan]) => ({
    mechanism: 'counts per minute and hour',
    chart,
    on: [scan.statement()],
    off: [withTable(scan, { projections: new Set() }).statement()],
  }));
}

function attributeColumns(tables: ChartTables): AblationCase[] {
  const charts = {
    'avg of a numeric attribute by service, 24 h': tables.scan('log', day, [{ ...average, ...service }]),
    'numeric range on an attribute, 24 h': tables.scan('log', { hours: 24, granularity: '5m' }, [
      { ...count, where: 'LogAttributes.http.duration_ms:>500' },
    ]),
  };
  return Object.entries(charts).map(([chart, scan]) => ({
    mechanism: 'attribute columns',
    chart,
    on: [scan.statement()],
    off: [withTable(scan, { materialized: new Map() }).statement()],
  }));
}

function cheapGroupKeys(tables: ChartTables): AblationCase[] {
  const charts = {
    'p95 duration by span name, 24 h': tables.scan('trace', day, [{ ...duration, groupBy: ['SpanName'] }]),
    'avg of an attribute by service, 24 h': tables.scan('log', day, [{ ...average, ...service }]),
    'distinct traces by service, 24 h': tables.scan('log', day, [
      { aggFn: 'count_distinct', field: 'TraceId', ...service },
    ]),
  };
  return Object.entries(charts).map(([chart, scan]) => ({
    mechanism: 'cheap group keys',
    chart,
    on: [scan.statement()],
    off: [
      compileAllGroups({ ...scan.plan, cheapest: scan.plan.events }, scan.scan.query, scan.guards, rowsMaxOf(scan) + 1),
    ],
  }));
}

/** Only where a top-N limit is due are buckets folded. */
function foldedBuckets(tables: ChartTables): AblationCase[] {
  const charts = {
    'count by user, 24 h by hour': tables.scan('log', day, [{ ...count, ...user }]),
    'count by user, 7 d by 6 hours': tables.scan('log', week, [{ ...count, ...user }]),
    'avg by user, 24 h by hour': tables.scan('log', day, [{ ...average, ...user }]),
  };
  return Object.entries(charts).flatMap(([chart, scan]) => {
    const { folded, ...plan } = scan.plan;
    if (!folded) return [];
    const off = compileTopN(plan, scan.scan.query, scan.guards);
    return [{ mechanism: 'fold of buckets', chart, on: [scan.topNStatement()], off: [off] }];
  });
}

function noTopNLimit(tables: ChartTables): AblationCase[] {
  const charts = {
    'count of severe logs by service, 24 h': tables.scan('log', day, [
      { ...count, where: 'SeverityNumber:>=17', ...service },
    ]),
    'p95 duration by span name, 24 h': tables.scan('trace', day, [{ ...duration, groupBy: ['SpanName'] }]),
  };
  return Object.entries(charts).map(([chart, scan]) => ({
    mechanism: 'no top-N limit first',
    chart,
    on: [scan.statement()],
    off: [scan.topNStatement()],
  }));
}

function sharing(tables: ChartTables): AblationCase[] {
  const filters = ['', 'SeverityText:error', 'ServiceName:checkout', 'LogAttributes.http.duration_ms:>500'];
  const sameBuckets = filters.map((where) => tables.scan('log', day, [{ ...average, where }]));
  const groupings = [{}, service, { groupBy: ['SeverityText'] }].map((groupBy) =>
    tables.scan('log', { hours: 24, granularity: '1h' }, [{ ...average, ...groupBy }]),
  );
  const alerts = Array.from({ length: 200 }, (_, index) =>
    tables.scan('log', { hours: 1 / 12, granularity: '5m' }, [
      {
        ...count,
        where: `LogAttributes.http.status_code:"${400 + (index % 100)}" ServiceName:${index < 100 ? 'checkout' : 'cart'}`,
      },
    ]),
  );
  return [
    { mechanism: 'shared series', chart: 'four averages, 24 h', on: planned(sameBuckets), off: alone(sameBuckets) },
    {
      mechanism: 'grouping sets',
      chart: 'an average in three groupings, 24 h',
      on: planned(groupings),
      off: alone(groupings),
    },
    { mechanism: 'predicate counting', chart: '200 filters, 5 min', on: planned(alerts), off: fortyAtOnce(alerts) },
  ];
}

function quickMetrics(tables: ChartTables): AblationCase[] {
  const requests = { metricName: 'http.server.requests', metricDataType: 'sum' };
  const charts = {
    'increase of a counter by service, 24 h': tables.scan('metric', day, [{ aggFn: 'sum', ...requests, ...service }]),
  };
  return Object.entries(charts).flatMap(([chart, scan]) => {
    const quick = scan.statement();
    const careful = quick.careful?.();
    return careful ? [{ mechanism: 'quick statement of metrics', chart, on: [quick], off: [careful] }] : [];
  });
}

function planned(scans: readonly PreparedScan[]): CompiledQuery[] {
  return planReads(scans, narrow).map((plan) => plan.statement());
}

function alone(scans: readonly PreparedScan[]): CompiledQuery[] {
  return scans.map((scan) => scan.statement());
}

/** What predicate counting replaces. */
function fortyAtOnce([first, ...others]: readonly PreparedScan[]): CompiledQuery[] {
  if (!first) return [];
  const statements = [sharedSeriesOf(first)];
  for (const scan of others) {
    const last = statements.at(-1);
    if (!last || !tryShare(last, scan, 40)) statements.push(sharedSeriesOf(scan));
  }
  return statements.flatMap((shared) => planSharedSeries(shared)?.statement() ?? []);
}

/** The scan over a table that has not got something. */
function withTable(scan: PreparedScan, change: object): PreparedScan {
  const { schema } = scan;
  if (schema.kind === 'metric') return scan;
  return prepareScan({ ...scan, schema: { ...schema, table: { ...schema.table, ...change } } });
}
