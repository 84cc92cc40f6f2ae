import type { ClickHouseClient } from '../clickhouse-client.ts';
import type { TelemetryDatabases } from '../ports.ts';
import {
  type RetentionDays,
  renderAlter,
  renderColumn,
  renderCreateDatabase,
  renderCreateTable,
  renderExpiry,
  renderTableSettings,
  storedTable,
  type Topology,
  telemetryTables,
} from './render-ddl.ts';
import type { TableDefinition } from './table-definition.ts';
import { statementsForNewNodes } from './tables-of-nodes.ts';

const statementTimeoutMs = 60_000;
/** A node that is down makes its tables when it is back; it is waited for, but not for long. */
const clusterSettings = { distributed_ddl_output_mode: 'null_status_on_timeout', distributed_ddl_task_timeout: 10 };

/** What a table has, as the database itself reports it. */
interface LiveTable {
  columns: ReadonlySet<unknown>;
  indexes: ReadonlySet<unknown>;
  projections: ReadonlySet<unknown>;
  definition: string;
  /** Whether the name that is read and written exists; in a cluster that is another table than the stored one. */
  isReachable: boolean;
}

/** Makes tenants' databases and brings older or foreign tables up to the present definition, by addition only. */
export class ClickHouseTelemetryDatabases implements TelemetryDatabases {
  readonly #client: ClickHouseClient;
  readonly #topology: Topology;
  readonly #retention: RetentionDays;
  readonly #ensured = new Map<string, Promise<void>>();

  constructor(client: ClickHouseClient, topology: Topology, retention: RetentionDays) {
    this.#client = client;
    this.#topology = topology;
    this.#retention = retention;
  }

  /** Throws `TypeError` for a name that is not ours, `TelemetryError` if the store fails; may be retried. */
  ensure(database: string): Promise<void> {
    if (!/^[a-z0-9_]{1,64}$/.test(database) || database === 'default') {
      return Promise.reject(new TypeError(`not a name of a telemetry database: ${JSON.stringify(database)}`));
    }
    const known = this.#ensured.get(database);
    if (known) return known;
    const ensuring = this.#make(database).catch((error) => {
      this.#ensured.delete(database);
      throw error;
    });
    this.#ensured.set(database, ensuring);
    return ensuring;
  }

  /** What is there already needs no statement: on a cluster each needs ZooKeeper, which reading does not. */
  async #make(database: string): Promise<void> {
    if (this.#topology.kind === 'cluster') {
      const statements = await statementsForNewNodes(this.#client, database, this.#topology.cluster);
      for (const statement of statements) await this.#command(statement);
    }
    let isMade = false;
    for (const table of telemetryTables) {
      const live = await this.#describe(database, table);
      if (!live && !isMade) await this.#command(renderCreateDatabase(database, this.#topology));
      isMade = true;
      const created = renderCreateTable(database, table, this.#topology, this.#retention);
      const statements = live
        ? [
            ...this.#changes(live, table).flatMap((change) => renderAlter(database, table, this.#topology, change)),
            // A start may have been interrupted between the two tables of a cluster.
            ...(live.isReachable ? [] : created.slice(1)),
          ]
        : created;
      for (const statement of statements) await this.#command(statement);
    }
  }

  #changes(live: LiveTable, table: TableDefinition): string[] {
    const changes: string[] = [];
    for (const column of table.columns) {
      if (!live.columns.has(column[0])) changes.push(`ADD COLUMN IF NOT EXISTS ${renderColumn(column)}`);
    }
    for (const [name, index] of Object.entries(table.indexes)) {
      if (!live.indexes.has(name)) changes.push(`ADD INDEX IF NOT EXISTS ${name} ${index}`);
    }
    for (const [name, projection] of Object.entries(table.projections)) {
      if (!live.projections.has(name)) changes.push(`ADD PROJECTION IF NOT EXISTS ${name} (${projection})`);
    }
    const expiry = renderExpiry(table, this.#retention);
    if (!live.definition.includes(expiry)) changes.push(`MODIFY TTL ${expiry}`);
    const settings = renderTableSettings(this.#topology).split(', ');
    const missing = settings.filter((setting) => !live.definition.includes(setting) && !setting.startsWith('index_'));
    if (missing.length > 0) changes.push(`MODIFY SETTING ${missing.join(', ')}`);
    return changes;
  }

  async #describe(database: string, table: TableDefinition): Promise<LiveTable | undefined> {
    const { columns } = await this.#client.query(
      `SELECT engine_full,
        (SELECT groupArray(name) FROM system.columns WHERE database = {db:String} AND table = {table:String}),
        (SELECT groupArray(name) FROM system.data_skipping_indices WHERE database = {db:String} AND table = {table:String}),
        (SELECT groupArray(name) FROM system.projections WHERE database = {db:String} AND table = {table:String}),
        (SELECT count() FROM system.tables WHERE database = {db:String} AND name = {name:String})
      FROM system.tables WHERE database = {db:String} AND name = {table:String}`,
      {
        params: { db: database, table: storedTable(table, this.#topology), name: table.name },
        timeoutMs: statementTimeoutMs,
      },
    );
    const [definition, names, indexes, projections, reachable] = columns.map((column) => column[0]);
    if (definition === undefined) return undefined;
    return {
      definition: String(definition),
      isReachable: Number(reachable) > 0,
      // `groupArray` answers lists.
      columns: new Set(names as unknown[]),
      indexes: new Set(indexes as unknown[]),
      projections: new Set(projections as unknown[]),
    };
  }

  #command(sql: string): Promise<void> {
    const settings = this.#topology.kind === 'cluster' ? clusterSettings : {};
    return this.#client.command(sql, { settings, timeoutMs: statementTimeoutMs });
  }
}
