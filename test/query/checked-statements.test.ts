import { beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/kernel/clock.ts';
import { FakeClock } from '../../src/kernel/fake-clock.ts';
import { CheckedStatements } from '../../src/resources/charts/raw-sql/checked-statements.ts';
import type { SqlPlace } from '../../src/resources/charts/raw-sql/sql-place.ts';
import { writeSql } from '../../src/resources/charts/raw-sql/write-sql.ts';
import type { ClickHouseClient } from '../../src/telemetry/clickhouse-client.ts';
import { ClickHouseQueryRunner } from '../../src/telemetry/clickhouse-query-runner.ts';
import type { QueryRunner } from '../../src/telemetry/ports.ts';
import { ClickHouseTableSchemas } from '../../src/telemetry/table-schemas.ts';
import { openEngine } from '../support/start-engine.ts';
import { frame, sqlLimits, statementTile } from './raw-sql-fixture.ts';

let client: ClickHouseClient;
let runner: QueryRunner;
/** What the engine was asked. */
let asked = 0;

beforeAll(async () => {
  ({ client } = await openEngine());
  for (const database of ['one', 'two']) {
    await command(`CREATE DATABASE ${database}`);
    await command(`CREATE TABLE ${database}.t (x UInt8) ENGINE = MergeTree ORDER BY x`);
  }
  const queries = new ClickHouseQueryRunner(client, systemClock);
  runner = {
    run: (query, options) => {
      asked++;
      return queries.run(query, options);
    },
  };
});

const command = (sql: string) => client.command(sql, { timeoutMs: 10_000 });
const place = (database: string): SqlPlace => ({
  ...{ connectionId: 'c', name: 'Store', database, databases: [database] },
  engine: { runner, schemas: new ClickHouseTableSchemas(client, systemClock) },
});

/** Whether it passed, and whether the engine was asked. */
async function check(checks: CheckedStatements, sql: string, database: string): Promise<string> {
  const before = asked;
  const none = { get: () => Promise.reject(new Error('no source')), schemaOf: () => Promise.reject(new Error('none')) };
  const written = await writeSql(statementTile(sql), frame, place(database), none as never);
  const options = { name: 'check', queryClass: 'interactive', timeoutMs: 10_000 } as const;
  const result = await checks.check(written, place(database), options).then(
    () => 'passed',
    () => 'rejected',
  );
  return `${result}${asked === before ? ' as before' : ''}`;
}

describe('statements that passed are not checked again', () => {
  it('for a minute, in the same text and the same databases only', async () => {
    const clock = new FakeClock(1_000);
    const checks = new CheckedStatements(clock, sqlLimits);
    const sql = 'SELECT x FROM two.t';
    expect(await check(checks, sql, 'two')).toBe('passed');
    expect(await check(checks, sql, 'two')).toBe('passed as before');
    expect(await check(checks, sql, 'one')).toBe('rejected');
    expect(await check(checks, 'SELECT x AS y FROM two.t', 'two')).toBe('passed');
    await clock.advance(60_000);
    expect(await check(checks, sql, 'two')).toBe('passed');
  });

  it('what was rejected is checked again the next time', async () => {
    const checks = new CheckedStatements(new FakeClock(1_000), sqlLimits);
    expect(await check(checks, 'SELECT x FROM later', 'one')).toBe('rejected');
    await command('CREATE TABLE one.later (x UInt8) ENGINE = MergeTree ORDER BY x');
    expect(await check(checks, 'SELECT x FROM later', 'one')).toBe('passed');
  });

  it('a table that an operator replaces by a view of other databases is refused after a minute', async () => {
    const clock = new FakeClock(1_000);
    const checks = new CheckedStatements(clock, sqlLimits);
    await command('CREATE TABLE one.replaced (x UInt8) ENGINE = MergeTree ORDER BY x');
    expect(await check(checks, 'SELECT x FROM replaced', 'one')).toBe('passed');
    await command('DROP TABLE one.replaced');
    await command('CREATE VIEW one.replaced AS SELECT x FROM two.t');
    await clock.advance(60_000);
    expect(await check(checks, 'SELECT x FROM replaced', 'one')).toBe('rejected');
  });
});
