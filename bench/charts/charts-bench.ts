import type { QueryResult } from '../../src/telemetry/ports.ts';
import { type BenchEngine, untilColumnsSeen } from '../bench-engine.ts';
import { cpuMs } from '../process-usage.ts';
import { Program, type SourceIds, sourceIdsOf, withFolder } from '../program.ts';
import type { Row } from '../report.ts';
import { geometricMean, median } from '../statistics.ts';
import { chartBody } from './chart-body.ts';
import { chartBounds } from './chart-bounds.ts';
import { exporterDatabase, openChartData } from './chart-data.ts';
import { type ChartRequest, chartRequests } from './chart-requests.ts';
import { type ChartAnswer, differenceOf } from './same-answer.ts';

const rounds = 5;
/** A round repeats a request until about so much time is spent, so that the kernel's 10 ms ticks do not hide short ones. */
const roundCpuMs = 200;
const repeatsMax = 20;
/** Enough for the program to promote the attributes of the charts to columns, and for its code for long answers to be compiled. */
const warmRounds = 30;
/** Of a small chart, so that the program's own code is compiled by then. */
const warmAsks = 1_000;

export interface ChartsOptions {
  scale: number;
  /** Where the data is, or is put, and stays; a folder of the run's own when absent. */
  dataDir: string | undefined;
  /** Ids of the requests to measure; all of them when absent. */
  only: readonly string[] | undefined;
}

/**
 * Each chart over the API, CPU of the program and its engine together, against the best statement by hand on the
 * exporter's tables, engine only. Both run on one engine and take turns. The program takes the engine for a server
 * that others may write to, so it remembers no buckets.
 */
export function benchCharts(options: ChartsOptions): Promise<Row[]> {
  const { dataDir } = options;
  return dataDir === undefined ? withFolder((folder) => benchOn(folder, options)) : benchOn(dataDir, options);
}

async function benchOn(dataFolder: string, { scale, only }: ChartsOptions): Promise<Row[]> {
  const requests = chartRequests.filter(({ id }) => only === undefined || only.includes(id));
  const { engine, endMs } = await openChartData(dataFolder, scale);
  try {
    return await withFolder(async (folder) => {
      const program = await Program.start(folder, { SIGNALBOX_CLICKHOUSE_URL: engine.url });
      try {
        const context = { engine, program, sources: await sourceIdsOf(program), endMs };
        for (const request of requests) await assertSameAnswer(request, context);
        await warmUp(requests, context);
        const measured: Measured[] = [];
        for (const request of requests) measured.push(await benchChart(request, context));
        return [...measured.map(({ row }) => row), ...summaries(measured)];
      } finally {
        await program.stop();
      }
    });
  } finally {
    await engine.stop();
  }
}

interface BenchContext {
  engine: BenchEngine;
  program: Program;
  sources: SourceIds;
  endMs: number;
}

/** As a program that has been up for an hour. */
async function warmUp(requests: readonly ChartRequest[], context: BenchContext): Promise<void> {
  for (const request of requests) {
    const { ask } = questions(request, context);
    for (let round = 0; round < warmRounds; round++) await ask();
  }
  const [small] = chartRequests.filter(({ id }) => id === 'R15');
  if (small) {
    const { ask } = questions(small, context);
    for (let round = 0; round < warmAsks; round++) await ask();
  }
  await untilColumnsSeen(context.engine);
}

/** CPU of one request, in milliseconds. */
interface Cost {
  program: number;
  engine: number;
}

interface Measured {
  row: Row;
  /** What of it the engine took. */
  engineMs: number;
}

async function benchChart(request: ChartRequest, context: BenchContext): Promise<Measured> {
  const { ask, askBound } = questions(request, context);
  const cost = (run: () => Promise<unknown>, repeats: number) => costOf(context, run, repeats);
  const warm = [await cost(askBound, 1), await cost(ask, 1)].map(total);
  const repeats = Math.min(repeatsMax, Math.ceil(roundCpuMs / Math.max(1, ...warm)));
  const subjects: Cost[] = [];
  const bounds: Cost[] = [];
  for (let round = 0; round < rounds; round++) {
    bounds.push(await cost(askBound, repeats));
    subjects.push(await cost(ask, repeats));
  }
  const subject = median(subjects.map(total));
  // The client of the statement is the bench itself, which counts as no cost.
  const bound = median(bounds.map(({ engine }) => engine));
  const engineMs = median(subjects.map(({ engine }) => engine));
  const row = {
    name: `${request.id} ${request.what}`,
    unit: `CPU ms (engine ${engineMs.toFixed(1)})`,
    subject,
    bound,
    ratio: bound / subject,
    goal: bound < 15 ? '6 ms more' : '≥ 0.8',
  };
  return { row, engineMs };
}

async function assertSameAnswer(request: ChartRequest, context: BenchContext): Promise<void> {
  const { ask, askBound } = questions(request, context);
  const answer = await ask();
  if (answer.meta.cache !== 'off') throw new Error(`${request.id}: the cache was ${answer.meta.cache}`);
  const difference = differenceOf(answer, await askBound(), request.tolerance ?? 1e-9);
  if (difference) throw new Error(`${request.id}: ${difference}`);
}

function questions(request: ChartRequest, { engine, program, sources, endMs }: BenchContext) {
  const body = chartBody(request, sources, endMs);
  const sql = chartBounds(exporterDatabase)[request.id]?.({ startMs: body.startTime, endMs });
  if (sql === undefined) throw new Error(`no bound for ${request.id}`);
  const settings = { use_query_condition_cache: 0 };
  return {
    ask: () => program.call('POST', '/api/v2/charts/series', body) as Promise<ChartAnswer>,
    askBound: (): Promise<QueryResult> => engine.client.query(sql, { timeoutMs: 60_000, settings }),
  };
}

async function costOf({ engine, program }: BenchContext, run: () => Promise<unknown>, repeats: number): Promise<Cost> {
  const before = { program: cpuMs(program.pid), engine: cpuMs(engine.pid) };
  for (let turn = 0; turn < repeats; turn++) await run();
  return {
    program: (cpuMs(program.pid) - before.program) / repeats,
    engine: (cpuMs(engine.pid) - before.engine) / repeats,
  };
}

function total({ program, engine }: Cost): number {
  return program + engine;
}

function summaries(measured: readonly Measured[]): Row[] {
  const rows = measured.map(({ row }) => row);
  const sum = (figures: readonly number[]) => figures.reduce((whole, each) => whole + each, 0);
  const subject = sum(rows.map((row) => row.subject));
  const engineMs = sum(measured.map((each) => each.engineMs));
  return [
    {
      name: 'geometric mean of the ratios; sums',
      unit: 'CPU ms',
      subject,
      bound: sum(rows.map((row) => row.bound ?? 0)),
      ratio: geometricMean(rows.map((row) => row.ratio ?? 1)),
      goal: '≥ 3',
    },
    {
      name: 'sum; bound: its statements alone, without the program; ratio = measured / bound',
      unit: 'CPU ms',
      subject,
      bound: engineMs,
      ratio: subject / engineMs,
      goal: '≤ 1.1',
    },
  ];
}
