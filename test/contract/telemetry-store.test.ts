import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/kernel/clock.ts';
import { randomIds } from '../../src/kernel/ids.ts';
import { sampledColumns } from '../../src/query/sampled-traces.ts';
import { BatchWriter } from '../../src/telemetry/batch-writer.ts';
import type { ClickHouseClient, StatementOptions } from '../../src/telemetry/clickhouse-client.ts';
import { ClickHouseQueryRunner } from '../../src/telemetry/clickhouse-query-runner.ts';
import { type BlockInserter, TelemetryError, type TelemetryErrorKind } from '../../src/telemetry/ports.ts';
import { type Topology, telemetryTables } from '../../src/telemetry/schema/render-ddl.ts';
import { ClickHouseTelemetryDatabases } from '../../src/telemetry/schema/telemetry-databases.ts';
import { ClickHouseTableSchemas } from '../../src/telemetry/table-schemas.ts';
import { Random } from '../query/brute-force/random.ts';
import { afterFile } from '../support/after-file.ts';
import { encodedLogs, logBlock, nativeBlock } from '../support/native-block.ts';
import { engineLibrary, startPlainServer } from '../support/plain-server/start-plain-server.ts';
import { isOnServer, serverClient, serverUnderTest } from '../support/server-engine.ts';
import { openEngine } from '../support/start-engine.ts';

const server = serverUnderTest();
const library = engineLibrary();
const seed = Number(process.env.SEED ?? 20_261_129);
/** Long: the instants in these tests must not expire under them. */
const retention = { logs: 3_650, traces: 3_650, metrics: 3_650 };

describe.skipIf(isOnServer)('the embedded engine', () => {
  telemetryStoreSuite(async () => (await openEngine()).client, { kind: 'embedded' });
});

describe.skipIf(isOnServer || !library)("ClickHouse's own server, out of the engine's library", () => {
  const open = async () => serverClient(await startPlainServer(library ?? expect.unreachable()));
  telemetryStoreSuite(open, { kind: 'single' });
});

describe.runIf(isOnServer)('a ClickHouse server', () => {
  telemetryStoreSuite(async () => serverClient(server ?? expect.unreachable()), { kind: 'single' });
});

describe.runIf(isOnServer && server?.topology.kind === 'cluster')('a ClickHouse cluster', () => {
  telemetryStoreSuite(async () => serverClient(server ?? expect.unreachable()), server?.topology ?? { kind: 'single' });

  it.runIf(server?.other)('a node that was added later gets the tables that the others have', async () => {
    const { endpoint, other, topology } = server ?? expect.unreachable();
    const [first, added] = [serverClient({ endpoint }), serverClient({ endpoint: other ?? expect.unreachable() })];
    const cluster = topology.kind === 'cluster' ? topology.cluster : expect.unreachable();
    const database = `test_${randomBytes(6).toString('hex')}`;
    const run = (client: ClickHouseClient, sql: string) => client.command(sql, { timeoutMs: 60_000 });
    afterFile(() => run(first, `DROP DATABASE IF EXISTS ${database} ON CLUSTER ${cluster}`));
    await new ClickHouseTelemetryDatabases(first, topology, retention).ensure(database);
    for (const table of ['otel_logs_local', 'otel_logs'])
      await run(first, `ALTER TABLE ${database}.${table} ON CLUSTER ${cluster} ADD COLUMN Later String`);
    await run(added, `DROP DATABASE ${database} SYNC`);

    for (const client of [first, added]) {
      await new ClickHouseTelemetryDatabases(client, topology, retention).ensure(database);
      const tables = `SELECT count(), countIf(position(create_table_query, 'Later') > 0) FROM system.tables WHERE database = '${database}'`;
      const { columns } = await added.query(tables, { timeoutMs: 20_000 });
      expect(columns.map(([value]) => Number(value))).toEqual([telemetryTables.length * 2, 2]);
    }
    const { columns } = await first.query(`SELECT count(Later) FROM ${database}.otel_logs`, { timeoutMs: 20_000 });
    expect(Number(columns[0]?.[0])).toBe(0);
  });
});

/** What telemetry needs of a store, whichever it is (decisions E1: one client, one behaviour). */
function telemetryStoreSuite(open: () => Promise<ClickHouseClient>, topology: Topology): void {
  let client: ClickHouseClient;
  const isCluster = topology.kind === 'cluster';
  /** Where a server has its own rows. */
  const stored = (table: string) => (isCluster ? `${table}_local` : table);
  const database = `test_${randomBytes(6).toString('hex')}`;
  const newDatabases = (days = retention) => new ClickHouseTelemetryDatabases(client, topology, days);

  beforeAll(async () => {
    client = await open();
    // Before the client is closed.
    afterFile(() => client.command(drop, { timeoutMs: 60_000 }));
    await newDatabases().ensure(database);
  });
  const drop = `DROP DATABASE IF EXISTS ${database}${isCluster ? ` ON CLUSTER ${topology.cluster}` : ''}`;

  const rowsOf = async (sql: string, options: Partial<StatementOptions> = {}) => {
    const { columns, rows } = await client.query(sql, { timeoutMs: 20_000, ...options });
    return Array.from({ length: rows }, (_, row) => columns.map((column) => column[row]));
  };
  const cell = async (sql: string, options?: Partial<StatementOptions>) => (await rowsOf(sql, options))[0]?.[0];
  const insertLogs = (bodies: string[], token: string) =>
    client.insert({ database, table: 'otel_logs', blocks: [logBlock(bodies)], token });

  describe('tables', () => {
    it('decisions S2: have the columns that the OpenTelemetry exporter writes', async () => {
      const schemas = new ClickHouseTableSchemas(client, systemClock);
      for (const table of telemetryTables) {
        const live = await schemas.describe(database, table.name);
        expect([...(live?.columns.keys() ?? [])]).toEqual(table.columns.map(([name]) => name));
      }
      expect(await schemas.describe(database, 'nothing')).toBeUndefined();
    });

    it.each([
      ['(a, `b.c`, d)', ['a']],
      ['(a, d, toDate(t))', ['a', 'd']],
      ['(a, t)', ['a', 't']],
      ['a', ['a']],
      ['lower(a)', []],
      ['tuple()', []],
    ])('name the columns that they are sorted by: %s', async (orderBy, expected) => {
      const sorted = `${database}_sorted`;
      const command = (sql: string) => client.command(sql, { timeoutMs: 10_000 });
      await command(`CREATE DATABASE ${sorted}`);
      await command(
        `CREATE TABLE ${sorted}.events (a String, \`b.c\` String, d String, t DateTime) ENGINE = MergeTree ORDER BY ${orderBy}`,
      );
      const live = await new ClickHouseTableSchemas(client, systemClock).describe(sorted, 'events');
      await command(`DROP DATABASE ${sorted}`);
      expect(live?.sortColumns).toEqual(expected);
    });

    it('can be ensured again, with a changed retention', async () => {
      await newDatabases({ ...retention, logs: 7 }).ensure(database);
      const definition = `SELECT engine_full FROM system.tables WHERE database = '${database}' AND name = '${stored('otel_logs')}'`;
      expect(await cell(definition)).toContain('TTL TimestampTime + toIntervalDay(7)');
      await newDatabases().ensure(database);
      expect(await cell(definition)).toContain('TTL TimestampTime + toIntervalDay(3650)');
    });

    it.skipIf(isCluster)(
      'decisions E4: a table that a foreign collector made is completed, its rows stay',
      async () => {
        const foreign = `${database}_f`;
        await client.command(`CREATE DATABASE ${foreign}`, { timeoutMs: 10_000 });
        await client.command(
          `CREATE TABLE ${foreign}.otel_logs (Timestamp DateTime64(9), TimestampTime DateTime DEFAULT toDateTime(Timestamp),
          TraceId String, SeverityText LowCardinality(String), ServiceName LowCardinality(String), Body String,
          ResourceAttributes Map(LowCardinality(String), String), ScopeAttributes Map(LowCardinality(String), String),
          LogAttributes Map(LowCardinality(String), String))
        ENGINE = MergeTree ORDER BY (ServiceName, TimestampTime)`,
          { timeoutMs: 10_000 },
        );
        const row = `INSERT INTO ${foreign}.otel_logs (Timestamp, Body, ResourceAttributes) SELECT now64(9), 'old', map('k8s.pod.name', 'p1')`;
        await client.command(row, { timeoutMs: 10_000 });
        await newDatabases().ensure(foreign);
        await client.command(row, { timeoutMs: 10_000 });
        const read = 'SELECT Body, EventName, `__hdx_materialized_k8s.pod.name` AS pod, ResourceAttributeItems';
        expect(await rowsOf(`${read} FROM ${foreign}.otel_logs`)).toEqual([
          ['old', '', 'p1', ['k8s.pod.name=p1']],
          ['old', '', 'p1', ['k8s.pod.name=p1']],
        ]);
        await client.command(`DROP DATABASE ${foreign}`, { timeoutMs: 10_000 });
      },
    );

    it.skipIf(isCluster)('spans from before the sample of traces are in it as those that come after', async () => {
      const older = `${database}_s`;
      const command = (sql: string) => client.command(sql, { timeoutMs: 10_000 });
      await newDatabases().ensure(older);
      for (const column of Object.values(sampledColumns)) {
        await command(`ALTER TABLE ${older}.otel_traces DROP COLUMN ${column}`);
      }
      const rows = `INSERT INTO ${older}.otel_traces (Timestamp, TraceId, SpanId, ParentSpanId, SpanKind, ServiceName, SpanAttributes)
        SELECT now64(9), toString(number), 's', if(number % 3 = 0, '', 'p'), 'Client', 'a', map('db.system', 'redis') FROM numbers(200)`;
      await command(rows);
      await newDatabases().ensure(older);
      await command(rows);
      const { span, parent, system } = sampledColumns;
      const sample = `SELECT TraceId, count() AS rows, uniqExact(${span}, ${parent}, ${system}) AS kinds, any(${system}) AS called
        FROM ${older}.otel_traces WHERE ${span} != 0 GROUP BY TraceId`;
      const found = await rowsOf(sample);
      await command(`DROP DATABASE ${older}`);
      expect(found.length).toBeGreaterThan(2);
      expect(new Set(found.map(([, count, kinds, called]) => `${count} ${kinds} ${called}`))).toEqual(
        new Set(['2 1 database redis']),
      );
    });

    it.each(['default', 'Otel', 'a-b', 'a`; DROP', ''])('rejects the database name %j', async (name) => {
      await expect(newDatabases().ensure(name)).rejects.toThrow(TypeError);
    });
  });

  describe('inserts', () => {
    it('take Native blocks by column names, cast them, and fill what they do not name', async () => {
      await client.insert({
        database,
        table: 'otel_logs',
        token: 'by-name',
        blocks: [logBlock(['first by-name', 'second by-name']), logBlock(['third by-name'])],
      });
      const read = `SELECT Body, ServiceName, LogAttributes['body'], LogAttributeItems, toDateTime(Timestamp) = TimestampTime
        FROM ${database}.otel_logs WHERE Body LIKE '%by-name' ORDER BY Body`;
      expect(await rowsOf(read)).toEqual([
        ['first by-name', 'test', 'first by-name', ['body=first by-name'], 1],
        ['second by-name', 'test', 'second by-name', ['body=second by-name'], 1],
        ['third by-name', 'test', 'third by-name', ['body=third by-name'], 1],
      ]);
    });

    it('decisions E1: the same token adds its rows once', async () => {
      // The same rows: on a cluster they go to the same shards.
      const batch = {
        database,
        table: 'otel_logs',
        blocks: [logBlock(['once a', 'once b'])],
        token: 'once-1',
      } as const;
      for (let time = 0; time < 3; time++) await client.insert(batch);
      await insertLogs(['once a'], 'once-2');
      expect(await cell(`SELECT count() FROM ${database}.otel_logs WHERE Body LIKE 'once%'`)).toBe(3);
    });

    it('decisions E3: a request that is sent again after an unknown outcome is stored once, in whatever batch', async () => {
      const random = new Random(seed);
      const unreliable: BlockInserter = {
        insert: async (batch) => {
          const chance = random.next();
          if (chance < 0.3) throw new TelemetryError('unavailable', 'the connection was lost before');
          await client.insert(batch);
          if (chance < 0.6) throw new TelemetryError('unavailable', 'the connection was lost after');
        },
      };
      const limits = { ageMaxMs: 20, aloneRowsMin: 50, retryForMs: 100 };
      const writer = new BatchWriter({ inserter: unreliable, clock: systemClock, ids: randomIds, limits });
      const send = async (id: number): Promise<void> => {
        const rows = id % 5 === 0 ? 50 : 3;
        const bodies = Array.from({ length: rows }, (_, row) => `again ${id} ${row}`);
        const block = encodedLogs(bodies, startNs + BigInt(id));
        while (!(await writer.add(database, [block]).then(isAnswered, isNotAnswered)));
      };
      const startNs = BigInt(Date.now()) * 1_000_000n;
      await Promise.all(Array.from({ length: 30 }, (_, id) => send(id)));
      const counts = `SELECT count(), uniqExact(Body) FROM ${database}.otel_logs WHERE Body LIKE 'again %'`;
      const sent = 6 * 50 + 24 * 3;
      expect(await rowsOf(counts)).toEqual([[sent, sent]]);
      await writer.close();
    });

    it('keep every byte, whatever the data looks like', async () => {
      const bodies = [
        'a\n\nDROP TABLE x',
        "'; --",
        '\0\t\\N',
        '\n\n',
        '日本語 🚦',
        `INSERT\n\nDROP DATABASE ${database}`,
      ];
      await insertLogs(bodies, 'bytes');
      const read = `SELECT LogAttributes['body'] FROM ${database}.otel_logs WHERE has({bodies:Array(String)}, Body)`;
      const literal = `[${bodies.map((body) => `'${body.replace(/[\\']/g, '\\$&')}'`).join(',')}]`;
      const found = await rowsOf(read, { params: { bodies: literal } });
      expect(found.map(([body]) => body).sort()).toEqual([...bodies].sort());
    });

    it('reject data that is not a block, and keep working', async () => {
      const blocks = [Buffer.from('no block at all')];
      await expectKind(client.insert({ database, table: 'otel_logs', blocks, token: 'bad' }), 'failed');
      await insertLogs(['after bad'], 'after-bad');
      expect(await cell(`SELECT count() FROM ${database}.otel_logs WHERE Body = 'after bad'`)).toBe(1);
    });

    it('are found by the text indexes and counted by the projections', async () => {
      await insertLogs(['Connection REFUSED by peer-17'], 'indexed');
      const where = `hasToken(lower(Body), 'refused') AND has(LogAttributeItems, 'body=Connection REFUSED by peer-17')`;
      expect(await cell(`SELECT count() FROM ${database}.otel_logs WHERE ${where}`)).toBe(1);
      const plan = await rowsOf(
        `EXPLAIN indexes = 1 SELECT toStartOfMinute(TimestampTime), ServiceName, count() FROM ${database}.${stored('otel_logs')}
          WHERE toStartOfMinute(TimestampTime) >= toDateTime(0) GROUP BY 1, 2`,
      );
      expect(plan.flat().join('\n')).toContain('minute_counts');
      const hours = await rowsOf(
        `EXPLAIN indexes = 1 SELECT toStartOfHour(TimestampTime, 'UTC') AS hour, count() FROM ${database}.${stored('otel_logs')}
          WHERE toStartOfHour(TimestampTime, 'UTC') >= toDateTime(0, 'UTC') GROUP BY hour`,
      );
      expect(hours.flat().join('\n')).toContain('hour_counts');
    });
  });

  describe('queries', () => {
    it.each([
      ['String', "it's a \\ tab\t, line\nbreak and \\N"],
      ['String', ''],
      ['LowCardinality(String)', '\\t'],
      ['UInt64', '18446744073709551615'],
      ['Int64', '-5'],
      ['Float64', '0.25'],
      ['DateTime64(9)', '2026-01-02 03:04:05.123456789'],
    ])('take a %s parameter as it is: %j', async (type, value) => {
      expect(await cell(`SELECT toString({p:${type}})`, { params: { p: value } })).toBe(value);
    });

    it('take arrays and maps as literals', async () => {
      const params = { a: String.raw`['it\'s', 'a\\b']`, m: `{'k':'v'}` };
      const sql = 'SELECT {a:Array(String)} AS a, {m:Map(String, String)} AS m';
      expect(await rowsOf(sql, { params })).toEqual([[["it's", 'a\\b'], { k: 'v' }]]);
    });

    it('never run a parameter as SQL', async () => {
      const params = { p: "x'); DROP DATABASE otel; --" };
      expect(await cell('SELECT length({p:String})', { params })).toBe(params.p.length);
    });

    it('answer by columns, 64-bit integers as numbers, NaN and infinities as null', async () => {
      const sql = 'SELECT number AS n, nan AS x, -inf AS y, toUInt64(9007199254740991) AS big FROM numbers(2)';
      const { elapsedMs: _, ...answer } = await client.query(sql, { timeoutMs: 10_000 });
      expect(answer).toEqual({
        names: ['n', 'x', 'y', 'big'],
        types: ['UInt64', 'Float64', 'Float64', 'UInt64'],
        columns: [
          [0, 1],
          [null, null],
          [null, null],
          [9007199254740991, 9007199254740991],
        ],
        rows: 2,
        rowsRead: 2,
        bytesRead: expect.any(Number),
      });
    });

    it('have separate settings that no other inherits', async () => {
      const sql = `SELECT getSetting('max_threads') AS threads, getSetting('max_block_size') AS size`;
      const before = await rowsOf(sql);
      const settings = { max_threads: 3, max_block_size: 777 };
      const all = await Promise.all(
        Array.from({ length: 8 }, (_, at) => rowsOf(sql, at % 2 === 0 ? { settings } : {})),
      );
      expect(all.filter((_, at) => at % 2 === 0)).toEqual(Array(4).fill([[3, 777]]));
      expect(all.filter((_, at) => at % 2 === 1)).toEqual(Array(4).fill(before));
    });

    it.each([
      ['a missing table', 'SELECT 1 FROM system.nothing_here', {}, 'failed'],
      ['a syntax error', 'SELEC 1', {}, 'failed'],
      ['too many result rows', 'SELECT number FROM numbers(100)', { max_result_rows: 10 }, 'limit'],
      ['too many rows to read', 'SELECT sum(number) FROM numbers(1000000)', { max_rows_to_read: 10 }, 'limit'],
      [
        'too much memory',
        'SELECT groupArray(number) FROM numbers(50000000)',
        { max_memory_usage: 20_000_000 },
        'limit',
      ],
    ] as const)('%s is an error of its kind', async (_, sql, settings, kind) => {
      await expectKind(client.query(sql, { settings, timeoutMs: 20_000 }), kind);
    });

    it.each([
      ['INSERT', `INSERT INTO ${database}.otel_logs (Body) VALUES ('x')`],
      ['DDL', `DROP TABLE ${database}.otel_logs`],
      ['SET', 'SET max_threads = 1'],
      ['reading files', `SELECT * FROM file('/etc/passwd', 'LineAsString')`],
      ['reading URLs', `SELECT * FROM url('http://127.0.0.1:1/', 'LineAsString')`],
      ['lifting readonly', 'SELECT 1 SETTINGS readonly = 0'],
    ])('decisions E2: a read cannot do %s', async (_, sql) => {
      await expectKind(client.query(sql, { timeoutMs: 10_000 }), 'failed');
      expect(await cell(`SELECT count() FROM system.tables WHERE database = '${database}'`)).toBe(
        telemetryTables.length * (isCluster ? 2 : 1),
      );
    });

    it.each(['SELECT 1; SELECT 2', `SELECT 1; DROP TABLE ${database}.otel_logs`, 'SELECT 1;\n\nSELECT 2', ''])(
      'decisions E2: several statements, or none, are rejected: %j',
      async (sql) => {
        await expectKind(client.query(sql, { timeoutMs: 10_000 }), 'failed');
        await expectKind(client.command(sql, { timeoutMs: 10_000 }), 'failed');
        expect(await cell('SELECT 42')).toBe(42);
      },
    );
  });

  describe('ending early', () => {
    const endless = (mark: string) => `SELECT count() FROM numbers(1000000000000) WHERE NOT ignore('${mark}', number)`;
    const running = (mark: string) =>
      cell(
        `SELECT count() FROM system.processes WHERE position(query, '${mark}') > 0 AND query NOT LIKE '%processes%'`,
      );

    it('U-99: a time-out ends the query here and in the engine', async () => {
      await expectKind(client.query(endless('mark-timeout'), { timeoutMs: 300 }), 'timeout');
      await expect.poll(() => running('mark-timeout')).toBe(0);
    });

    it('U-99, decisions C6: an abort kills the query inside the engine', async () => {
      const stop = new AbortController();
      const query = client.query(endless('mark-abort'), { timeoutMs: 60_000, signal: stop.signal });
      const refused = expectKind(query, 'cancelled');
      await expect.poll(() => running('mark-abort')).toBe(1);
      stop.abort();
      await refused;
      await expect.poll(() => running('mark-abort')).toBe(0);
    });

    it('an abort at whatever moment leaves nothing running', async () => {
      const untilSent = async (turns: number) => {
        for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
      };
      for (let turns = 0; turns < 400; turns += 5) {
        const stop = new AbortController();
        const query = client.query(endless('mark-early'), { timeoutMs: 60_000, signal: stop.signal });
        const refused = expectKind(query, 'cancelled');
        await untilSent(turns);
        stop.abort();
        await refused;
      }
      await expect.poll(() => running('mark-early')).toBe(0);
    });

    it('an abort before the query began is one too', async () => {
      await expectKind(client.query('SELECT 1', { timeoutMs: 1_000, signal: AbortSignal.abort() }), 'cancelled');
    });

    it('a heavy class of queries does not delay a small query of another', async () => {
      const runner = new ClickHouseQueryRunner(client, systemClock, {
        widths: { interactive: 1, alerts: 1, background: 1 },
      });
      const stop = new AbortController();
      const run = (sql: string, queryClass: 'interactive' | 'background', signal?: AbortSignal) =>
        runner.run({ sql, params: {}, settings: {} }, { queryClass, timeoutMs: 30_000, ...(signal ? { signal } : {}) });
      const heavy = [run(endless('mark-heavy'), 'background', stop.signal), run('SELECT 1', 'background', stop.signal)];
      const refused = heavy.map((query) => expectKind(query, 'cancelled'));
      expect((await run('SELECT 7 AS n', 'interactive')).columns).toEqual([[7]]);
      stop.abort();
      await Promise.all(refused);
      expect((await run('SELECT 8 AS n', 'background')).columns).toEqual([[8]]);
    });
  });

  it('a nested column arrives under its dotted name', async () => {
    const block = nativeBlock([
      { name: 'Timestamp', type: 'DateTime64(9)', values: [1_770_000_000_000_000_000n] },
      { name: 'SpanName', type: 'String', values: ['GET /'] },
      { name: 'Duration', type: 'UInt64', values: [12n] },
      { name: 'SpanAttributes', type: 'Map(String, String)', values: [{ 'http.route': '/' }] },
    ]);
    await client.insert({ database, table: 'otel_traces', blocks: [block], token: 'span' });
    const read = `SELECT SpanName, Duration, Events.Name, SpanAttributeItems FROM ${database}.otel_traces`;
    expect(await rowsOf(read)).toEqual([['GET /', 12, [], ['http.route=/']]]);
  });
}

const isAnswered = () => true;
const isNotAnswered = () => false;

async function expectKind(promise: Promise<unknown>, kind: TelemetryErrorKind): Promise<void> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(TelemetryError);
  expect(error).toMatchObject({ kind });
}
