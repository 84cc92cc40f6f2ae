import { quoteName, quoteText } from '../../kernel/sql-quoting.ts';
import type { ClickHouseClient } from '../clickhouse-client.ts';
import { TelemetryError } from '../ports.ts';
import { type RetentionDays, renderExpiry, telemetryTables } from '../schema/render-ddl.ts';
import { listStoredTables, type StoredTable } from './stored-tables.ts';

const timeoutMs = 600_000;

export interface MadeTable {
  database: string;
  name: string;
  create: string;
}

/**
 * Makes tables as the statements of `StoredTable.create` describe them; answers them with their new folders. A table with
 * another retention than this one (`none`: any) gets none: its parts know when they expire by the old one, and `ensure` has to
 * set it. Throws `TelemetryError`, also for a statement that makes something else.
 */
export async function makeTables(
  client: Pick<ClickHouseClient, 'query' | 'command'>,
  tables: readonly MadeTable[],
  retention: RetentionDays | 'none',
): Promise<StoredTable[]> {
  for (const { database, name, create } of tables) {
    if (!isStatementFor(create, database, name)) throw new TelemetryError('failed', 'not the statement of this table');
    await client.command(`CREATE DATABASE IF NOT EXISTS ${quoteName(database)}`, { timeoutMs });
    await client.command(create, { timeoutMs });
    if (keepsExpiry({ name, create }, retention)) continue;
    await client.command(`ALTER TABLE ${quoteName(database)}.${quoteName(name)} REMOVE TTL`, { timeoutMs });
  }
  return listStoredTables(client);
}

/** Adds a part whose files lie in the table's folder `detached`. Throws `TelemetryError`. */
export async function attachPart(
  client: Pick<ClickHouseClient, 'command'>,
  { database, name }: Pick<StoredTable, 'database' | 'name'>,
  part: string,
): Promise<void> {
  const table = `${quoteName(database)}.${quoteName(name)}`;
  await client.command(`ALTER TABLE ${table} ATTACH PART ${quoteText(part)}`, { timeoutMs });
}

/** Removes all rows. Throws `TelemetryError`. */
export async function emptyTable(
  client: Pick<ClickHouseClient, 'command'>,
  { database, name }: Pick<StoredTable, 'database' | 'name'>,
): Promise<void> {
  await client.command(`TRUNCATE TABLE ${quoteName(database)}.${quoteName(name)} SYNC`, { timeoutMs });
}

function isStatementFor(create: string, database: string, name: string): boolean {
  const beginnings = [`CREATE TABLE ${database}.${name} (`, `CREATE TABLE ${database}.${name}\n(`];
  return beginnings.some((beginning) => create.startsWith(beginning)) && create.includes('ENGINE = MergeTree ');
}

function keepsExpiry({ name, create }: Pick<MadeTable, 'name' | 'create'>, retention: RetentionDays | 'none'): boolean {
  if (!/\sTTL\s/.test(create)) return true;
  const table = telemetryTables.find((known) => known.name === name);
  return retention !== 'none' && table !== undefined && create.includes(renderExpiry(table, retention));
}
