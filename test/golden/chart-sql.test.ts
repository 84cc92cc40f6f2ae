import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AggregateName, ChartQuery, SeriesQuery } from '../../src/query/chart-query.ts';
import type { CompiledQuery } from '../../src/query/compiled-query.ts';
import type { MetricKind, SourceSchema } from '../../src/query/source-schema.ts';
import { testChart, testLogs, testMetrics, testTraces } from '../../src/query/testing.ts';
import { planReads } from '../../src/resources/charts/reading/plan-reads.ts';
import { testScan } from '../../src/resources/charts/reading/testing.ts';
import { statementText } from './statement-text.ts';

const aggregates: AggregateName[] = ['avg', 'count', 'count_distinct', 'last_value', 'max', 'min', 'quantile', 'sum'];
const wheres = {
  lucene: 'SeverityText:error',
  sql: "SeverityText = 'error'",
} as const;

interface Request {
  query: ChartQuery;
  source: SourceSchema;
}
const requests: Record<string, Request> = {};

for (const aggregate of aggregates) {
  const field = aggregate === 'count' ? {} : { field: 'LogAttributes.n' };
  for (const whereLanguage of ['lucene', 'sql'] as const) {
    const series = { aggregate, ...field, where: wheres[whereLanguage], whereLanguage };
    requests[`log-${aggregate}-${whereLanguage}`] = { query: testChart([series]), source: testLogs };
  }
  const span = aggregate === 'count' ? {} : { field: 'Duration' };
  requests[`trace-${aggregate}`] = { query: testChart([{ aggregate, ...span }]), source: testTraces };
  requests[`gauge-${aggregate}`] = { query: testChart([metric(aggregate, 'gauge')]), source: testMetrics };
  requests[`sum-${aggregate}`] = { query: testChart([metric(aggregate, 'sum')]), source: testMetrics };
}
for (const aggregate of ['quantile', 'count', 'sum', 'avg'] as const) {
  const exponential = metric(aggregate, 'exponentialHistogram');
  requests[`exponential-histogram-${aggregate}`] = { query: testChart([exponential]), source: testMetrics };
  requests[`summary-${aggregate}`] = { query: testChart([metric(aggregate, 'summary')]), source: testMetrics };
  requests[`histogram-${aggregate}`] = { query: testChart([metric(aggregate, 'histogram')]), source: testMetrics };
}
requests['gauge-change'] = {
  query: testChart([{ ...metric('max', 'gauge'), overChanges: true }], { groupBy: ['ServiceName'] }),
  source: testMetrics,
};
requests['gauge-level-and-change'] = {
  query: testChart([metric('max', 'gauge'), { ...metric('max', 'gauge'), overChanges: true }], { hasTimeAxis: false }),
  source: testMetrics,
};
requests['gauge-calculated'] = {
  query: testChart([{ ...metric('avg', 'gauge'), field: 'Value * Attributes.share + 1' }], {
    groupBy: ['ServiceName'],
  }),
  source: testMetrics,
};
requests['trace-expression'] = {
  query: testChart(
    [{ aggregate: 'expression', field: "countIf(StatusCode = 'Error') / count() + quantile(0.9)(Duration)" }],
    { groupBy: ['ServiceName'] },
  ),
  source: testTraces,
};
requests['sum-calculated'] = {
  query: testChart([{ ...metric('avg', 'sum'), field: 'Value / 1024' }, metric('avg', 'sum')]),
  source: testMetrics,
};
requests['sum-rate'] = { query: testChart([metric('rate', 'sum')]), source: testMetrics };
requests['log-groups'] = { query: testChart([{}], { groupBy: ['ServiceName', 'http.route'] }), source: testLogs };
requests['log-groups-per-bucket'] = {
  query: testChart([{}], { groupBy: ['ServiceName', 'http.route'], groupsPerBucket: true }),
  source: testLogs,
};
requests['log-text'] = { query: testChart([{ where: 'refused "a b" -k8s.pod.name:"p-1" n:>5' }]), source: testLogs };
requests['log-source-filter'] = {
  query: testChart([{ where: 'refused' }, { where: 'a OR b' }]),
  source: { ...testLogs, filter: "ServiceName = 'a' OR ServiceName = 'b'" },
};
const projected = { ...testLogs, table: { ...testLogs.table, projections: new Set(['minute_counts', 'hour_counts']) } };
requests['log-minutes'] = {
  query: testChart([{ where: 'SeverityText:error' }, {}], { groupBy: ['ServiceName'] }),
  source: projected,
};
requests['log-minutes-with-edges'] = {
  query: testChart([{}], { range: { startMs: 1_736_942_400_001, endMs: 1_736_946_030_000 } }),
  source: projected,
};
requests['log-hours-with-edges'] = {
  query: testChart([{}], { range: { startMs: 1_736_942_400_001, endMs: 1_736_974_800_000 }, granularityMs: 3_600_000 }),
  source: projected,
};
const { sampleRate: _sampleRate, ...unsampled } = testTraces;
requests['trace-minutes'] = {
  query: testChart([{ where: 'StatusCode:Error' }, {}], { groupBy: ['ServiceName'] }),
  source: { ...unsampled, table: { ...testTraces.table, projections: new Set(['minute_counts', 'hour_counts']) } },
};
requests['log-two-filters'] = { query: testChart([{ where: 'refused' }, { where: 'n:[1 TO 5]' }]), source: testLogs };
const unevenDays = {
  range: { startMs: 1_736_935_200_000, endMs: 1_737_194_400_000 },
  granularityMs: 86_400_000,
  bucketEdges: { key: '1d', atMs: [1_736_899_200_000, 1_736_982_000_000, 1_737_072_000_000, 1_737_158_400_000] },
};
requests['log-uneven-days'] = { query: testChart([{}], { ...unevenDays, groupBy: ['ServiceName'] }), source: testLogs };
requests['sum-rate-uneven-days'] = { query: testChart([metric('rate', 'sum')], unevenDays), source: testMetrics };
requests['log-one-bucket'] = { query: withoutGranularity(testChart([{}])), source: testLogs };
requests['log-own-origin'] = { query: testChart([{}], { bucketOriginMs: 1_736_942_460_000 }), source: testLogs };
requests['metrics-side-by-side'] = {
  query: testChart([metric('avg', 'gauge'), metric('sum', 'sum')], { groupBy: ['ServiceName'] }),
  source: testMetrics,
};

function metric(aggregate: AggregateName, kind: MetricKind): Partial<SeriesQuery> & { aggregate: AggregateName } {
  return { aggregate, metric: { name: 'requests', kind } };
}

function withoutGranularity({ granularityMs: _, ...query }: ChartQuery): ChartQuery {
  return query;
}

/** What runs first for the chart when it is read alone. */
function firstStatement({ query, source }: Request): CompiledQuery {
  const [plan] = planReads([testScan(query, source)], { isWide: () => false });
  if (!plan) throw new Error('nothing was planned');
  return plan.statement();
}

/** Statements are reviewed like code: `npx vitest run --project system test/golden -u` writes what has changed. */
describe('golden SQL: aggregate × language × source kind', () => {
  it.each(Object.entries(requests))('%s', async (name, { query, source }) => {
    await expect(statementText(firstStatement({ query, source }))).toMatchFileSnapshot(
      join(import.meta.dirname, 'chart-sql', `${name}.golden.sql`),
    );
  });

  it.each(['sum-sum', 'sum-avg', 'sum-rate', 'histogram-avg', 'exponential-histogram-count', 'summary-avg'])(
    '%s, where senders restart',
    async (name) => {
      const { query, source } = requests[name] ?? { query: testChart([]), source: testMetrics };
      const careful = firstStatement({ query, source }).careful?.();
      await expect(careful && statementText(careful)).toMatchFileSnapshot(
        join(import.meta.dirname, 'chart-sql', `${name}-careful.golden.sql`),
      );
    },
  );
});
