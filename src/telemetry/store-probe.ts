import type { Clock } from '../kernel/clock.ts';
import { quoteName } from '../kernel/sql-quoting.ts';
import { StoreUnavailableError } from '../kernel/store-unavailable-error.ts';
import type { ClickHouseClient } from './clickhouse-client.ts';
import { storeFailureOf } from './engine-errors.ts';
import { TelemetryError } from './ports.ts';

export interface StoreProbeDeps {
  client: Pick<ClickHouseClient, 'query' | 'command'>;
  /** Holds the probe's table. */
  database: string;
  /** Its tables are written to with the coordination of ZooKeeper. */
  cluster?: string;
  clock: Clock;
}

const timeoutMs = 2_500;
/** A write makes a part; while all is well, not every look needs one. */
const writeEveryMs = 5_000;
const unknownTable: ReadonlySet<number | undefined> = new Set([60, 81]);

/** Finds out whether the telemetry store can read and write right now. */
export class StoreProbe {
  readonly #deps: StoreProbeDeps;
  readonly #table: string;
  #writtenAtMs: number | undefined;

  constructor(deps: StoreProbeDeps) {
    this.#deps = deps;
    this.#table = `${quoteName(deps.database)}.signalbox_write_probe`;
  }

  /** Throws `StoreUnavailableError`. */
  async ask(): Promise<void> {
    const { client, clock } = this.#deps;
    try {
      await client.query('SELECT 1', { timeoutMs });
      const nowMs = clock.nowMs();
      if (this.#writtenAtMs !== undefined && Math.abs(nowMs - this.#writtenAtMs) < writeEveryMs) return;
      this.#writtenAtMs = undefined;
      await this.#write();
      await this.#checkReplicas();
      this.#writtenAtMs = nowMs;
    } catch (error) {
      if (!(error instanceof TelemetryError)) throw error;
      throw new StoreUnavailableError('telemetry', storeFailureOf(error), error.engineCode?.toString());
    }
  }

  /** Without coordination no replica takes rows; the probe's table needs none. A single replica has others beside it. */
  async #checkReplicas(): Promise<void> {
    const { client, cluster, database } = this.#deps;
    if (cluster === undefined) return;
    const params = { cluster, db: database };
    const sql =
      'SELECT min(is_readonly), count() FROM cluster({cluster:String}, system.replicas) WHERE database = {db:String}';
    const [readonly, tables] = (await client.query(sql, { params, timeoutMs })).columns.map((column) =>
      Number(column[0]),
    );
    if (readonly === 1 && tables !== 0) throw new StoreUnavailableError('telemetry', 'read_only');
  }

  async #write(): Promise<void> {
    const { client } = this.#deps;
    const insert = `INSERT INTO ${this.#table} SELECT now()`;
    try {
      await client.command(insert, { timeoutMs });
    } catch (error) {
      if (!(error instanceof TelemetryError) || !unknownTable.has(error.engineCode)) throw error;
      await client.command(`CREATE DATABASE IF NOT EXISTS ${quoteName(this.#deps.database)}`, { timeoutMs });
      const columns = '(at DateTime) ENGINE = MergeTree ORDER BY tuple() TTL at + INTERVAL 1 HOUR';
      await client.command(`CREATE TABLE IF NOT EXISTS ${this.#table} ${columns}`, { timeoutMs });
      await client.command(insert, { timeoutMs });
    }
  }
}
