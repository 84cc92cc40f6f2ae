import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  compileAttributeKeys,
  compileEventCount,
  compileFacets,
  compileFieldValues,
  compileMetricNames,
} from '../../src/query/compile-completion.ts';
import { compileDeltas, compileSelectedCount } from '../../src/query/compile-deltas.ts';
import { compileHeatmap } from '../../src/query/compile-heatmap.ts';
import { compileMatchCount, compileTexts } from '../../src/query/compile-patterns.ts';
import { compileSearch, compileSearchPage } from '../../src/query/compile-search.ts';
import {
  compileCalls,
  compileOutsideCalls,
  compileServiceErrors,
  compileServices,
} from '../../src/query/compile-services.ts';
import type { CompiledQuery } from '../../src/query/compiled-query.ts';
import type { FacetQuery, ValuesQuery } from '../../src/query/completion-query.ts';
import type { DeltasQuery } from '../../src/query/deltas-query.ts';
import type { HeatmapQuery } from '../../src/query/heatmap-query.ts';
import type { PatternsQuery } from '../../src/query/patterns-query.ts';
import type { SearchQuery } from '../../src/query/search-query.ts';
import type { ServiceMapQuery, ServicesQuery } from '../../src/query/services-query.ts';
import type { EventSourceSchema, SourceSchema } from '../../src/query/source-schema.ts';
import { testChart, testGuards, testLogs, testMetrics, testTraces } from '../../src/query/testing.ts';
import { statementText } from './statement-text.ts';

const { range } = testChart([{}]);
const budget = { rowsToRead: 5_000_000, distinct: 100_000 };
const { gauge } = testMetrics.tables;
const gauges = { ...testMetrics, tables: gauge ? { gauge } : {} };

function search(
  query: Partial<SearchQuery>,
  source: EventSourceSchema = testLogs,
  compile = compileSearch,
): CompiledQuery {
  const page = {
    range,
    where: '',
    whereLanguage: 'lucene' as const,
    select: ['Timestamp', 'Body'],
    limit: 100,
    offset: 0,
  };
  return compile({ ...page, ...query }, source, testGuards);
}

function values(query: Partial<ValuesQuery>, source: SourceSchema = testLogs): CompiledQuery {
  const asked = { range, field: 'ServiceName', prefix: '', where: '', whereLanguage: 'lucene' as const, limit: 50 };
  return compileFieldValues({ ...asked, ...query }, source, testGuards, budget);
}

function facets(query: Partial<FacetQuery>, source: EventSourceSchema = testLogs): CompiledQuery {
  const asked = { range, where: '', whereLanguage: 'lucene' as const, fields: ['ServiceName'], limit: 10, slices: [] };
  return compileFacets({ ...asked, ...query }, source, testGuards, budget);
}

function heatmap(query: Partial<HeatmapQuery>, source: EventSourceSchema = testTraces): CompiledQuery {
  const asked = { range, granularityMs: 60_000, value: 'Duration', where: '', whereLanguage: 'lucene' as const };
  return compileHeatmap({ ...asked, ...query }, source, testGuards);
}

function deltas(
  all: Partial<DeltasQuery['all']>,
  selection: Partial<DeltasQuery['all']>,
  source: EventSourceSchema = testLogs,
  compile = compileDeltas,
): CompiledQuery {
  const side = { range, where: '', whereLanguage: 'lucene' as const, slices: [] };
  const query = {
    all: { ...side, ...all },
    selection: { ...side, ...selection },
    valueLengthMax: 256,
    valuesMax: 1000,
  };
  return compile(query, source, testGuards);
}

function patterns(
  query: Partial<PatternsQuery>,
  source: EventSourceSchema = testLogs,
  compile = compileTexts,
): CompiledQuery {
  const asked = { range, field: 'Body', where: '', whereLanguage: 'lucene' as const, slices: [] };
  return compile({ ...asked, eventsMax: 10_000, lengthMax: 1000, ...query }, source, testGuards);
}

const spansOf = { range, where: '', whereLanguage: 'lucene' as const };
const { sampleRate: _, ...notSampled } = testTraces;

function services(query: Partial<ServicesQuery>, source: EventSourceSchema = notSampled): CompiledQuery {
  const asked = {
    currentFromMs: range.startMs + 1_800_000,
    groupedBy: 'service',
    bases: ['entry'],
    services: [],
  } as const;
  return compileServices({ ...spansOf, ...asked, rowsMax: 1000, ...query }, source, testGuards);
}

const serviceMap: ServiceMapQuery = { ...spansOf, beforeMs: 60_000, afterMs: 600_000, rowsMax: 1000 };

const filtered = { ...testLogs, filter: "ServiceName = 'a' OR ServiceName = 'b'" };
const maps = ['LogAttributes', 'ResourceAttributes'];
const condition = { where: "SeverityText = 'error'", whereLanguage: 'sql' as const, path: 'filters.0' };
const { startMs, endMs } = range;
const slices = [
  { startMs: startMs + 60_000, endMs: startMs + 120_000 },
  { startMs: endMs - 120_000, endMs: endMs - 60_000 },
];

const statements: Record<string, CompiledQuery> = {
  'search-logs': search({}),
  'search-page': search({}, testLogs, compileSearchPage),
  'search-page-further': search({ orderBy: 'SeverityNumber DESC, Body', offset: 200 }, testLogs, compileSearchPage),
  'search-lucene': search({ where: 'refused n:>5 -http.route:"/a"' }),
  'search-sql': search({ where: "Body ILIKE '%refused%' AND LogAttributes['n'] > 5", whereLanguage: 'sql' }),
  'search-columns': search({ select: ['LogAttributes', "upper(LogAttributes['a'])", 'toString(SeverityNumber)', 'n'] }),
  'search-spans': search({ select: ['Timestamp', 'SpanName', 'Duration', 'round(Duration / 1e6)'] }, testTraces),
  'search-ordered': search({ orderBy: 'SeverityNumber DESC, Body', offset: 200 }),
  'search-conditions': search({ conditions: [condition] }),
  'search-source-filter': search({ where: 'refused' }, filtered),
  'values-column': values({}),
  'values-attribute': values({ field: 'LogAttributes.http.route', prefix: '/A' }),
  'values-anywhere': values({ field: 'k8s.pod.name' }),
  'values-filtered': values({ where: 'SeverityText:error' }),
  'values-source-filter': values({}, filtered),
  'values-metrics': values({ field: 'Attributes.host' }, gauges),
  'facets-one': facets({}),
  'facets-several': facets({ fields: ['ServiceName', 'SeverityNumber', 'http.route'], where: 'refused' }),
  'facets-sql': facets({ where: "SeverityText = 'error'", whereLanguage: 'sql' }, filtered),
  'facets-sampled': facets({ fields: ['StatusCode'], slices }, testTraces),
  heatmap: heatmap({}),
  'heatmap-log': heatmap({
    scale: 'log',
    where: 'StatusCode:Error',
    conditions: [{ ...condition, where: "ServiceName = 'a'" }],
  }),
  'heatmap-linear': heatmap({ scale: 'linear', value: 'LogAttributes.n', granularityMs: 1500 }, filtered),
  'heatmap-amount': heatmap({ count: 'sum(Duration)', value: 'SpanAttributes.n' }),
  deltas: deltas({}, { where: 'SeverityText:error' }),
  'deltas-of-a-region': deltas(
    { where: "ServiceName = 'a'", whereLanguage: 'sql' },
    { range: { startMs, endMs: endMs - 60_000 }, where: 'Duration >= 5', whereLanguage: 'sql' },
    testTraces,
  ),
  'deltas-sampled': deltas({ slices }, { where: 'refused', slices: slices.slice(1) }, filtered),
  'deltas-selected': deltas({ slices }, { where: 'refused', slices: slices.slice(1) }, filtered, compileSelectedCount),
  patterns: patterns({}),
  'patterns-sampled': patterns({ slices, where: 'refused', conditions: [condition] }, filtered),
  'patterns-count': patterns({ where: 'refused' }, filtered, compileMatchCount),
  services: services({}),
  'services-sampled': services({ where: '-SpanName:"GET /health"' }, testTraces),
  'services-without-entry-spans': services({ bases: ['root', 'all'], services: ['job', 'browser'] }),
  'services-operations': services({ groupedBy: 'operation', services: ['cart'] }),
  'services-errors': compileServiceErrors(
    { ...spansOf, service: 'cart', messageMax: 500, rowsMax: 100 },
    testTraces,
    testGuards,
  ),
  'services-calls': compileCalls(serviceMap, notSampled, testGuards),
  'services-calls-sampled': compileCalls({ ...serviceMap, where: 'Duration:>5' }, testTraces, testGuards),
  'services-outgoing': compileOutsideCalls(serviceMap, 'outgoing', notSampled, testGuards),
  'services-incoming': compileOutsideCalls(serviceMap, 'incoming', testTraces, testGuards),
  'services-calls-of-a-sample': compileCalls({ ...serviceMap, isSampled: true }, notSampled, testGuards),
  'services-outgoing-of-a-sample': compileOutsideCalls(
    { ...serviceMap, where: 'Duration:>5', isSampled: true },
    'outgoing',
    notSampled,
    testGuards,
  ),
  'services-incoming-of-a-sample': compileOutsideCalls(
    { ...serviceMap, isSampled: true },
    'incoming',
    notSampled,
    testGuards,
  ),
  'attribute-keys': compileAttributeKeys({ range, maps }, testLogs, testGuards, budget),
  'event-count': compileEventCount(range, filtered, testGuards),
  'metric-names': compileMetricNames({ range, limit: 1_000 }, gauges, testGuards, budget),
};

describe('golden SQL: searches, completion, facets, heatmaps, deltas, patterns, services', () => {
  it.each(Object.entries(statements))('%s', async (name, compiled) => {
    const file = join(import.meta.dirname, 'search-sql', `${name}.golden.sql`);
    await expect(statementText(compiled)).toMatchFileSnapshot(file);
  });
});
