import { join } from 'node:path';
import { startBenchEngine } from '../bench-engine.ts';
import { shopLoads } from '../charts/telemetry-data.ts';
import { cpuMsOf } from '../process-usage.ts';
import { Program, type SourceIds, sourceIdsOf, withFolder } from '../program.ts';
import type { Row } from '../report.ts';
import { median } from '../statistics.ts';
import { dashboardTiles } from './dashboard-tiles.ts';

const rounds = 5;
const rowsPerStatement = 100_000;
const hourMs = 3_600_000;
const tables: ReadonlySet<string> = new Set(['otel_logs', 'otel_traces']);

/**
 * Twenty tiles in one request against twenty requests, and the refresh of a window that slid on against reading it.
 * Nothing may be remembered in the first: each round has filters of its own, which change no answer.
 */
export async function benchTiles(scale: number): Promise<Row[]> {
  return withFolder(async (folder) => {
    const endMs = Math.floor(Date.now() / hourMs) * hourMs;
    await load(join(folder, 'telemetry'), scale, endMs / 1000);
    const program = await Program.start(folder);
    try {
      const sources = await sourceIdsOf(program);
      const rows = [await benchTogether(program, sources, endMs)];
      for (const sliding of slidings) rows.push(await benchSlid(program, sources, endMs, sliding));
      return rows;
    } finally {
      await program.stop();
    }
  });
}

async function benchTogether(program: Program, sources: SourceIds, endMs: number): Promise<Row> {
  const tiles = dashboardTiles(sources.get('log') ?? '', sources.get('trace') ?? '');
  const ask = async (asked: readonly object[], turn: string) => {
    const body = {
      startTime: endMs - 7 * 24 * hourMs,
      endTime: endMs,
      granularity: '1h',
      tiles: asked.map((tile) => ({ ref: '', tile })),
      where: nothingLeftOut(turn),
    };
    const { data } = (await program.call('POST', '/api/v2/charts/tiles', body)) as { data: { error?: object }[] };
    const wrong = data.find(({ error }) => error);
    if (wrong) throw new Error(JSON.stringify(wrong));
  };
  const single = async (turn: string) => {
    for (const tile of tiles) await ask([tile], turn);
  };
  const [subject, bound] = await takeTurns(program, (turn) => ask(tiles, turn), single);
  return row('20 tiles at once; bound: 20 requests', subject, bound, '≤ 0.25');
}

/** A question whose window slides on by a bucket at each refresh. */
interface Sliding {
  what: string;
  source: 'log' | 'trace';
  field: string;
}

const slidings: readonly Sliding[] = [
  { what: 'p95 of a column', source: 'trace', field: 'Duration' },
  { what: 'p95 of an attribute', source: 'log', field: 'LogAttributes.http.duration_ms' },
];

async function benchSlid(program: Program, sources: SourceIds, endMs: number, sliding: Sliding): Promise<Row> {
  const { what, source, field } = sliding;
  const series = (where: string) => [
    { sourceId: sources.get(source), aggFn: 'quantile', level: 0.95, field, where, groupBy: ['ServiceName'] },
  ];
  let turns = 0;
  const ask = (where: string) => {
    // Both sides slide by an hour each time, over the end of what is there.
    const endTime = endMs - 12 * hourMs + Math.floor(turns++ / 2) * hourMs;
    const body = { startTime: endTime - 7 * 24 * hourMs, endTime, granularity: '1h', series: series(where) };
    return program.call('POST', '/api/v2/charts/series', body);
  };
  const [subject, bound] = await takeTurns(
    program,
    () => ask(nothingLeftOut('refresh')),
    (turn) => ask(nothingLeftOut(turn)),
  );
  return row(
    `refresh of a window that slid by one of 168 buckets, ${what}; bound: reading it`,
    subject,
    bound,
    '≤ 0.2',
  );
}

/** A condition that holds for every row, and makes the question another one. */
function nothingLeftOut(turn: string): string {
  return `NOT ServiceName:"none ${turn}"`;
}

/** Medians of CPU, the two taking turns; the first round warms up. */
async function takeTurns(
  program: Program,
  subject: (turn: string) => Promise<unknown>,
  bound: (turn: string) => Promise<unknown>,
): Promise<[number, number]> {
  const figures: [number[], number[]] = [[], []];
  for (let round = 0; round <= rounds; round++) {
    for (const [which, work] of [subject, bound].entries()) {
      const before = cpuMsOf(program.pids);
      await work(`${round} ${which}`);
      if (round > 0) figures[which]?.push(cpuMsOf(program.pids) - before);
    }
  }
  return [median(figures[0]), median(figures[1])];
}

function row(name: string, subject: number, bound: number, goal: string): Row {
  return { name, unit: 'CPU ms', subject, bound, ratio: subject / bound, goal };
}

async function load(dataDir: string, scale: number, endSeconds: number): Promise<void> {
  const engine = await startBenchEngine(dataDir);
  await engine.databases.ensure('otel');
  for (const { table, rows, statement } of shopLoads('otel', scale, endSeconds)) {
    if (!tables.has(table)) continue;
    console.log(`  ${rows.toLocaleString('en-US')} rows into ${table}`);
    for (let first = 0; first < rows; first += rowsPerStatement) {
      await engine.client.command(statement(first, Math.min(rowsPerStatement, rows - first)), { timeoutMs: 300_000 });
    }
  }
  await engine.stop();
}
