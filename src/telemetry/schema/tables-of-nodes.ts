import { quoteName } from '../../kernel/sql-quoting.ts';
import type { ClickHouseClient } from '../clickhouse-client.ts';
import { TelemetryError } from '../ports.ts';

const statementTimeoutMs = 60_000;
/** ClickHouse: the user has no right to read other nodes directly. Then it is not known what they lack. */
const accessDenied = 497;

/**
 * Statements that make the tables of a database on those nodes of a cluster that lack them, as the others have them:
 * a node that was added later. None where nothing is missing, or where the database is nowhere yet.
 */
export async function statementsForNewNodes(
  client: ClickHouseClient,
  database: string,
  cluster: string,
): Promise<string[]> {
  // Columns that were added later are in the longest definition only.
  const sql = `SELECT name, argMax(create_table_query, length(create_table_query)),
      count() < (SELECT count() FROM clusterAllReplicas({cluster:String}, system.one))
    FROM clusterAllReplicas({cluster:String}, system.tables)
    WHERE database = {db:String} AND (engine LIKE '%MergeTree' OR engine = 'Distributed')
    GROUP BY name ORDER BY any(engine) = 'Distributed', name`;
  const settings = { skip_unavailable_shards: 1 };
  try {
    const params = { db: database, cluster };
    const { columns, rows } = await client.query(sql, { params, settings, timeoutMs: statementTimeoutMs });
    const [, definitions = [], missing = []] = columns;
    const lacking = Array.from({ length: rows }, (_, row) => row).filter((row) => Number(missing[row]) === 1);
    if (lacking.length === 0) return [];
    const where = ` ON CLUSTER ${quoteName(cluster)}`;
    return [
      `CREATE DATABASE IF NOT EXISTS ${quoteName(database)}${where}`,
      ...lacking.map((row) => onEveryNode(String(definitions[row]), where)),
    ];
  } catch (error) {
    if (error instanceof TelemetryError && error.engineCode === accessDenied) return [];
    throw error;
  }
}

/** `CREATE TABLE db.name (…` as the server prints it. */
function onEveryNode(definition: string, where: string): string {
  return definition.replace(/^CREATE TABLE (\S+)/, (_, name: string) => `CREATE TABLE IF NOT EXISTS ${name}${where}`);
}
