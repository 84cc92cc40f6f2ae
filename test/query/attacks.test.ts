import { beforeAll, describe, expect, it } from 'vitest';
import type { ChartQuery, Guards } from '../../src/query/chart-query.ts';
import { compileChart } from '../../src/query/compile-chart.ts';
import { compileSearch } from '../../src/query/compile-search.ts';
import { type CompiledQuery, QueryTextError } from '../../src/query/compiled-query.ts';
import { printableFunctions } from '../../src/query/plan/sql-expr.ts';
import type { SearchQuery } from '../../src/query/search-query.ts';
import type { EventSourceSchema } from '../../src/query/source-schema.ts';
import { testGuards, testLogs } from '../../src/query/testing.ts';
import { startEngine, type TestEngine } from '../support/start-engine.ts';
import { attacks } from './attack-corpus.ts';
import { chart, guardsFor, insertRows, logSource, makeDatabase, T0 } from './telemetry-fixture.ts';

type Compile = (text: string, source: EventSourceSchema, guards: Guards) => CompiledQuery;

const ofChart =
  (query: (text: string) => ChartQuery): Compile =>
  (text, source, guards) =>
    compileChart(query(text), source, guards);
const ofSearch =
  (part: (text: string) => Partial<SearchQuery>): Compile =>
  (text, source, guards) => {
    const { range } = chart({});
    const page = { range, where: '', whereLanguage: 'sql' as const, select: ['Body'], limit: 100, offset: 0 };
    return compileSearch({ ...page, ...part(text) }, source, guards);
  };

/** The places of a request, and of a source, that hold user text. */
const places: Record<string, Compile> = {
  lucene: ofChart((where) => chart({ where })),
  sql: ofChart((where) => chart({ where, whereLanguage: 'sql' })),
  field: ofChart((field) => chart({ aggregate: 'max', field })),
  groupBy: ofChart((text) => chart({}, { groupBy: [text] })),
  'the filter of a source': (filter, source, guards) => compileChart(chart({}), { ...source, filter }, guards),
  select: ofSearch((text) => ({ select: ['Body', text] })),
  orderBy: ofSearch((orderBy) => ({ orderBy })),
};
const keywords = new Set(
  (
    'SELECT FROM AS WHERE AND OR NOT GROUP BY ORDER DESC LIMIT OFFSET ARRAY JOIN OVER IN LIKE ILIKE NULL ' +
    'src ts n0 v0 g0 c0 c1 cell cells group_rows groups_total String Int64 UInt64 UInt32 Float64 Bool UTC'
  ).split(' '),
);

/** Every word of a statement is a keyword of ours, an allowed function, a number, a placeholder or a column in backticks. */
function strangers({ sql }: CompiledQuery, columns: ReadonlyMap<string, string>): string[] {
  const words =
    sql.match(
      /`(?:[^`\\]|\\.)*`|'[^']*'|\{p[0-9]+:\w+\}|[0-9][0-9.]*(?:e[+-]?[0-9]+)?|[\p{L}_][\p{L}\p{N}_]*|--|\/\*|[;#$?@"\\]/gu,
    ) ?? [];
  const ours = new Set(['`otel`', '`otel_logs`', '`otel_attacks`', "''", "'UTC'", "'String'"]);
  return words.filter((word) => {
    if (/^[{0-9]/.test(word) || ours.has(word) || keywords.has(word) || printableFunctions.has(word)) return false;
    return !(word.startsWith('`') && columns.has(word.slice(1, -1)));
  });
}

/** The compiled statement, or nothing when the text was refused in the proper way. */
function compileOrRefuse(
  compile: Compile,
  text: string,
  source: EventSourceSchema,
  database: string,
): CompiledQuery | undefined {
  try {
    return compile(text, source, guardsFor(database));
  } catch (error) {
    if (error instanceof QueryTextError) return undefined;
    throw error;
  }
}

describe('attacks: user text never becomes SQL text (decisions C10, U-74, U-76)', () => {
  it('the corpus holds at least 100 texts, each once', () => {
    expect(new Set(attacks).size).toBe(attacks.length);
    expect(attacks.length).toBeGreaterThanOrEqual(100);
  });

  it.each(Object.entries(places))('as %s: refused, or the text travels in parameters only', (_, place) => {
    for (const text of attacks) {
      const compiled = compileOrRefuse(place, text, testLogs, testGuards.database);
      if (compiled) expect([text, strangers(compiled, testLogs.table.columns)]).toEqual([text, []]);
    }
  });
});

describe('attacks on the engine', () => {
  const database = 'otel_attacks';
  let engine: TestEngine;

  beforeAll(async () => {
    engine = await startEngine();
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
        const compiled = compileOrRefuse(place, text, source, database);
        if (!compiled) continue;
        const result = await engine.queryRunner
          .run(compiled, { queryClass: 'interactive', timeoutMs: 20_000 })
          .catch((error: unknown) => Promise.reject(new Error(`${text}: ${String(error)}\n${compiled.sql}`)));
        const events = Array.from({ length: result.rows }, () => 1);
        const counts: readonly unknown[] = result.columns[result.names.indexOf('n0')] ?? events;
        expect([text, counts.reduce<number>((sum, count) => sum + Number(count), 0) <= 1]).toEqual([text, true]);
      }
      const left = await engine.client.query(`SELECT count() FROM ${database}.otel_logs`, { timeoutMs: 10_000 });
      expect(left.columns[0]?.[0]).toBe(2);
    },
    180_000,
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
