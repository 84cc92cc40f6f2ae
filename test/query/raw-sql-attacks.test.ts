import { existsSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../src/contract/errors.ts';
import type { SqlReader, SqlReading } from '../../src/resources/charts/raw-sql/sql-reader.ts';
import { QueryProblem } from '../../src/resources/charts/request/query-problem.ts';
import { openEngine, type TestEngine } from '../support/start-engine.ts';
import { attacks } from './attack-corpus.ts';
import { boundedStatements, rejectedStatements } from './raw-sql-attack-corpus.ts';
import { frame, sqlReader, statementTile } from './raw-sql-fixture.ts';
import { insertRows, makeDatabase, T0 } from './telemetry-fixture.ts';

const secret = 'the-secret-of-another-tenant';
let engine: TestEngine;
let reader: SqlReader;
/** What was sent to the engine to be run, beside the checks. */
let ran: string[];

beforeAll(async () => {
  engine = await openEngine();
  await makeDatabase(engine, 'own');
  await makeDatabase(engine, 'other');
  await insertRows(engine, 'own', 'otel_logs', [{ Timestamp: T0, Body: 'mine', ServiceName: 'a', LogAttributes: {} }]);
  await insertRows(engine, 'other', 'otel_logs', [
    { Timestamp: T0, Body: secret, ServiceName: secret, LogAttributes: {} },
  ]);
  for (const trap of [
    'CREATE VIEW own.view_of_other AS SELECT * FROM other.otel_logs',
    "CREATE TABLE own.merge_of_other (Body String) ENGINE = Merge('other', 'otel_logs')",
    "CREATE DICTIONARY own.dictionary_of_other (TimestampTime UInt64, Body String) PRIMARY KEY TimestampTime SOURCE(CLICKHOUSE(QUERY 'SELECT 1, Body FROM other.otel_logs')) LAYOUT(FLAT()) LIFETIME(0)",
    'CREATE TABLE own.buffer_of_other AS other.otel_traces ENGINE = Buffer(other, otel_traces, 1, 10, 100, 10, 100, 10, 100)',
    'CREATE TABLE own.null_table (x UInt8) ENGINE = Null',
    'CREATE FUNCTION spy AS (x) -> (SELECT any(Body) FROM other.otel_logs)',
  ]) {
    await engine.client.command(trap, { timeoutMs: 20_000 });
  }
  ran = [];
  const runner = {
    run: async (...[query, options]: Parameters<TestEngine['queryRunner']['run']>) => {
      ran.push(query.sql);
      return engine.queryRunner.run(query, options);
    },
  };
  reader = sqlReader({ runner, schemas: engine.tableSchemas }, ['own']);
});

async function outcome(template: string, layout: 'rows' | 'time' | 'number' = 'rows'): Promise<SqlReading | unknown> {
  ran = [];
  return reader
    .read('tenant', statementTile(template, layout), frame, { queryClass: 'interactive' })
    .catch((error: unknown) => error);
}

/** Everything of an answer or error that a client may see. */
function shown(found: unknown): string {
  if (found instanceof AppError) return found.publicText;
  if (found instanceof Error) throw found;
  const { columns } = found as SqlReading;
  return JSON.stringify(columns);
}

const isCheck = (sql: string) =>
  /^EXPLAIN (AST|QUERY TREE) |^SELECT length\(formatQuery\(\{statement:String\}\)\)$/.test(sql) ||
  sql.includes('FROM system.tables');
const checksOnly = () => ran.every(isCheck);

describe('raw SQL: attacks on the tenant, the server and the limits', () => {
  it('the corpus has at least 200 texts, each once', () => {
    const all = [...rejectedStatements, ...boundedStatements];
    expect(new Set(all).size).toBe(all.length);
    expect(all.length).toBeGreaterThanOrEqual(200);
  });

  it.each(rejectedStatements)('is rejected and not run: %s', async (template) => {
    const found = await outcome(template);
    expect(found).toBeInstanceOf(QueryProblem);
    expect(checksOnly()).toBe(true);
    const { path, position } = found as QueryProblem;
    expect([path, position === undefined || (position >= 0 && position <= template.length)]).toEqual([
      'config.sqlTemplate',
      true,
    ]);
    expect(shown(found)).not.toContain(secret);
  });

  it('nothing is resolved, which evaluates constants, before the syntax has passed', async () => {
    for (const template of [
      "SELECT file('/etc/passwd')",
      'SELECT (SELECT any(Body) FROM other.otel_logs)',
      'SELECT sleep(3)',
    ]) {
      await outcome(template);
      expect(ran.filter((sql) => sql.startsWith('EXPLAIN QUERY TREE'))).toEqual([]);
    }
  });

  it.each(boundedStatements)('ends within the limits, whatever it is: %.80s', async (template) => {
    const text = shown(await outcome(template));
    expect(text).not.toContain(secret);
  });

  it('the attacks on conditions and fields: rejected, or answered with what is the tenant’s', async () => {
    const places = [
      (text: string) => `SELECT ${text}`,
      (text: string) => `SELECT ${text} FROM otel_logs`,
      (text: string) => `SELECT count() FROM otel_logs WHERE ${text}`,
      (text: string) => `SELECT count() FROM ${text}`,
      (text: string) => `SELECT $__timeFilter(${text}) FROM otel_logs`,
    ];
    for (const place of places) {
      for (const text of attacks) {
        const answer = shown(await outcome(place(text)));
        expect([text, answer.includes(secret), /root:|DB::/.test(answer)]).toEqual([text, false, false]);
      }
    }
  });

  it('nothing was changed', async () => {
    const count = (database: string) =>
      engine.client.query(`SELECT count() FROM ${database}.otel_logs`, { timeoutMs: 10_000 });
    expect((await count('own')).columns).toEqual([[1]]);
    expect((await count('other')).columns).toEqual([[1]]);
    expect(existsSync('/tmp/signalbox-attack')).toBe(false);
  });
});
