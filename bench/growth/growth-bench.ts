import { join } from 'node:path';
import { type ChartData, openFilled, ownDatabase } from '../charts/chart-data.ts';
import { logLoads } from '../charts/telemetry-data.ts';
import { cpuMsOf, peakMb } from '../process-usage.ts';
import { Program, sourceIdsOf, withFolder } from '../program.ts';
import type { Row } from '../report.ts';
import { median } from '../statistics.ts';
import { type Question, questionsOf } from './questions.ts';

export const smallMillions = 2;
export const largeMillions = 100;
const rounds = 5;
const warmRounds = 3;
/** A round repeats a question until about so much time is spent, so that the kernel's 10 ms ticks do not hide short ones. */
const roundCpuMs = 200;
const repeatsMax = 20;

/** What charts, searches, facets and traces cost when there are fifty times as many logs. */
export function benchGrowth(dataDir: string | undefined): Promise<Row[]> {
  return dataDir === undefined ? withFolder(compareSizes) : compareSizes(dataDir);
}

async function compareSizes(folder: string): Promise<Row[]> {
  const small = await measureSize(folder, smallMillions);
  const large = await measureSize(folder, largeMillions);
  return large.map(({ name, unit, value }, index) => {
    const bound = small[index]?.value ?? Number.NaN;
    return { name, unit, subject: value, bound, ratio: value / bound, goal: '–' };
  });
}

interface Figure {
  name: string;
  unit: string;
  value: number;
}

async function measureSize(folder: string, millions: number): Promise<Figure[]> {
  const data = await openFilled(join(folder, `${millions}m`), millions, {
    databases: [ownDatabase],
    loads: (database, endSeconds) => logLoads(database, millions, endSeconds),
  });
  try {
    return await withFolder((programFolder) => measureOn(programFolder, data));
  } finally {
    await data.engine.stop();
  }
}

async function measureOn(folder: string, { engine, endMs }: ChartData): Promise<Figure[]> {
  // A promoted attribute would be written for every row first.
  const env = { SIGNALBOX_CLICKHOUSE_URL: engine.url, SIGNALBOX_ATTRIBUTE_COLUMNS_MAX: '0' };
  const program = await Program.start(folder, env);
  try {
    const questions = await questionsOf({ program, client: engine.client, sources: await sourceIdsOf(program), endMs });
    for (const { ask } of questions) for (let round = 0; round < warmRounds; round++) await ask();
    const pids = [program.pid, engine.pid];
    const figures: Figure[] = [];
    for (const question of questions) figures.push(await measure(question, pids));
    return [...figures, { name: 'most memory of the engine', unit: 'MB', value: peakMb(engine.pid) }];
  } finally {
    await program.stop();
  }
}

async function measure({ name, ask }: Question, pids: readonly number[]): Promise<Figure> {
  const cost = async (repeats: number) => {
    const before = cpuMsOf(pids);
    for (let turn = 0; turn < repeats; turn++) await ask();
    return (cpuMsOf(pids) - before) / repeats;
  };
  const repeats = Math.min(repeatsMax, Math.ceil(roundCpuMs / Math.max(1, await cost(1))));
  const costs: number[] = [];
  for (let round = 0; round < rounds; round++) costs.push(await cost(repeats));
  return { name, unit: 'CPU ms', value: median(costs) };
}
