import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engineFolder } from '../../src/app/embedded-engine.ts';
import { readEndpoint } from '../../src/engine/endpoint-file.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { randomIds } from '../../src/kernel/ids.ts';
import { RecordingLogger } from '../../src/kernel/recording-logger.ts';
import { ClickHouseDestination } from '../../src/pipes/destination/clickhouse-destination.ts';
import { FakePipeRuns } from '../../src/pipes/fake-pipe-runs.ts';
import type { PipeDefinition } from '../../src/pipes/pipe-definition.ts';
import { noPipeMetrics } from '../../src/pipes/pipe-metrics.ts';
import { PostgresConnector } from '../../src/pipes/postgres/postgres-connector.ts';
import { connectorsOf } from '../../src/pipes/run-check.ts';
import { PipeSupervisor } from '../../src/pipes/supervisor.ts';
import { FakePipeRepository } from '../../src/resources/pipes/fake-pipe-repository.ts';
import type { PipeFields } from '../../src/resources/pipes/pipe.ts';
import type { PipeCommand } from '../../src/resources/pipes/pipe-transitions.ts';
import { TelemetryError } from '../../src/telemetry/ports.ts';
import { FaultyProxy } from '../support/faulty-proxy.ts';
import { type PostgresServer, startPostgresServer } from '../support/postgres-server.ts';
import { newEngineClient, openEngine, type TestEngine } from '../support/start-engine.ts';
import { startProgram } from '../support/start-program.ts';
import { seededRandom, sourceRows, targetRows, Workload, workloadTables } from './postgres-workload.ts';

const serviceId = '0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d';
const seed = Number(process.env.SIGNALBOX_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));

let server: PostgresServer;
let proxy: FaultyProxy;
let engine: TestEngine;
const worlds = new Set<World>();

beforeAll(async () => {
  [server, engine] = await Promise.all([startPostgresServer({ isLogical: true }), openEngine()]);
  const { hostname, port } = new URL(server.url);
  proxy = new FaultyProxy({ host: hostname, port: Number(port) });
  await proxy.listen();
});
afterAll(async () => {
  for (const world of worlds) await world.end();
  await proxy.close();
  await server.stop();
});

/** One database of PostgreSQL, one of the engine, and a pipe between them. */
class World {
  readonly name = `pg${worlds.size + 1}`;
  readonly pipeId = randomIds.uuid();
  readonly pipes = new FakePipeRepository();
  readonly runs = new FakePipeRuns(this.pipes);
  readonly logger = new RecordingLogger();
  readonly connector = new PostgresConnector({
    guard: { addressFor: async (host) => host },
    clock: systemClock,
  });
  client = new pg.Client();
  fields: PipeFields = { name: '', state: '' };
  /** The table store does not answer. */
  isTargetAway = false;
  #supervisor: PipeSupervisor | undefined;

  async make(ddl: string): Promise<void> {
    worlds.add(this);
    const admin = new pg.Client(server.url);
    await admin.connect();
    await admin.query(`CREATE DATABASE ${this.name}`);
    await admin.end();
    this.client = new pg.Client(server.url.replace(/\/postgres$/, `/${this.name}`));
    await this.client.connect();
    await this.client.query(ddl);
  }

  definition(change: { settings?: object; tables: object[] }) {
    const { username, password } = new URL(server.url);
    return {
      name: 'orders',
      state: 'Running',
      destination: { database: 'default' },
      source: {
        postgres: {
          host: '127.0.0.1',
          port: proxy.port,
          database: this.name,
          disableTls: true,
          credentials: { username, password },
          settings: { syncIntervalSeconds: 1, ...change.settings },
          tableMappings: change.tables.map((table) => ({ sourceSchemaName: 'public', ...table })),
        },
      },
    };
  }

  async write(fields: ReturnType<World['definition']>): Promise<void> {
    this.fields = fields;
    const at = new Date().toISOString();
    const pipe = { id: this.pipeId, createdAt: at, updatedAt: at, fields };
    if ((await this.pipes.insert(serviceId, pipe)) === 'idTaken') await this.pipes.replace(serviceId, pipe);
  }

  start(): void {
    this.#supervisor = new PipeSupervisor({
      connectors: connectorsOf([this.connector]),
      destinationOf: async () => this.#destination(),
      // What the test writes is a valid pipe.
      open: ({ pipe, generation }) => ({ ...pipe.fields, id: pipe.id, serviceId, generation }) as PipeDefinition,
      leases: this.runs,
      ledger: this.runs,
      metrics: noPipeMetrics,
      clock: systemClock,
      logger: this.logger,
      owner: randomIds.uuid(),
      errorsMax: 10,
      pipesMax: 4,
      leaseMs: 10_000,
      lookMs: 50,
      firstRetryMs: 100,
      random: () => 0.5,
    });
    this.#supervisor.start();
  }

  #destination(): ClickHouseDestination {
    const { topology, client } = engine;
    return new ClickHouseDestination({
      statements: {
        query: (sql, options) => client.query(sql, options),
        command: (sql, options) => client.command(sql, options),
        insertRaw: async (insert) => {
          if (this.isTargetAway) throw new TelemetryError('unavailable', 'the store is away');
          return client.insertRaw(insert);
        },
      },
      place: { database: this.name, ...(topology.kind === 'cluster' && { cluster: topology.cluster }) },
      ensureDatabase: () => engine.databases.ensure(this.name),
      settings: {},
      clock: systemClock,
    });
  }

  opened(): PipeDefinition {
    // What the test writes is a valid pipe.
    return { ...this.fields, id: this.pipeId, serviceId, generation: 0 } as PipeDefinition;
  }

  /** Slots and publications in the database. */
  async ownObjects(): Promise<string[]> {
    const { rows } = await this.client.query<{ name: string }>(
      `SELECT slot_name AS name FROM pg_replication_slots WHERE database = current_database()
       UNION ALL SELECT pubname FROM pg_publication`,
    );
    return rows.map(({ name }) => name);
  }

  command(command: PipeCommand) {
    const order = { serviceId, pipeId: this.pipeId, family: 'database', given: 'Running', nowMs: Date.now() } as const;
    return this.runs.command({ ...order, command });
  }

  async run() {
    return (await this.pipes.find(serviceId, this.pipeId))?.run;
  }

  async becomes(state: string): Promise<void> {
    await expect
      .poll(async () => {
        const run = await this.run();
        return run?.state === state ? state : `${run?.state} ${run?.reason ?? ''} ${JSON.stringify(this.logger)}`;
      })
      .toBe(state);
  }

  query = (sql: string, options: { timeoutMs: number }) => engine.client.query(sql, options);

  async rows(sql: string): Promise<unknown[][]> {
    const { columns, rows } = await engine.client.query(sql.replaceAll('DB', this.name), { timeoutMs: 60_000 });
    return Array.from({ length: rows }, (_, row) => columns.map((column) => column[row]));
  }

  async equal(): Promise<void> {
    await expect
      .poll(async () => targetRows(this.query, this.name).catch(() => []), { interval: 300 })
      .toEqual(await sourceRows(this.client));
  }

  async stop(): Promise<void> {
    await this.#supervisor?.stop();
    this.#supervisor = undefined;
  }

  async end(): Promise<void> {
    await this.stop();
    await this.client.end();
  }
}

const workloadMappings = [
  { sourceTable: 'items', targetTable: 'items', excludedColumns: ['secret'] },
  { sourceTable: 'events', targetTable: 'events', useCustomSortingKey: true, sortingKeys: ['tenant', 'number'] },
];

async function workloadWorld(settings: object = {}): Promise<{ world: World; workload: Workload }> {
  const world = new World();
  await world.make(workloadTables);
  const workload = new Workload(seededRandom(seed));
  for (let step = 0; step < 60; step++) await workload.step(world.client);
  const all = { allowNullableColumns: true, snapshotNumRowsPerPartition: 1_000, ...settings };
  await world.write(world.definition({ settings: all, tables: workloadMappings }));
  return { world, workload };
}

describe(`rows with FINAL equal the rows of PostgreSQL (SIGNALBOX_TEST_SEED=${seed})`, () => {
  it('under random changes, from the snapshot on; what the pipe made is removed with it', async () => {
    const { world, workload } = await workloadWorld();
    world.start();
    for (let step = 0; step < 200; step++) await workload.step(world.client);
    await world.equal();
    await world.becomes('Running');
    const left = "SELECT count() FROM system.columns WHERE database = 'DB' AND name = 'secret'";
    expect(await world.rows(left)).toEqual([[0]]);
    await world.stop();
    await world.connector.remove(world.opened());
    expect(await world.ownObjects()).toEqual([]);
  });

  it('while the source goes away and comes back, and the target too', async () => {
    const { world, workload } = await workloadWorld({ pullBatchSize: 20 });
    world.start();
    for (const failure of ['refused', 'reset'] as const) {
      for (let step = 0; step < 40; step++) await workload.step(world.client);
      await proxy.set(failure);
      if (failure === 'refused') await world.becomes('Degraded');
      for (let step = 0; step < 20; step++) await workload.step(world.client);
      await proxy.set('none');
      await world.equal();
      world.isTargetAway = true;
      await world.client.query("INSERT INTO events VALUES ('t9', 10000000, '{}', 1)");
      await world.becomes('Degraded');
      world.isTargetAway = false;
      await world.equal();
      await world.client.query('DELETE FROM events WHERE number >= 10000000');
    }
    await world.becomes('Running');
  });

  it('after a resync, in which rows that are gone from the source go from the target as well', async () => {
    const { world, workload } = await workloadWorld();
    world.start();
    await world.equal();
    await world.stop();
    // What happens without a slot is never sent.
    await world.connector.remove(world.opened());
    await world.client.query('DELETE FROM items WHERE id % 2 = 0');
    for (let step = 0; step < 30; step++) await workload.step(world.client);
    world.start();
    await world.becomes('Failed');
    expect((await world.run())?.reason).toMatch(/resync/);
    await world.command('resync');
    await world.equal();
  });

  it('kill -9 of the program at random doubles and loses nothing', async () => {
    const kills = Number(process.env.SIGNALBOX_TEST_KILLS ?? 5);
    const { world, workload } = await workloadWorld({ pullBatchSize: 10 });
    const random = seededRandom(seed + 1);
    const dataDir = mkdtempSync(join(tmpdir(), 'signalbox-pipes-'));
    const service = { id: serviceId, name: 'production', pipes: [{ id: world.pipeId, ...world.fields }] };
    const provisioning = { organizations: [{ id: randomIds.uuid(), name: 'Acme', services: [service] }] };
    const env = { SIGNALBOX_FLAVOUR: 'managed', SIGNALBOX_ROLES: 'pipes' };
    for (let round = 0; round < kills; round++) {
      const program = await startProgram({ env, dataDir, provisioning });
      // The lease of the process before has run out, and this one reads.
      const isReading = round === 0 ? 'SELECT count(*) > 0 AS ok' : 'SELECT bool_or(active) AS ok';
      const slots = `${isReading} FROM pg_replication_slots WHERE database = current_database()`;
      await expect.poll(async () => (await world.client.query(slots)).rows, { interval: 20 }).toEqual([{ ok: true }]);
      const steps = Math.floor(random() * 150);
      for (let step = 0; step < steps; step++) await workload.step(world.client);
      await program.kill('SIGKILL');
    }
    const program = await startProgram({ env, dataDir, provisioning });
    const endpoint = readEndpoint(engineFolder(dataDir));
    const client = newEngineClient({ endpoint });
    const rows = () => targetRows((sql, options) => client.query(sql, options), 'otel').catch(String);
    await expect.poll(rows, { interval: 500 }).toEqual(await sourceRows(world.client));
    await client.close();
    await program.stop();
    rmSync(dataDir, { recursive: true });
  });
});

describe('values, columns and modes', () => {
  it('rows that ClickHouse cannot hold go to the error table, the others flow, in the snapshot and afterwards', async () => {
    const world = new World();
    await world.make(`CREATE TABLE odd (id int PRIMARY KEY, amount numeric, grid int[], at timestamp);
      INSERT INTO odd VALUES (1, 1.5, '{1,2}', '2026-01-01'), (2, 'NaN', NULL, NULL), (3, 3, '{{1},{2}}', NULL)`);
    await world.write(world.definition({ tables: [{ sourceTable: 'odd' }] }));
    world.start();
    await expect.poll(() => world.rows('SELECT id FROM DB.odd FINAL').catch(String)).toEqual([[1]]);
    await world.becomes('Running');
    await world.client.query(`INSERT INTO odd VALUES (4, 'NaN', NULL, NULL),
      (5, -0.25, '{}', '2026-01-01 00:00:00.123456'), (6, 1, NULL, 'infinity')`);
    await expect.poll(() => world.rows('SELECT id FROM DB.odd FINAL ORDER BY id')).toEqual([[1], [5]]);
    const errors = await world.rows('SELECT position, record FROM DB.odd_pipe_errors ORDER BY record');
    expect(errors).toEqual([
      [expect.stringMatching(/^public\.odd, partition .*, row 2$/), expect.stringMatching(/^2\tNaN\t/)],
      [expect.stringMatching(/row 3$/), expect.stringMatching(/^3\t3\t\{\{1\},\{2\}\}/)],
      [expect.stringMatching(/^[0-9A-F]+\/[0-9A-F]+$/), expect.stringMatching(/^4\tNaN/)],
      [expect.any(String), expect.stringMatching(/^6\t1\t\\N\tinfinity/)],
    ]);
  });

  it('a column that is added is added to the target; without allowNullableColumns NULL is the default of its type', async () => {
    const world = new World();
    await world.make('CREATE TABLE grown (id int PRIMARY KEY, name text); INSERT INTO grown VALUES (1, NULL)');
    await world.write(world.definition({ tables: [{ sourceTable: 'grown', targetTable: 'kept' }] }));
    world.start();
    await world.becomes('Running');
    await world.client.query("INSERT INTO grown VALUES (2, 'b')");
    await world.client.query('ALTER TABLE grown ADD COLUMN size bigint, DROP COLUMN name');
    await world.client.query('INSERT INTO grown VALUES (3, 30)');
    await world.client.query('UPDATE grown SET size = 10 WHERE id = 1');
    await expect
      .poll(() => world.rows('SELECT id, name, size FROM DB.kept FINAL ORDER BY id').catch(String))
      .toEqual([
        [1, '', 10],
        [2, 'b', 0],
        [3, '', 30],
      ]);
  });

  it('snapshot completes and leaves nothing in PostgreSQL; deleteOnMerge false shows deleted rows', async () => {
    const world = new World();
    await world.make('CREATE TABLE many (id int PRIMARY KEY); INSERT INTO many SELECT generate_series(1, 25000)');
    const settings = { replicationMode: 'snapshot', snapshotNumRowsPerPartition: 1000, deleteOnMerge: false };
    await world.write(world.definition({ settings, tables: [{ sourceTable: 'many' }] }));
    world.start();
    await world.becomes('Completed');
    expect(await world.rows('SELECT count(), uniqExact(id) FROM DB.many')).toEqual([[25_000, 25_000]]);
    expect(await world.ownObjects()).toEqual([]);
    await world.client.query('DELETE FROM many WHERE id > 10');
    await world.command('resync');
    await expect
      .poll(() => world.rows('SELECT _peerdb_is_deleted, count() FROM DB.many FINAL GROUP BY 1 ORDER BY 1'))
      .toEqual([
        [0, 10],
        [1, 24_990],
      ]);
  });

  it('cdc_only with a given slot and publication: later changes only, all kept by MergeTree; both stay', async () => {
    const world = new World();
    await world.make(`CREATE TABLE log (id int PRIMARY KEY, n int); INSERT INTO log VALUES (1, 1);
      CREATE PUBLICATION mine FOR TABLE log;`);
    const slot = `given_${world.name}`;
    await world.client.query(`SELECT pg_create_logical_replication_slot('${slot}', 'pgoutput')`);
    await world.client.query('UPDATE log SET n = 2; UPDATE log SET n = 3');
    const settings = { replicationMode: 'cdc_only', replicationSlotName: slot, publicationName: 'mine' };
    await world.write(world.definition({ settings, tables: [{ sourceTable: 'log', tableEngine: 'MergeTree' }] }));
    world.start();
    await expect.poll(() => world.rows('SELECT n FROM DB.log ORDER BY n').catch(String)).toEqual([[2], [3]]);
    await world.stop();
    await world.connector.remove(world.opened());
    expect(await world.ownObjects()).toEqual([slot, 'mine']);
    // The server notices a moment later that its reader has left.
    const drop = () => world.client.query(`SELECT pg_drop_replication_slot('${slot}')`);
    await expect.poll(() => drop().then(() => 'dropped', String)).toBe('dropped');
  });

  it.each([
    ['a table without a key', 'CREATE TABLE bare (id int)', { sourceTable: 'bare' }, /public\.bare has no primary key/],
    ['a table that is missing', 'SELECT 1', { sourceTable: 'none' }, /PostgreSQL has no table public\.none/],
    [
      'sorting keys that changes do not carry',
      'CREATE TABLE t (id int PRIMARY KEY, day date)',
      { sourceTable: 't', sortingKeys: ['day', 'id'] },
      /needs REPLICA IDENTITY FULL, because day/,
    ],
    [
      'sorting keys by which rows replace each other',
      'CREATE TABLE t (id int PRIMARY KEY, day date)',
      { sourceTable: 't', sortingKeys: ['day'] },
      /needs id among its sortingKeys/,
    ],
  ])('%s fails the pipe with a sentence', async (_, ddl, table, reason) => {
    const world = new World();
    await world.make(ddl);
    await world.write(world.definition({ tables: [table] }));
    world.start();
    await world.becomes('Failed');
    expect((await world.run())?.reason).toMatch(reason);
    expect(await world.ownObjects()).toEqual([]);
  });

  it('a wrong password fails the pipe without a word of it', async () => {
    const world = new World();
    await world.make('CREATE TABLE t (id int PRIMARY KEY)');
    const fields = world.definition({ tables: [{ sourceTable: 't' }] });
    fields.source.postgres.credentials.password = 'not-the-password';
    await world.write(fields);
    world.start();
    await world.becomes('Failed');
    const reason = (await world.run())?.reason;
    expect(reason).toBe('PostgreSQL does not accept the user name or the password.');
  });
});
