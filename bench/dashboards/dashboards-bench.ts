import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Pool } from 'undici';
import { cpuMs, cpuMsOf } from '../process-usage.ts';
import { apiKey, Program, withFolder } from '../program.ts';
import type { Row } from '../report.ts';
import { median } from '../statistics.ts';

const rounds = 5;
const roundMs = 1_500;
const connections = 16;

interface Target {
  origin: string;
  path: string;
  pids: readonly number[];
}

/** GET and PUT of a dashboard with 20 tiles against bare node:http, per CPU-second of the server. */
export async function benchDashboards(): Promise<Row[]> {
  return withFolder(async (folder) => {
    const program = await Program.start(folder);
    const sources = (await program.call('GET', '/api/v2/sources')) as { data: { id: string; kind: string }[] };
    const document = dashboardOf20Tiles(sources.data.find((source) => source.kind === 'log')?.id ?? '');
    const created = (await program.call('POST', '/api/v2/dashboards', document)) as { data: { id: string } };
    const bare = await startBareServer(created.data);
    const subject = {
      origin: program.addresses.api,
      path: `/api/v2/dashboards/${created.data.id}`,
      pids: program.pids,
    };
    const put = JSON.stringify(created.data);
    try {
      return [
        await compare('dashboards GET, 20 tiles', 0.8, bare.target, subject, undefined),
        await compare('dashboards PUT, 20 tiles, durable', 0.3, bare.target, subject, put),
      ];
    } finally {
      bare.stop();
      await program.stop();
    }
  });
}

async function compare(
  name: string,
  goal: number,
  bound: Target,
  subject: Target,
  body: string | undefined,
): Promise<Row> {
  const ratios: number[] = [];
  const subjectRates: number[] = [];
  const boundRates: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const boundRate = await requestsPerCpuSecond(bound, body);
    const subjectRate = await requestsPerCpuSecond(subject, body);
    if (round === 0) continue; // warm-up
    boundRates.push(boundRate);
    subjectRates.push(subjectRate);
    ratios.push(subjectRate / boundRate);
  }
  return {
    name,
    unit: 'requests/CPU-s',
    subject: median(subjectRates),
    bound: median(boundRates),
    ratio: median(ratios),
    goal: `≥ ${goal}`,
  };
}

async function requestsPerCpuSecond(target: Target, body: string | undefined): Promise<number> {
  const pool = new Pool(target.origin, { connections });
  const headers = { authorization: `Bearer ${apiKey}`, ...(body ? { 'content-type': 'application/json' } : {}) };
  const startMs = cpuMsOf(target.pids);
  const endMs = performance.now() + roundMs;
  let requests = 0;
  const worker = async () => {
    while (performance.now() < endMs) {
      const answer = await pool.request({
        method: body ? 'PUT' : 'GET',
        path: target.path,
        headers,
        body: body ?? null,
      });
      await answer.body.dump({ limit: 10_000_000 });
      if (answer.statusCode !== 200) throw new Error(`${target.path}: ${answer.statusCode}`);
      requests++;
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  const usedMs = cpuMsOf(target.pids) - startMs;
  await pool.close();
  return requests / (usedMs / 1000);
}

async function startBareServer(document: unknown): Promise<{ target: Target; stop: () => void }> {
  const child = spawn('node', [join(import.meta.dirname, 'bare-server.mjs')], {
    env: { ...process.env, BENCH_DOCUMENT: JSON.stringify(document) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const [port] = await new Promise<string[]>((done) => lines.once('line', (line) => done([line])));
  const pid = child.pid ?? 0;
  cpuMs(pid);
  return { target: { origin: `http://127.0.0.1:${port}`, path: '/', pids: [pid] }, stop: () => child.kill() };
}

/** About 10 KB, as people's dashboards are. */
function dashboardOf20Tiles(sourceId: string) {
  const series = (where: string) => ({
    sourceId,
    aggFn: 'count',
    where,
    whereLanguage: 'lucene',
    groupBy: ['ServiceName'],
    type: 'time',
    alias: 'requests that ended in an error, by service',
  });
  const tiles = Array.from({ length: 20 }, (_, index) => ({
    name: `Tile ${index}: errors and warnings of the checkout`,
    x: (index % 3) * 8,
    y: Math.floor(index / 3) * 10,
    w: 8,
    h: 10,
    asRatio: false,
    series: [
      series('SeverityText:error AND ServiceName:checkout'),
      series('SeverityText:warn AND ServiceName:checkout'),
    ],
  }));
  return { name: 'Bench', tags: ['bench', 'checkout'], tiles };
}
