import { type ClickHouseClient, insertSettingNames } from './clickhouse-client.ts';
import { TelemetryError } from './ports.ts';

/** How one ClickHouse server, or the embedded engine, is doing. */
export interface TelemetryInspection {
  version: string;
  nowMs: number;
  /** Damaged or set aside: their rows are missing from every answer. */
  detachedParts: number;
  /** `database.table` of mutations that failed and block later ones. */
  failedMutations: readonly string[];
  /** `database.table` of replicas that take no writes. */
  readonlyReplicas: readonly string[];
  /** `database.table` of replicas that are more than `behindMaxS` behind. */
  replicasBehind: readonly string[];
  /** What of the wanted rights the user lacks; absent where the server cannot say. */
  missingRights?: readonly string[];
  /** Settings of inserts that the user may not change. */
  fixedSettings: readonly string[];
  /** Shards and replicas of the cluster that was asked for. */
  cluster?: { shards: number; replicas: number };
}

export interface InspectionOptions {
  database: string;
  cluster?: string | undefined;
  /** Ask what the user may do; the embedded engine has no users. */
  hasUsers: boolean;
}

type Client = Pick<ClickHouseClient, 'query' | 'ask'>;

const timeoutMs = 10_000;
const behindMaxS = 60;
const rights = ['SELECT', 'INSERT', 'CREATE TABLE', 'ALTER TABLE'];

/** Throws `TelemetryError` if the server cannot be asked at all. */
export async function inspectTelemetry(client: Client, options: InspectionOptions): Promise<TelemetryInspection> {
  const [version = '', nowMs = '0'] = await readRow(client, 'SELECT version(), toUnixTimestamp64Milli(now64(3))');
  const { database, cluster } = options;
  const missingRights = options.hasUsers ? await findMissingRights(client, database) : undefined;
  return {
    version,
    nowMs: Number(nowMs),
    detachedParts: Number((await optional(client, 'SELECT toString(count()) FROM system.detached_parts'))[0] ?? 0),
    failedMutations: await optional(
      client,
      `SELECT DISTINCT concat(database, '.', table) FROM system.mutations WHERE NOT is_done AND latest_fail_reason != ''`,
    ),
    readonlyReplicas: await optional(
      client,
      `SELECT concat(database, '.', table) FROM system.replicas WHERE is_readonly`,
    ),
    replicasBehind: await optional(
      client,
      `SELECT concat(database, '.', table) FROM system.replicas WHERE absolute_delay > ${behindMaxS}`,
    ),
    fixedSettings: options.hasUsers ? await findFixedSettings(client) : [],
    ...(missingRights && { missingRights }),
    ...(cluster !== undefined && { cluster: await readCluster(client, cluster) }),
  };
}

async function readCluster(client: Client, cluster: string): Promise<{ shards: number; replicas: number }> {
  const sql = 'SELECT uniqExact(shard_num), count() FROM system.clusters WHERE cluster = {cluster:String}';
  const { columns } = await client.query(sql, { timeoutMs, params: { cluster } });
  return { shards: Number(columns[0]?.[0] ?? 0), replicas: Number(columns[1]?.[0] ?? 0) };
}

/** Asked outside of the read-only mode, which takes rights away. Servers before 24.11 do not know the statement. */
async function findMissingRights(client: Client, database: string): Promise<string[] | undefined> {
  const missing: string[] = [];
  try {
    for (const right of rights) {
      // Names of databases are letters, digits and underscores (`SIGNALBOX_CLICKHOUSE_DATABASE`).
      const answer = await client.ask(`CHECK GRANT ${right} ON ${database}.*`, { timeoutMs });
      if (answer.trim() !== '1') missing.push(right);
    }
    return missing;
  } catch (error) {
    if (error instanceof TelemetryError && error.kind === 'failed') return undefined;
    throw error;
  }
}

/** Asked outside of the read-only mode too, in which no setting may be changed. */
async function findFixedSettings(client: Client): Promise<string[]> {
  const names = insertSettingNames.map((name) => `'${name}'`).join(', ');
  const sql = `SELECT name FROM system.settings WHERE readonly AND name IN (${names}) FORMAT TabSeparated`;
  const answer = await client.ask(sql, { timeoutMs });
  return answer.split('\n').filter((name) => name !== '');
}

async function readRow(client: Client, sql: string): Promise<string[]> {
  const { columns } = await client.query(sql, { timeoutMs });
  return columns.map((column) => String(column[0]));
}

/** The first column; nothing where the user may not ask, or the server has no such table. */
async function optional(client: Client, sql: string): Promise<string[]> {
  try {
    const { columns } = await client.query(sql, { timeoutMs });
    return (columns[0] ?? []).map(String);
  } catch (error) {
    if (error instanceof TelemetryError && error.kind === 'failed') return [];
    throw error;
  }
}
