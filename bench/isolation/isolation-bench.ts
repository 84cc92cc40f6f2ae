import { join } from 'node:path';
import { startBenchEngine } from '../bench-engine.ts';
import { shopLoads } from '../charts/telemetry-data.ts';
import { Program, sourceIdsOf, withFolder } from '../program.ts';
import type { Row } from '../report.ts';
import { median, percentile } from '../statistics.ts';
import { Disturbance } from './disturbance.ts';

const rounds = 3;
const chartsPerRound = 60;
const rowsPerStatement = 100_000;
const hourMs = 3_600_000;

/** How long a small chart takes beside a heavy scan and ingest, against alone. */
export function benchIsolation(scale: number): Promise<Row[]> {
  return withFolder(async (folder) => {
    const endMs = Math.floor(Date.now() / hourMs) * hourMs;
    await load(join(folder, 'telemetry'), scale, endMs / 1000);
    const program = await Program.start(folder);
    try {
      return await compare(program, endMs);
    } finally {
      await program.stop();
    }
  });
}

async function compare(program: Program, endMs: number): Promise<Row[]> {
  const sourceId = (await sourceIdsOf(program)).get('log') ?? '';
  let asked = 0;
  const smallChart = () => {
    // Holds for every row, and makes each question a new one.
    const series = [{ sourceId, aggFn: 'count', where: `NOT ServiceName:"none ${++asked}"`, groupBy: ['ServiceName'] }];
    const body = { startTime: endMs - hourMs / 12, endTime: endMs, granularity: '30s', series };
    return program.call('POST', '/api/v2/charts/series', body);
  };
  const alone: number[] = [];
  const beside: number[] = [];
  await p95Of(smallChart); // warm-up
  for (let round = 0; round < rounds; round++) {
    alone.push(await p95Of(smallChart));
    const disturbance = Disturbance.start(program, { sourceId, endMs });
    beside.push(await p95Of(smallChart));
    await disturbance.stop();
  }
  const [subject, bound] = [median(beside), median(alone)];
  const name = 'p95 of a small chart beside a heavy scan and ingest; bound: alone';
  return [{ name, unit: 'ms', subject, bound, ratio: subject / bound, goal: '≤ 3' }];
}

async function p95Of(run: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < chartsPerRound; turn++) {
    const startedMs = performance.now();
    await run();
    times.push(performance.now() - startedMs);
  }
  return percentile(times, 0.95);
}

async function load(dataDir: string, scale: number, endSeconds: number): Promise<void> {
  const engine = await startBenchEngine(dataDir);
  await engine.databases.ensure('otel');
  const [logs] = shopLoads('otel', scale, endSeconds);
  for (let first = 0; logs && first < logs.rows; first += rowsPerStatement) {
    const statement = logs.statement(first, Math.min(rowsPerStatement, logs.rows - first));
    await engine.client.command(statement, { timeoutMs: 300_000 });
  }
  await engine.stop();
}
