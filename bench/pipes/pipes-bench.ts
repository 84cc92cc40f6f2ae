import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { KafkaServer } from '../../test/support/kafka-server.ts';
import { startPostgresServer } from '../../test/support/postgres-server.ts';
import { untilMerged } from '../bench-engine.ts';
import { cpuMs } from '../process-usage.ts';
import { withFolder } from '../program.ts';
import type { Row } from '../report.ts';
import { median } from '../statistics.ts';
import { columns, jsonLines } from './order-rows.ts';
import { PipeProgram } from './pipe-program.ts';

const rows = 1_200_000;
const rounds = 3;
const objects = 12;
const partitions = 6;
/** Records that a producer sends together. */
const recordsPerBatch = 1_000;
const blockBytes = 32 * 1024 ** 2;
const timeoutMs = 120_000;
const structure = columns.map(({ name, type }) => `${name} ${type}`).join(', ');

interface Comparison {
  name: string;
  goal: string;
  /** The pipe that fills this table. */
  pipe: (table: string) => object;
  /** The same rows into this table without the program; answers the CPU of its client in milliseconds. */
  bound: (table: string) => Promise<number>;
  close: () => Promise<void>;
}

/** Rows per CPU-second of pipes, against a bare engine or a bare client that does the same. */
export function benchPipes(): Promise<Row[]> {
  return withFolder(async (folder) => {
    const program = await PipeProgram.start(folder);
    const lines = jsonLines(0, rows);
    const figures: Row[] = [];
    for (const make of [fromObjects, fromObjectsByEngine, fromKafka, fromPostgres]) {
      const comparison = await make(program, lines);
      figures.push(await compare(program, comparison));
      await comparison.close();
    }
    await program.stop();
    return figures;
  });
}

async function compare(program: PipeProgram, { name, goal, pipe, bound }: Comparison): Promise<Row> {
  const { engine } = program;
  const spent: { subject: number[]; bound: number[] } = { subject: [], bound: [] };
  for (let round = 0; round <= rounds; round++) {
    const [ours, theirs] = [`ours_${round}`, `theirs_${round}`];
    await untilMerged(engine);
    const before = program.cpuMs;
    await program.run(pipe(ours), rows);
    const subject = program.cpuMs - before;
    await untilMerged(engine);
    await engine.client.command(`CREATE TABLE otel.${theirs} AS otel.${ours}`, { timeoutMs });
    const engineBefore = cpuMs(engine.pid);
    const client = await bound(theirs);
    const barely = cpuMs(engine.pid) - engineBefore + client;
    await sameRows(program, ours, theirs);
    for (const table of [ours, theirs]) await engine.client.command(`DROP TABLE otel.${table} SYNC`, { timeoutMs });
    if (round === 0) continue;
    spent.subject.push(subject);
    spent.bound.push(barely);
  }
  const subject = rows / (median(spent.subject) / 1000);
  const best = rows / (median(spent.bound) / 1000);
  return { name, unit: 'rows/CPU-s', subject, bound: best, ratio: subject / best, goal };
}

async function sameRows({ engine }: PipeProgram, ours: string, theirs: string): Promise<void> {
  const names = columns.map(({ name }) => name).join(', ');
  const sums = async (table: string) => {
    const sql = `SELECT count(), sum(cityHash64(${names})) FROM otel.${table}`;
    return String((await engine.client.query(sql, { timeoutMs })).columns);
  };
  const [left, right] = [await sums(ours), await sums(theirs)];
  if (left !== right) throw new Error(`the tables differ: ${left} and ${right}`);
}

const destination = (table: string) => ({
  table,
  columns,
  tableDefinition: { engine: { type: 'MergeTree' }, sortingKey: ['id'] },
});

/** Bound: a client that has the objects already sends each as it is. */
async function fromObjects({ engine }: PipeProgram, lines: readonly string[]): Promise<Comparison> {
  const { bodies, url, close } = await serveObjects(lines);
  return {
    name: `${objects} NDJSON objects over HTTP`,
    goal: '≥ 0.6; bound = insert of the same objects from memory, engine and client',
    pipe: (table) => objectsPipe(table, url),
    async bound(table) {
      const before = process.cpuUsage();
      for (const object of bodies) {
        const statement = `INSERT INTO otel.${table} FORMAT JSONEachRow`;
        await engine.client.insertRaw({ statement, body: [object], timeoutMs });
      }
      return spentMs(before);
    },
    close,
  };
}

/** Bound: the engine reads the same URLs, in one thread and in blocks of the same size as the pipe does. */
async function fromObjectsByEngine({ engine }: PipeProgram, lines: readonly string[]): Promise<Comparison> {
  const { bodies, url, close } = await serveObjects(lines);
  const bytes = bodies.reduce((sum, { length }) => sum + length, 0);
  const blockRows = Math.floor((blockBytes * rows) / bytes);
  const blocks = `max_block_size = ${blockRows}, min_insert_block_size_rows = ${blockRows}, min_insert_block_size_bytes = 0`;
  return {
    name: 'the same objects',
    goal: 'for comparison; bound = the engine’s `url` function, engine alone',
    pipe: (table) => objectsPipe(table, url),
    async bound(table) {
      const from = `url('${url}', JSONEachRow, '${structure}')`;
      const statement = `INSERT INTO otel.${table} SELECT * FROM ${from} SETTINGS max_threads = 1, ${blocks}`;
      await engine.client.command(statement, { timeoutMs });
      return 0;
    },
    close,
  };
}

const objectsPipe = (table: string, url: string) => ({
  name: table,
  source: { objectStorage: { url, format: 'JSONEachRow' } },
  destination: destination(table),
});

async function serveObjects(lines: readonly string[]) {
  const perObject = rows / objects;
  const bodies = Array.from({ length: objects }, (_, index) =>
    Buffer.from(`${lines.slice(index * perObject, (index + 1) * perObject).join('\n')}\n`),
  );
  const server = createServer((request, response) => {
    const body = bodies[Number(/\/(\d+)\.json/.exec(request.url ?? '')?.[1])];
    if (!body) return void response.writeHead(404).end();
    const headers = { 'content-length': body.length, etag: `"${request.url}"`, 'accept-ranges': 'bytes' };
    response.writeHead(200, headers).end(request.method === 'HEAD' ? undefined : body);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    bodies,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/{0..${objects - 1}}.json`,
    close: () => new Promise<void>((done) => server.close(() => done())),
  };
}

/** Bound: a client that has the records already sends them in blocks. */
async function fromKafka({ engine }: PipeProgram, lines: readonly string[]): Promise<Comparison> {
  const kafka = await KafkaServer.start();
  const topic = kafka.createTopic('orders', partitions);
  for (let from = 0; from < rows; from += recordsPerBatch) {
    topic.partition((from / recordsPerBatch) % partitions).append(lines.slice(from, from + recordsPerBatch));
  }
  const blocks = blocksOf(lines);
  return {
    name: `Kafka, ${partitions} partitions, JSON`,
    goal: '≥ 0.6; bound = insert of the same lines from memory, engine and client',
    pipe: (table) => ({
      name: table,
      source: { kafka: { brokers: kafka.address, topics: 'orders', consumerGroup: table, format: 'JSONEachRow' } },
      destination: destination(table),
      settings: { streaming_max_insert_wait_ms: 500 },
    }),
    async bound(table) {
      const before = process.cpuUsage();
      for (const block of blocks) {
        const statement = `INSERT INTO otel.${table} FORMAT JSONEachRow`;
        await engine.client.insertRaw({ statement, body: [block], timeoutMs });
      }
      return spentMs(before);
    },
    close: () => kafka.stop(),
  };
}

function blocksOf(lines: readonly string[]): Buffer[] {
  const blocks: Buffer[] = [];
  let from = 0;
  let bytes = 0;
  lines.forEach((line, index) => {
    bytes += line.length + 1;
    if (bytes < blockBytes && index < lines.length - 1) return;
    blocks.push(Buffer.from(`${lines.slice(from, index + 1).join('\n')}\n`));
    [from, bytes] = [index + 1, 0];
  });
  return blocks;
}

/** Bound: `COPY` of the table, its text sent on to the engine in blocks; CPU of PostgreSQL counts for neither. */
async function fromPostgres({ engine }: PipeProgram): Promise<Comparison> {
  const server = await startPostgresServer({ isLogical: true });
  const { hostname: host, port, username, password } = new URL(server.url);
  const client = new pg.Client(server.url);
  await client.connect();
  await client.query(`CREATE TABLE orders (id bigint PRIMARY KEY, at timestamp, service text, level text, message text,
    amount double precision)`);
  await client.query(`INSERT INTO orders SELECT id, to_timestamp(1790000000 + id) AT TIME ZONE 'UTC',
    (ARRAY['cart', 'checkout', 'payment', 'search', 'shipping'])[id % 5 + 1],
    (ARRAY['debug', 'info', 'info', 'info', 'warn', 'error'])[id % 6 + 1],
    'order ' || id::bigint * 7919 || ' of customer ' || id % 9973 || ' was taken after ' || id % 457 || ' ms of waiting',
    (id % 100000) / 100.0 FROM generate_series(0, ${rows - 1}) AS id`);
  await client.query('VACUUM ANALYZE orders');
  const names = columns.map(({ name }) => name).join(', ');
  return {
    name: 'PostgreSQL, snapshot of one table',
    goal: '≥ 0.6; bound = `COPY` to an insert of its text, engine and client',
    pipe: (table) => ({
      name: table,
      source: {
        postgres: {
          ...{ type: 'postgres', host, port: Number(port), database: 'postgres', disableTls: true },
          credentials: { username, password: decodeURIComponent(password) },
          settings: { replicationMode: 'snapshot', initialLoadParallelism: 1 },
          tableMappings: [{ sourceSchemaName: 'public', sourceTable: 'orders', targetTable: table }],
        },
      },
      destination: { database: 'default' },
    }),
    async bound(table) {
      const before = process.cpuUsage();
      const copy = client.query(copyTo(`COPY orders (${names}) TO STDOUT`));
      const insert = (body: Buffer[]) => {
        const statement = `INSERT INTO otel.${table} (${names}) FORMAT TabSeparated`;
        return engine.client.insertRaw({ statement, body, timeoutMs });
      };
      let held: Buffer[] = [];
      let bytes = 0;
      for await (const chunk of copy) {
        held.push(chunk);
        bytes += chunk.length;
        if (bytes < blockBytes) continue;
        // Chunks may end within a row, and a line break is always the end of one.
        const end = chunk.lastIndexOf('\n') + 1;
        await insert([...held.slice(0, -1), chunk.subarray(0, end)]);
        held = [chunk.subarray(end)];
        bytes = chunk.length - end;
      }
      if (held.length > 0) await insert(held);
      return spentMs(before);
    },
    async close() {
      await client.end();
      await server.stop();
    },
  };
}

function spentMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
