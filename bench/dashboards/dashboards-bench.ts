import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Pool } from 'undici';
import { cpuMsOf } from '../process-usage.ts';
import { apiKey, Program, withFolder } from '../program.ts';
import type { Row } from '../report.ts';
import { median } from '../statistics.ts';

const rounds = 5;
const roundMs = 2_000;
/** Long enough for both sides to be compiled by the JIT. */
const warmUpMs = 8_000;
const connections = 16;

interface Target {
  origin: string;
  /** One per connection, so that writers do not race for one dashboard. */
  paths: readonly string[];
  pids: readonly number[];
}

/** By connection, what it sends in turn, so that each write changes something; none = GET. */
type Bodies = readonly (readonly string[])[];

interface Created {
  id: string;
}

/** GET and PUT of a dashboard with 20 tiles against bare node:http, per CPU-second of the server. */
export async function benchDashboards(): Promise<Row[]> {
  return withFolder(async (folder) => {
    const program = await Program.start(folder);
    const sources = (await program.call('GET', '/api/v2/sources')) as { data: { id: string; kind: string }[] };
    const document = dashboardOf20Tiles(sources.data.find((source) => source.kind === 'log')?.id ?? '');
    const create = () => program.call('POST', '/api/v2/dashboards', document) as Promise<{ data: Created }>;
    const created = await Promise.all(Array.from({ length: connections }, create));
    const bare = await startBareServer(created[0]?.data);
    const paths = created.map(({ data }) => `/api/v2/dashboards/${data.id}`);
    const subject = { origin: program.addresses.api, paths, pids: program.pids };
    const bodies = created.map(({ data }) => ['one', 'two'].map((name) => JSON.stringify({ ...data, name })));
    try {
      return [
        await compare('dashboards GET, 20 tiles', 0.8, bare.target, subject, []),
        await compare('dashboards PUT, 20 tiles, durable', 0.3, bare.target, subject, bodies),
      ];
    } finally {
      bare.stop();
      await program.stop();
    }
  });
}

async function compare(name: string, goal: number, bound: Target, subject: Target, bodies: Bodies): Promise<Row> {
  const ratios: number[] = [];
  const subjectRates: number[] = [];
  const boundRates: number[] = [];
  for (const target of [bound, subject]) await requestsPerCpuSecond(target, bodies, warmUpMs);
  for (let round = 0; round < rounds; round++) {
    const boundRate = await requestsPerCpuSecond(bound, bodies, roundMs);
    const subjectRate = await requestsPerCpuSecond(subject, bodies, roundMs);
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

async function requestsPerCpuSecond(target: Target, bodies: Bodies, durationMs: number): Promise<number> {
  const pool = new Pool(target.origin, { connections });
  const writes = bodies.length > 0;
  const headers = { authorization: `Bearer ${apiKey}`, ...(writes ? { 'content-type': 'application/json' } : {}) };
  const startMs = cpuMsOf(target.pids);
  const endMs = performance.now() + durationMs;
  let requests = 0;
  const worker = async (index: number) => {
    const path = target.paths[index % target.paths.length] ?? '/';
    const own = bodies[index] ?? [];
    let turn = 0;
    while (performance.now() < endMs) {
      const body = own[turn++ % own.length] ?? null;
      const answer = await pool.request({ method: writes ? 'PUT' : 'GET', path, headers, body });
      await answer.body.dump({ limit: 10_000_000 });
      if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode}`);
      requests++;
    }
  };
  await Promise.all(Array.from({ length: connections }, (_, index) => worker(index)));
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
  return { target: { origin: `http://127.0.0.1:${port}`, paths: ['/'], pids: [pid] }, stop: () => child.kill() };
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
