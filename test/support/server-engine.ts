import { systemClock } from '../../src/kernel/clock.ts';
import { randomIds } from '../../src/kernel/ids.ts';
import { quoteName } from '../../src/kernel/sql-quoting.ts';
import { ClickHouseClient, type StatementOptions } from '../../src/telemetry/clickhouse-client.ts';
import { type Endpoint, parseEndpoints, RoundRobinEndpoints } from '../../src/telemetry/endpoints.ts';
import type { TelemetryDatabases } from '../../src/telemetry/ports.ts';
import type { RetentionDays, Topology } from '../../src/telemetry/schema/render-ddl.ts';
import { ClickHouseTelemetryDatabases } from '../../src/telemetry/schema/telemetry-databases.ts';
import { afterFile } from './after-file.ts';

/** A ClickHouse server for tests, and how its tables are laid out. */
export interface ServerUnderTest {
  endpoint: Endpoint;
  /** Of a node in another shard, if one is known. */
  other?: Endpoint;
  topology: Topology;
}

/**
 * The server that the environment names, `undefined` without. Of several addresses the first is used: what was just
 * written through a node can be read there, while another replica may still have to fetch it.
 */
export function serverUnderTest(env = process.env): ServerUnderTest | undefined {
  const { SIGNALBOX_TEST_CLICKHOUSE_URL: urls = '', SIGNALBOX_TEST_CLICKHOUSE_CLUSTER: cluster = '' } = env;
  const [endpoint, other] = parseEndpoints(urls);
  if (!endpoint) return undefined;
  return {
    endpoint,
    ...(other && { other }),
    topology: cluster === '' ? { kind: 'single' } : { kind: 'cluster', cluster },
  };
}

/** What tests insert by separate statements has reached its shards when the statement is over. */
class ForegroundClient extends ClickHouseClient {
  override command(sql: string, options: StatementOptions): Promise<void> {
    return super.command(sql, { ...options, settings: { distributed_foreground_insert: 1, ...options.settings } });
  }
}

/** The file runs in the project `server`: against the server that the environment names. */
export const isOnServer = process.env.SIGNALBOX_TEST_PROJECT === 'server';

/** For one test file, closed after it. */
export function serverClient({ endpoint }: Pick<ServerUnderTest, 'endpoint'>): ClickHouseClient {
  const endpoints = new RoundRobinEndpoints([endpoint]);
  const client = new ForegroundClient({ endpoints, clock: systemClock, ids: randomIds });
  afterFile(() => client.close());
  return client;
}

/** Databases that exist for one test file: files use the same names, one after the other. */
export class OwnDatabases implements TelemetryDatabases {
  readonly #client: ClickHouseClient;
  readonly #topology: Topology;
  readonly #databases: ClickHouseTelemetryDatabases;
  readonly #made = new Map<string, Promise<void>>();

  constructor(client: ClickHouseClient, topology: Topology, retention: RetentionDays) {
    this.#client = client;
    this.#topology = topology;
    this.#databases = new ClickHouseTelemetryDatabases(client, topology, retention);
  }

  ensure(database: string): Promise<void> {
    const made = this.#made.get(database) ?? this.#drop(database);
    this.#made.set(database, made);
    return made.then(() => this.#databases.ensure(database));
  }

  async dropAll(): Promise<void> {
    for (const database of this.#made.keys()) await this.#drop(database);
  }

  #drop(database: string): Promise<void> {
    const where = this.#topology.kind === 'cluster' ? ` ON CLUSTER ${quoteName(this.#topology.cluster)}` : '';
    return this.#client.command(`DROP DATABASE IF EXISTS ${quoteName(database)}${where} SYNC`, { timeoutMs: 60_000 });
  }
}
