import { type BenchEngine, startBenchEngine, untilMerged } from '../bench-engine.ts';
import { chartBody } from '../charts/chart-body.ts';
import { type ChartRequest, chartRequests } from '../charts/chart-requests.ts';
import { shopLoads } from '../charts/telemetry-data.ts';
import { cpuMsOf } from '../process-usage.ts';
import { Program, type SourceIds, sourceIdsOf, withFolder } from '../program.ts';
import type { Row } from '../report.ts';
import { mean } from '../statistics.ts';
import { RecordingEngine } from './recording-engine.ts';
import { benchTranslation } from './translation-bench.ts';

const database = 'otel';
const logRows = 200_000;
/** Short and in turns, so that a machine whose speed changes meanwhile is the same one for both. */
const rounds = 40;
const repeats = 10;
/** Requests until a program runs compiled: each still costs a third more after 1,000. */
const warmUps = 8_000;
/** Little work in the engine, and answers of few and many rows. */
const measured: ReadonlySet<string> = new Set(['R01', 'R02', 'R15', 'R18']);

/** What the service costs beyond the engine's own work. */
export async function benchService(): Promise<Row[]> {
  return [...benchTranslation(), ...(await benchOverhead())];
}

interface BenchContext {
  engine: BenchEngine;
  recording: RecordingEngine;
  program: Program;
  sources: SourceIds;
  endMs: number;
}

function benchOverhead(): Promise<Row[]> {
  return withFolder(async (folder) => {
    const engine = await startBenchEngine(folder);
    const recording = new RecordingEngine(engine.url);
    try {
      const endMs = Math.floor(Date.now() / 3_600_000) * 3_600_000;
      await engine.databases.ensure(database);
      const [logs] = shopLoads(database, logRows / 16e6, endMs / 1000);
      await engine.client.command(logs?.statement(0, logRows) ?? '', { timeoutMs: 300_000 });
      await untilMerged(engine);
      const program = await Program.start(folder, { SIGNALBOX_CLICKHOUSE_URL: await recording.listen() });
      try {
        const context = { engine, recording, program, sources: await sourceIdsOf(program), endMs };
        const rows: Row[] = [];
        for (const request of chartRequests) {
          if (measured.has(request.id)) rows.push(await benchChart(request, context));
        }
        rows.push(await benchRawSql(context));
        return rows;
      } finally {
        await program.stop();
      }
    } finally {
      await recording.close();
      await engine.stop();
    }
  });
}

function benchChart(request: ChartRequest, context: BenchContext): Promise<Row> {
  const { program, sources, endMs } = context;
  const ask = () => program.call('POST', '/api/v2/charts/series', chartBody(request, sources, endMs));
  const name = `${request.id} ${request.what}`;
  return compare({ name, goal: '≤ 1.1 or 0.5 ms more', ask }, context);
}

/** A tile of raw SQL whose statement was checked before. */
async function benchRawSql(context: BenchContext): Promise<Row> {
  const { program, sources, endMs } = context;
  const sourceId = sources.get('log');
  const source = await program.call('GET', `/api/v2/sources/${sourceId}`);
  const { data } = source as { data: { connection: string } };
  const sqlTemplate =
    'SELECT $__timeInterval(Timestamp) AS ts, ServiceName, count() AS events FROM $__sourceTable ' +
    'WHERE $__timeFilter(TimestampTime) AND $__filters GROUP BY ts, ServiceName';
  const config = { configType: 'sql', displayType: 'line', connectionId: data.connection, sourceId, sqlTemplate };
  const body = { startTime: endMs - 3_600_000, endTime: endMs, tiles: [{ ref: 'raw', tile: { config } }] };
  const ask = () => program.call('POST', '/api/v2/charts/tiles', body);
  return compare({ name: 'raw SQL tile', goal: '≤ 3 ms more', ask }, context);
}

interface Measured {
  name: string;
  goal: string;
  ask: () => Promise<unknown>;
}

async function compare({ name, goal, ask }: Measured, { engine, recording, program }: BenchContext): Promise<Row> {
  console.log(`  ${name}`);
  await ask();
  const statements = await recording.record(ask);
  const send = async () => {
    for (const statement of statements) await recording.send(statement);
  };
  const pids = [engine.pid, program.pid];
  const subjects: number[] = [];
  const bounds: number[] = [];
  for (let turn = 0; turn < warmUps; turn++) await ask();
  for (let round = 0; round < rounds; round++) {
    bounds.push(await cpuOf(pids, send));
    subjects.push(await cpuOf(pids, ask));
  }
  const [subject, bound] = [mean(subjects), mean(bounds)];
  return {
    name: `${name}; bound: its statement alone`,
    unit: 'CPU ms',
    subject,
    bound,
    ratio: subject / bound,
    goal,
  };
}

async function cpuOf(pids: readonly number[], run: () => Promise<unknown>): Promise<number> {
  const before = cpuMsOf(pids);
  for (let turn = 0; turn < repeats; turn++) await run();
  return (cpuMsOf(pids) - before) / repeats;
}
