import { quoteText } from '../../../src/kernel/sql-quoting.ts';
import type { ClickHouseClient } from '../../../src/telemetry/clickhouse-client.ts';
import { openEngine, type TestEngine } from '../../support/start-engine.ts';

/** A value as SQL text: fixtures only, nothing a user wrote. */
function literal(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return `[${value.map(literal).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    return `map(${Object.entries(value)
      .flatMap((pair) => pair.map(literal))
      .join(',')})`;
  }
  return `${quoteText(String(value))}`;
}

/** Inserts rows; keys that end in `Ms` are instants in Unix milliseconds for the column without these letters. */
export async function insertRows(
  client: ClickHouseClient,
  table: string,
  rows: readonly Record<string, unknown>[],
): Promise<void> {
  for (const alike of groupedBy(rows, (row) => Object.keys(row).join())) {
    const columns = Object.keys(alike[0] ?? {}).map((key) => key.replace(/Ms$/, ''));
    for (let at = 0; at < alike.length; at += rowsPerInsert) {
      const values = alike.slice(at, at + rowsPerInsert).map((row) => `(${valuesOf(row).join(', ')})`);
      const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${values.join(', ')}`;
      await client.command(sql, { timeoutMs: 120_000 });
    }
  }
}

const rowsPerInsert = 200;

function valuesOf(row: Record<string, unknown>): string[] {
  return Object.entries(row).map(([key, value]) =>
    key.endsWith('Ms') ? `fromUnixTimestamp64Milli(toInt64(${value}), 'UTC')` : literal(value),
  );
}

function groupedBy<T>(items: readonly T[], keyOf: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return [...groups.values()];
}

/** An engine with the databases of both tenants. */
export async function startStore(): Promise<TestEngine> {
  const engine = await openEngine();
  await engine.databases.ensure('otel');
  await engine.databases.ensure('otel_other');
  return engine;
}
