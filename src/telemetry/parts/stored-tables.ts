import type { ClickHouseClient } from '../clickhouse-client.ts';

/** A table of the embedded engine, as it lies on the disk. */
export interface StoredTable {
  database: string;
  name: string;
  /** The statement that made it, with later changes. */
  create: string;
  /** Columns that rows are inserted with; the others are computed from them. */
  columns: readonly string[];
  /** Absolute. */
  folder: string;
}

const timeoutMs = 60_000;

/** All tables of all tenants; not the one that `StoreProbe` writes into. Throws `TelemetryError`. */
export async function listStoredTables(client: Pick<ClickHouseClient, 'query'>): Promise<StoredTable[]> {
  const tables = await client.query(
    `SELECT database, name, create_table_query, data_paths[1] FROM system.tables
    WHERE engine = 'MergeTree' AND database NOT IN ('system', 'default') AND name != 'signalbox_write_probe'
    ORDER BY database, name`,
    { timeoutMs },
  );
  const columns = await insertableColumns(client);
  return Array.from({ length: tables.rows }, (_, row) => {
    const [database = '', name = '', create = '', folder = ''] = tables.columns.map((column) => String(column[row]));
    return { database, name, create, folder, columns: columns.get(`${database}.${name}`) ?? [] };
  });
}

/** By database and table. */
async function insertableColumns(client: Pick<ClickHouseClient, 'query'>): Promise<Map<string, string[]>> {
  const { columns, rows } = await client.query(
    `SELECT concat(database, '.', table), name FROM system.columns
    WHERE default_kind NOT IN ('MATERIALIZED', 'ALIAS') AND database NOT IN ('system', 'default') ORDER BY position`,
    { timeoutMs },
  );
  const byTable = new Map<string, string[]>();
  for (let row = 0; row < rows; row++) {
    const [table, name] = columns.map((column) => String(column[row]));
    if (table !== undefined && name !== undefined) byTable.set(table, [...(byTable.get(table) ?? []), name]);
  }
  return byTable;
}
