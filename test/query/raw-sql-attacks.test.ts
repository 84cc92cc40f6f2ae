import { existsSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../src/contract/errors.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import type { SqlReader, SqlReading } from '../../src/resources/charts/raw-sql/sql-reader.ts';
import { QueryProblem } from '../../src/resources/charts/request/query-problem.ts';
import type { ClickHouseClient } from '../../src/telemetry/clickhouse-client.ts';
import { ClickHouseQueryRunner } from '../../src/telemetry/clickhouse-query-runner.ts';
import type { QueryRunner, TelemetryDatabases } from '../../src/telemetry/ports.ts';
import { ClickHouseTelemetryDatabases } from '../../src/telemetry/schema/telemetry-databases.ts';
import { ClickHouseTableSchemas } from '../../src/telemetry/table-schemas.ts';
import { engineLibrary, startPlainServer } from '../support/plain-server/start-plain-server.ts';
import { serverClient } from '../support/server-engine.ts';
import { openEngine } from '../support/start-engine.ts';
import { attacks } from './attack-corpus.ts';
import { boundedStatements, rejectedStatements } from './raw-sql-attack-corpus.ts';
import { frame, sqlReader, statementTile } from './raw-sql-fixture.ts';
import { insertRows, T0 } from './telemetry-fixture.ts';

const secret = 'the-secret-of-another-tenant';
/** What the operator has put into the tenant's database, and a function. */
const traps = [
  'CREATE VIEW own.view_of_other AS SELECT * FROM other.otel_logs',
  "CREATE TABLE own.merge_of_other (Body String) ENGINE = Merge('other', 'otel_logs')",
  "CREATE DICTIONARY own.dictionary_of_other (TimestampTime UInt64, Body String) PRIMARY KEY TimestampTime SOURCE(CLICKHOUSE(QUERY 'SELECT 1, Body FROM other.otel_logs')) LAYOUT(FLAT()) LIFETIME(0)",
  'CREATE TABLE own.buffer_of_other AS other.otel_traces ENGINE = Buffer(other, otel_traces, 1, 10, 100, 10, 100, 10, 100)',
  'CREATE TABLE own.null_table (x UInt8) ENGINE = Null',
  'CREATE FUNCTION spy AS (x) -> (SELECT any(Body) FROM other.otel_logs)',
];

interface World {
  client: ClickHouseClient;
  reader: SqlReader;
  /** What was sent to be run for the last statement. */
  ran: string[];
}

async function worldOver(client: ClickHouseClient, databases: TelemetryDatabases): Promise<World> {
  await databases.ensure('own');
  await databases.ensure('other');
  for (const [database, text] of [
    ['own', 'mine'],
    ['other', secret],
  ] as const) {
    await insertRows({ client }, database, 'otel_logs', [
      { Timestamp: T0, Body: text, ServiceName: text, LogAttributes: {} },
    ]);
  }
  for (const trap of traps) await client.command(trap, { timeoutMs: 20_000 });
  const ran: string[] = [];
  const queries = new ClickHouseQueryRunner(client, systemClock);
  const runner: QueryRunner = {
    run: (query, options) => {
      ran.push(query.sql);
      return queries.run(query, options);
    },
  };
  const schemas = new ClickHouseTableSchemas(client, systemClock);
  return { client, ran, reader: sqlReader({ runner, schemas }, ['own']) };
}

async function outcome({ reader, ran }: World, template: string): Promise<SqlReading | unknown> {
  ran.length = 0;
  return reader
    .read('tenant', statementTile(template), frame, { queryClass: 'interactive' })
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

async function isRejected(world: World, template: string): Promise<void> {
  const found = await outcome(world, template);
  expect(found).toBeInstanceOf(QueryProblem);
  expect(world.ran.filter((sql) => !isCheck(sql))).toEqual([]);
  const { path, position } = found as QueryProblem;
  expect([path, position === undefined || (position >= 0 && position <= template.length)]).toEqual([
    'config.sqlTemplate',
    true,
  ]);
  expect(shown(found)).not.toContain(secret);
}

/** Nothing was written, and no file either. */
async function isUnchanged({ client }: World): Promise<void> {
  for (const database of ['own', 'other']) {
    const count = await client.query(`SELECT count() FROM ${database}.otel_logs`, { timeoutMs: 10_000 });
    expect(count.columns).toEqual([[1]]);
  }
  expect(existsSync('/tmp/signalbox-attack')).toBe(false);
}

describe('raw SQL: attacks on the tenant, the server and the limits', () => {
  let world: World;
  beforeAll(async () => {
    const { client, databases } = await openEngine();
    world = await worldOver(client, databases);
  });

  it('the corpus has at least 200 texts, each once', () => {
    const all = [...rejectedStatements, ...boundedStatements];
    expect(new Set(all).size).toBe(all.length);
    expect(all.length).toBeGreaterThanOrEqual(200);
  });

  it.each(rejectedStatements)('is rejected and not run: %s', (template) => isRejected(world, template));

  it('nothing is resolved, which evaluates constants, before the syntax has passed', async () => {
    for (const template of [
      "SELECT file('/etc/passwd')",
      'SELECT (SELECT any(Body) FROM other.otel_logs)',
      'SELECT sleep(3)',
    ]) {
      await outcome(world, template);
      expect(world.ran.filter((sql) => sql.startsWith('EXPLAIN QUERY TREE'))).toEqual([]);
    }
  });

  it.each(boundedStatements)('ends within the limits, whatever it is: %.80s', async (template) => {
    expect(shown(await outcome(world, template))).not.toContain(secret);
  });

  it('the attacks on conditions and fields: rejected, or answered with what is the tenant’s', async () => {
    const places = [
      (text: string) => `SELECT ${text} FROM otel_logs`,
      (text: string) => `SELECT count() FROM ${text}`,
      (text: string) => `SELECT $__timeFilter(${text}) FROM otel_logs`,
    ];
    // Each place takes its part of the texts: what differs between places is the parser's work, not ours.
    for (const [index, text] of attacks.entries()) {
      const place = places[index % places.length] ?? String;
      const answer = shown(await outcome(world, place(text)));
      expect([text, answer.includes(secret), /root:|DB::/.test(answer)]).toEqual([text, false, false]);
    }
  });

  it('nothing was changed', () => isUnchanged(world));
});

const library = engineLibrary();

describe.skipIf(!library)("raw SQL on ClickHouse's own server", () => {
  /** Every fourth, as the embedded engine has the same parser and analyser, and all that this server alone has. */
  const statements = rejectedStatements.filter(
    (text, index) => index % 4 === 0 || /_of_other|spy|SETTINGS|FORMAT|OUTFILE/i.test(text),
  );
  let world: World;
  beforeAll(async () => {
    const server = await startPlainServer(library ?? expect.unreachable());
    const client = serverClient(server);
    const retention = { logs: 3_650, traces: 3_650, metrics: 3_650 };
    world = await worldOver(client, new ClickHouseTelemetryDatabases(client, server.topology, retention));
  }, 120_000);

  it('rejects the same attacks, and runs none', async () => {
    for (const template of statements) await isRejected(world, template);
    await isUnchanged(world);
  });

  it('answers what is allowed, and says where a statement is wrong', async () => {
    const sql =
      'SELECT $__timeInterval(Timestamp) AS ts, ServiceName, count() AS n FROM otel_logs WHERE $__timeFilter(Timestamp) GROUP BY ts, ServiceName';
    expect(JSON.parse(shown(await outcome(world, sql)))).toMatchObject({
      rows: 1,
      values: [{ name: 'n', cells: [1] }],
    });
    expect(await outcome(world, 'SELECT 1 FRM otel_logs')).toMatchObject({ position: 13 });
    expect(await outcome(world, 'SELECT nothing FROM otel_logs')).toMatchObject({ position: 7 });
  });
});
