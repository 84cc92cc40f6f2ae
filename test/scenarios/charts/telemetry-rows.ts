import type { ClickHouseClient } from '../../../src/telemetry/clickhouse-client.ts';
import { startEngine, type TestEngine } from '../../support/start-engine.ts';

/** A value as SQL text: fixtures only, nothing a user wrote. */
function literal(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return `[${value.map(literal).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    return `map(${Object.entries(value)
      .flatMap((pair) => pair.map(literal))
      .join(',')})`;
  }
  return `'${String(value).replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** Inserts rows; keys that end in `Ms` are instants in Unix milliseconds for the column without these letters. */
export async function insertRows(
  client: ClickHouseClient,
  table: string,
  rows: readonly Record<string, unknown>[],
): Promise<void> {
  for (const row of rows) {
    const columns = Object.keys(row).map((key) => key.replace(/Ms$/, ''));
    const values = Object.entries(row).map(([key, value]) =>
      key.endsWith('Ms') ? `fromUnixTimestamp64Milli(${value}, 'UTC')` : literal(value),
    );
    const sql = `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${values.join(', ')}`;
    await client.command(sql, { timeoutMs: 30_000 });
  }
}

/** An engine with the databases of both tenants. */
export async function startStore(): Promise<TestEngine> {
  const engine = await startEngine();
  await engine.databases.ensure('otel');
  await engine.databases.ensure('otel_other');
  return engine;
}
