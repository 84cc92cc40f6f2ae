import { type BenchEngine, startBenchEngine } from '../bench-engine.ts';
import { cpuMsOf } from '../process-usage.ts';
import { Program, withFolder } from '../program.ts';
import type { Row } from '../report.ts';
import { geometricMean, median } from '../statistics.ts';
import { chartBounds } from './chart-bounds.ts';
import { type ChartRequest, chartRequests } from './chart-requests.ts';
import { shopLoads } from './telemetry-data.ts';

const rounds = 5;
const rowsPerStatement = 100_000;
const database = 'otel';

/**
 * Each chart over the API, CPU of the program and its engine together, against a hand-written statement for the same
 * answer on the same tables. Both run on one engine and take turns.
 */
export async function benchCharts(scale: number): Promise<Row[]> {
  return withFolder(async (folder) => {
    const endSeconds = Math.floor(Date.now() / 3_600_000) * 3600;
    const engine = await startBenchEngine(folder);
    const program = await loadAndStart({ engine, folder, scale, endSeconds }).catch(async (error) => {
      await engine.stop();
      throw error;
    });
    const rows: Row[] = [];
    try {
      const surroundings = { engine, program, sources: await sourceIds(program), endMs: endSeconds * 1000 };
      for (const request of chartRequests) rows.push(await benchChart(request, surroundings));
    } finally {
      await program.stop();
      await engine.stop();
    }
    return [...rows, summary(rows)];
  });
}

interface Loading {
  engine: BenchEngine;
  folder: string;
  scale: number;
  endSeconds: number;
}

async function loadAndStart({ engine, folder, scale, endSeconds }: Loading): Promise<Program> {
  await engine.databases.ensure(database);
  await load(engine, scale, endSeconds);
  return Program.start(folder, { SIGNALBOX_CLICKHOUSE_URL: engine.url });
}

interface Surroundings {
  engine: BenchEngine;
  program: Program;
  sources: ReadonlyMap<string, string>;
  endMs: number;
}

async function benchChart(request: ChartRequest, { engine, program, sources, endMs }: Surroundings): Promise<Row> {
  const range = { startMs: endMs - request.hours * 3_600_000, endMs };
  const statement = chartBounds(database)[request.id];
  if (!statement) throw new Error(`no bound for ${request.id}`);
  const sql = statement(range);
  const series = request.series.map((one) => ({ ...one, sourceId: sources.get(request.source) }));
  const body = { startTime: range.startMs, endTime: range.endMs, granularity: request.granularity, series };
  const settings = { use_query_condition_cache: 0 };
  const runBound = () => engine.client.query(sql, { timeoutMs: 60_000, settings });
  const runSubject = () => program.call('POST', '/api/v2/charts/series', body);
  const pids = [engine.pid, program.pid];
  const boundMs: number[] = [];
  const subjectMs: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const bound = await cpuOf([engine.pid], runBound);
    const subject = await cpuOf(pids, runSubject);
    if (round === 0) continue; // warm-up
    boundMs.push(bound);
    subjectMs.push(subject);
  }
  const [subject, bound] = [median(subjectMs), median(boundMs)];
  return { name: `${request.id} ${request.what}`, unit: 'CPU ms', subject, bound, ratio: subject / bound, goal: '≈ 1' };
}

/** CPU of a few runs, so that the kernel's 10 ms ticks do not hide short ones. */
async function cpuOf(pids: readonly number[], run: () => Promise<unknown>): Promise<number> {
  const repeats = 5;
  const before = cpuMsOf(pids);
  for (let turn = 0; turn < repeats; turn++) await run();
  return (cpuMsOf(pids) - before) / repeats;
}

async function load(engine: BenchEngine, scale: number, endSeconds: number): Promise<void> {
  for (const { table, rows, statement } of shopLoads(database, scale, endSeconds)) {
    console.log(`  ${rows.toLocaleString('en-US')} rows into ${table}`);
    for (let first = 0; first < rows; first += rowsPerStatement) {
      await engine.client.command(statement(first, Math.min(rowsPerStatement, rows - first)), { timeoutMs: 300_000 });
    }
  }
}

async function sourceIds(program: Program): Promise<ReadonlyMap<string, string>> {
  const { data } = (await program.call('GET', '/api/v2/sources')) as { data: { id: string; kind: string }[] };
  return new Map(data.map(({ kind, id }) => [kind, id]));
}

function summary(rows: readonly Row[]): Row {
  const sum = (pick: (row: Row) => number) => rows.reduce((total, row) => total + pick(row), 0);
  const ratio = geometricMean(rows.map((row) => row.ratio ?? 1));
  return {
    name: 'geometric mean of the ratios; sums',
    unit: 'CPU ms',
    subject: sum((row) => row.subject),
    bound: sum((row) => row.bound ?? 0),
    ratio,
    goal: '≈ 1',
  };
}
