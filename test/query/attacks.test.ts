import { beforeAll, describe, expect, it } from 'vitest';
import { splitExpressions } from '../../src/contract/split-expressions.ts';
import type { ChartQuery, Guards, SeriesQuery, WhereLanguage } from '../../src/query/chart-query.ts';
import { compileChart } from '../../src/query/compile-chart.ts';
import { compileFacets, compileFieldValues } from '../../src/query/compile-completion.ts';
import { compileDeltas } from '../../src/query/compile-deltas.ts';
import { compileHeatmap } from '../../src/query/compile-heatmap.ts';
import { compileMatchCount, compileTexts } from '../../src/query/compile-patterns.ts';
import { compileSearch } from '../../src/query/compile-search.ts';
import { compileCalls, compileOutsideCalls, compileServiceErrors } from '../../src/query/compile-services.ts';
import { type CompiledQuery, QueryTextError } from '../../src/query/compiled-query.ts';
import type { FacetQuery, ValuesQuery } from '../../src/query/completion-query.ts';
import type { DeltasQuery } from '../../src/query/deltas-query.ts';
import type { HeatmapQuery } from '../../src/query/heatmap-query.ts';
import { GuardError } from '../../src/query/passes/verify-guards.ts';
import type { PatternsQuery } from '../../src/query/patterns-query.ts';
import { printableFunctions } from '../../src/query/plan/sql-expr.ts';
import type { SearchQuery } from '../../src/query/search-query.ts';
import type { ServiceErrorsQuery, ServiceMapQuery } from '../../src/query/services-query.ts';
import type { EventSourceSchema, SourceSchema, SpanFields } from '../../src/query/source-schema.ts';
import { testGuards, testLogs, testMetrics } from '../../src/query/testing.ts';
import { readSelectList } from '../../src/resources/sources/select-list.ts';
import { openEngine, type TestEngine } from '../support/start-engine.ts';
import { attacks } from './attack-corpus.ts';
import { chart, guardsFor, insertRows, logSource, makeDatabase, T0 } from './telemetry-fixture.ts';

type Compile<Source = EventSourceSchema> = (text: string, source: Source, guards: Guards) => CompiledQuery;

const { range } = chart({});
const budget = { rowsToRead: 1_000, distinct: 1_000 };
const ofChart =
  (query: (text: string) => ChartQuery): Compile =>
  (text, source, guards) =>
    compileChart(query(text), source, guards);
const ofSearch =
  (part: (text: string) => Partial<SearchQuery>): Compile =>
  (text, source, guards) => {
    const page = { range, where: '', whereLanguage: 'sql' as const, select: ['Body'], limit: 100, offset: 0 };
    return compileSearch({ ...page, ...part(text) }, source, guards);
  };
const ofValues =
  (part: (text: string) => Partial<ValuesQuery>): Compile<SourceSchema> =>
  (text, source, guards) => {
    const query = { range, field: 'ServiceName', prefix: '', where: '', whereLanguage: 'sql' as const, limit: 10 };
    return compileFieldValues({ ...query, ...part(text) }, source, guards, budget);
  };
const ofFacets =
  (part: (text: string) => Partial<FacetQuery>): Compile =>
  (text, source, guards) => {
    const query = { range, where: '', whereLanguage: 'sql' as const, fields: ['Body'], limit: 10, slices: [] };
    return compileFacets({ ...query, ...part(text) }, source, guards, budget);
  };
const ofHeatmap =
  (part: (text: string) => Partial<HeatmapQuery>): Compile =>
  (text, source, guards) => {
    const query = { range, granularityMs: 60_000, value: 'SeverityNumber', where: '', whereLanguage: 'sql' as const };
    return compileHeatmap({ ...query, ...part(text) }, source, guards);
  };
const ofDeltas =
  (side: 'all' | 'selection', whereLanguage: WhereLanguage): Compile =>
  (where, source, guards) => {
    const whole = { range, where: '', whereLanguage, slices: [] };
    const query: DeltasQuery = { all: whole, selection: whole, valueLengthMax: 256, valuesMax: 100 };
    return compileDeltas({ ...query, [side]: { ...whole, where } }, source, guards);
  };
const ofPatterns =
  (part: (text: string) => Partial<PatternsQuery>, compile = compileTexts): Compile =>
  (text, source, guards) => {
    const asked = { range, field: 'Body', where: '', whereLanguage: 'sql' as const, slices: [] };
    return compile({ ...asked, eventsMax: 100, lengthMax: 100, ...part(text) }, source, guards);
  };
type SpansQuery = ServiceErrorsQuery & ServiceMapQuery;
/** The columns of logs stand in for those of spans. */
const spans: SpanFields = {
  ...{ service: 'ServiceName', traceId: 'Body', spanId: 'Body', parentSpanId: 'Body', name: 'Body' },
  ...{ kind: 'SeverityText', duration: 'SeverityNumber', durationPrecision: 3 },
};
const ofService =
  (
    part: (text: string) => Partial<SpansQuery>,
    compile: (query: SpansQuery, source: EventSourceSchema, guards: Guards) => CompiledQuery,
  ): Compile =>
  (text, source, guards) => {
    const asked = { range, where: '', whereLanguage: 'sql' as const, service: 'a', messageMax: 100 };
    const query = { ...asked, beforeMs: 1, afterMs: 1, rowsMax: 100, ...part(text) };
    return compile(query, { ...source, spans }, guards);
  };
/** Positions are in the whole text, which is longer. */
const inAggregate: Compile = (text, source, guards) => {
  try {
    return ofHeatmap(() => ({ count: `max(${text})` }))('', source, guards);
  } catch (error) {
    if (!(error instanceof QueryTextError) || error.position === undefined) throw error;
    expect(error.position).toBeLessThanOrEqual(text.length + 5);
    throw new QueryTextError(error.message, Math.min(error.position, text.length), undefined, error.where);
  }
};
const ofMetric =
  (
    series: (text: string) => Partial<SeriesQuery>,
    groups: (text: string) => string[] = () => [],
  ): Compile<SourceSchema> =>
  (text, source, guards) => {
    const gauge = { aggregate: 'max', metric: { name: 'load', kind: 'gauge' } } as const;
    return compileChart(chart({ ...gauge, ...series(text) }, { groupBy: groups(text) }), source, guards);
  };
const condition = (where: string, whereLanguage: WhereLanguage): Partial<ChartQuery> => ({
  conditions: [{ where, whereLanguage, path: 'filters.0' }],
});

/** The places of a request, and of a source, that hold user text and have their own way into a statement. */
const places: Record<string, Compile> = {
  lucene: ofChart((where) => chart({ where })),
  sql: ofChart((where) => chart({ where, whereLanguage: 'sql' })),
  field: ofChart((field) => chart({ aggregate: 'max', field })),
  'a field that is counted': ofChart((field) => chart({ aggregate: 'count_distinct', field })),
  groupBy: ofChart((text) => chart({}, { groupBy: [text] })),
  'one of several groups': ofChart((text) => chart({}, { groupBy: ['ServiceName', text] })),
  'the filter of a source': (filter, source, guards) => compileChart(chart({}), { ...source, filter }, guards),
  select: ofSearch((text) => ({ select: ['Body', text] })),
  orderBy: ofSearch((orderBy) => ({ orderBy })),
  'a field whose values are completed': ofValues((field) => ({ field })),
  'the beginning of a completed value': ofValues((prefix) => ({ prefix })),
  'the number of a heatmap': ofHeatmap((value) => ({ value })),
  'the amount of a heatmap': ofHeatmap((count) => ({ count })),
  'the amount of a heatmap, within an aggregate': inAggregate,
  'a selection that is compared': ofDeltas('selection', 'sql'),
  'a text with patterns': ofPatterns((field) => ({ field })),
  'a facet': ofFacets((text) => ({ fields: ['Body', text] })),
};
/** They take the same ways, so the statements are looked at and not run. */
const furtherPlaces: Record<string, Compile> = {
  'a filter of the dashboard, Lucene': ofChart((text) => chart({}, condition(text, 'lucene'))),
  'a filter of the dashboard, SQL': ofChart((text) => chart({}, condition(text, 'sql'))),
  'the condition of a search, Lucene': ofSearch((where) => ({ where, whereLanguage: 'lucene' })),
  'the condition of a search, SQL': ofSearch((where) => ({ where, whereLanguage: 'sql' })),
  'the condition of completion, Lucene': ofValues((where) => ({ where, whereLanguage: 'lucene' })),
  'the condition of completion, SQL': ofValues((where) => ({ where, whereLanguage: 'sql' })),
  'the condition of facets, Lucene': ofFacets((where) => ({ where, whereLanguage: 'lucene' })),
  'the condition of facets, SQL': ofFacets((where) => ({ where, whereLanguage: 'sql' })),
  'a selection that is compared, Lucene': ofDeltas('selection', 'lucene'),
  'the events that a selection is compared with, Lucene': ofDeltas('all', 'lucene'),
  'the events that a selection is compared with, SQL': ofDeltas('all', 'sql'),
  'the condition of patterns, Lucene': ofPatterns((where) => ({ where, whereLanguage: 'lucene' })),
  'the condition of patterns, SQL': ofPatterns((where) => ({ where }), compileMatchCount),
  'the condition of a heatmap, Lucene': ofHeatmap((where) => ({ where, whereLanguage: 'lucene' })),
  'the condition of a heatmap, SQL': ofHeatmap((where) => ({ where, whereLanguage: 'sql' })),
  'the condition of a service, Lucene': ofService(
    (where) => ({ where, whereLanguage: 'lucene' }),
    compileServiceErrors,
  ),
  'the name of a service': ofService((service) => ({ service }), compileServiceErrors),
  'the condition of calls, SQL': ofService((where) => ({ where }), compileCalls),
  'the condition of calls elsewhere, SQL': ofService(
    (where) => ({ where }),
    (query, source, guards) => compileOutsideCalls(query, 'outgoing', source, guards),
  ),
  'the groups of a tile': ofChart((text) => chart({}, { groupBy: splitExpressions(text) })),
  'the columns of a search': ofSearch((text) => ({
    select: ['Body', ...readSelectList(text).map((item) => item.text)],
  })),
};
const metricPlaces: Record<string, Compile<SourceSchema>> = {
  'the condition of a metric, Lucene': ofMetric((where) => ({ where, whereLanguage: 'lucene' })),
  'the condition of a metric, SQL': ofMetric((where) => ({ where, whereLanguage: 'sql' })),
  'the name of a metric': ofMetric((name) => ({ metric: { name, kind: 'gauge' } })),
  'a group of a metric': ofMetric(
    () => ({}),
    (text) => [text],
  ),
  'a field of metrics whose values are completed': ofValues((field) => ({ field })),
};
const keywords = new Set(
  (
    'SELECT FROM AS WHERE AND OR NOT GROUP BY ORDER DESC LIMIT OFFSET ARRAY JOIN OVER IN LIKE ILIKE NULL ' +
    'src ts n0 v0 g0 g1 c0 c1 cell cells group_rows groups_total PARTITION attribute_set value points newest ' +
    'k a b key has_a has_b all_a all_b attributes is_selected ' +
    'WITH value_scale scale logarithmic edges start low amount starts lows amounts number least most smallest mean ' +
    'spread lowest highest power factor parts first_multiple last_multiple first_part last_part i ' +
    'type message at trace_id last_message last_trace_id spans traces first_ms last_ms calls errors failed duration ' +
    'caller callee caller_key callee_key called_by service system_kind system_name messaging database destination ' +
    'namespace peer address host l r INNER ON GLOBAL q0 q1 q2 ' +
    'f v n place present row_cells ROWS BETWEEN PRECEDING CURRENT ROW String Int64 UInt64 UInt32 Float64 Bool UTC'
  ).split(' '),
);

/** Every word of a statement is a keyword of ours, an allowed function, a number, a placeholder or a column in backticks. */
function strangers({ sql }: CompiledQuery, columns: ReadonlyMap<string, string>): string[] {
  const words =
    sql.match(
      /`(?:[^`\\]|\\.)*`|'[^']*'|\{p[0-9]+:\w+\}|[0-9][0-9.]*(?:e[+-]?[0-9]+)?|[\p{L}_][\p{L}\p{N}_]*|--|\/\*|[;#$?@"\\]/gu,
    ) ?? [];
  const ours = new Set([
    ...['`otel`', '`otel_logs`', '`otel_metrics_gauge`'],
    ...["''", "' '", "'UTC'", "'String'", "'database'", "'messaging'", "'external'"],
  ]);
  return words.filter((word) => {
    if (/^[{0-9]/.test(word) || ours.has(word) || keywords.has(word) || printableFunctions.has(word)) return false;
    return !(word.startsWith('`') && columns.has(word.slice(1, -1)));
  });
}

/** The compiled statement, or nothing when the text was rejected properly: with the position of the problem. */
function compileOrReject<Source extends SourceSchema>(
  compile: Compile<Source>,
  text: string,
  source: Source,
  database: string,
): CompiledQuery | undefined {
  try {
    return compile(text, source, guardsFor(database));
  } catch (error) {
    if (!(error instanceof QueryTextError)) throw error;
    const { position = -1, where, message } = error;
    // Of a query as a whole: no single position is wrong.
    if (message === 'the conditions of this query are too long; use fewer terms') return undefined;
    expect([text, message, where !== undefined, position >= 0 && position <= text.length]).toEqual([
      text,
      message,
      true,
      true,
    ]);
    return undefined;
  }
}

describe('attacks: user text never becomes SQL text (decisions C10, U-74, U-76)', () => {
  it('the corpus holds at least 100 texts, each once', () => {
    expect(new Set(attacks).size).toBe(attacks.length);
    expect(attacks.length).toBeGreaterThanOrEqual(100);
  });

  it.each(Object.entries({ ...places, ...furtherPlaces }))(
    'as %s: rejected, or the text travels in parameters only',
    (_, place) => {
      for (const text of attacks) {
        const compiled = compileOrReject(place, text, testLogs, testGuards.database);
        if (compiled) expect([text, strangers(compiled, testLogs.table.columns)]).toEqual([text, []]);
      }
    },
  );

  it.each(Object.entries(metricPlaces))('as %s: rejected, or the text travels in parameters only', (_, place) => {
    const { gauge } = testMetrics.tables;
    if (!gauge) throw new Error('a table is missing');
    for (const text of attacks) {
      const compiled = compileOrReject(place, text, { ...testMetrics, tables: { gauge } }, testGuards.database);
      if (compiled) expect([text, strangers(compiled, gauge.columns)]).toEqual([text, []]);
    }
  });

  it('a source of another database is never read, whatever the text is (the tenant guard)', () => {
    for (const [name, place] of Object.entries({ ...places, ...furtherPlaces })) {
      for (const text of attacks.filter((_, index) => index % 20 === 0)) {
        expect(() => {
          if (!compileOrReject(place, text, testLogs, 'otel_other')) throw new GuardError('refused before');
        }, `${name}: ${text}`).toThrow(GuardError);
      }
    }
  });
});

describe('attacks on the engine', () => {
  const database = 'otel_attacks';
  let engine: TestEngine;

  beforeAll(async () => {
    engine = await openEngine();
    await makeDatabase(engine, database);
    await insertRows(engine, database, 'otel_logs', [
      { Timestamp: T0, Body: 'a', ServiceName: 'a', LogAttributes: { n: '1' } },
      { Timestamp: T0 - 86_400_000, Body: 'outside', ServiceName: 'b', LogAttributes: {} },
    ]);
  });

  it.each(Object.entries(places))(
    'as %s: runs without an error, sees no row outside the range, changes nothing',
    async (_, place) => {
      const source = await logSource(engine, database);
      for (const text of attacks) {
        const compiled = compileOrReject(place, text, source, database);
        if (!compiled) continue;
        const result = await engine.queryRunner
          .run(compiled, { queryClass: 'interactive', timeoutMs: 60_000 })
          .catch((error: unknown) => Promise.reject(new Error(`${text}: ${String(error)}\n${compiled.sql}`)));
        const starts: unknown = result.columns[result.names.indexOf('starts')]?.[0];
        const events = Array.from({ length: Array.isArray(starts) ? starts.length : result.rows }, () => 1);
        const countAt = ['n0', 'n'].map((name) => result.names.indexOf(name)).find((at) => at >= 0);
        const counts: readonly unknown[] = countAt === undefined ? events : (result.columns[countAt] ?? []);
        const fields = result.names.includes('f') ? 2 : 1;
        const compared = ['all_a', 'all_b'].map((name) => Number(result.columns[result.names.indexOf(name)]?.[0] ?? 0));
        if (result.names.includes('all_a')) {
          expect([text, compared.reduce((sum, count) => sum + count, 0) <= 1]).toEqual([text, true]);
          continue;
        }
        expect([text, counts.reduce<number>((sum, count) => sum + Number(count), 0) <= fields]).toEqual([text, true]);
      }
      const left = await engine.client.query(`SELECT count() FROM ${database}.otel_logs`, { timeoutMs: 10_000 });
      expect(left.columns[0]?.[0]).toBe(2);
    },
  );

  it('OR does not escape the time range (U-77)', async () => {
    const source = await logSource(engine, database);
    const query = chart({ where: "ServiceName = 'a' OR ServiceName = 'b'", whereLanguage: 'sql' });
    const result = await engine.queryRunner.run(compileChart(query, source, guardsFor(database)), {
      queryClass: 'interactive',
      timeoutMs: 20_000,
    });
    expect(result.columns[1]).toEqual([1]);
  });
});
