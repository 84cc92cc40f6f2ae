import { type BenchEngine, untilColumnsSeen } from '../bench-engine.ts';
import { exporterDatabase, openChartData } from '../charts/chart-data.ts';
import { cpuMsOf } from '../process-usage.ts';
import { Program, type SourceIds, sourceIdsOf, withFolder } from '../program.ts';
import type { Row } from '../report.ts';
import { median } from '../statistics.ts';
import { dashboardTiles } from './dashboard-tiles.ts';
import { p95ByService, tileBounds } from './tile-bounds.ts';

const rounds = 5;
/** Enough for the program to promote the attributes of the tiles to columns. */
const warmRounds = 10;
const hourMs = 3_600_000;
const weekMs = 7 * 24 * hourMs;

export interface TilesOptions {
  scale: number;
  /** Where the data of the charts is, or is put, and stays; a folder of the run's own when absent. */
  dataDir: string | undefined;
}

/**
 * Twenty tiles in one request against twenty statements by hand and twenty requests, and the refresh of a window that
 * slid on against reading it.
 */
export function benchTiles({ scale, dataDir }: TilesOptions): Promise<Row[]> {
  const bench = (folder: string) => benchOn(folder, scale);
  return dataDir === undefined ? withFolder(bench) : bench(dataDir);
}

async function benchOn(dataFolder: string, scale: number): Promise<Row[]> {
  const { engine, endMs } = await openChartData(dataFolder, scale);
  const rows: Row[] = [];
  const byHandMs = new Map<Sliding, number>();
  try {
    rows.push(...(await benchTogether(engine, endMs)));
    for (const sliding of slidings) byHandMs.set(sliding, await costByHand(engine, sliding.source, endMs));
  } finally {
    await engine.stop();
  }
  return [...rows, ...(await benchSlidings(dataFolder, endMs, byHandMs))];
}

async function costByHand(engine: BenchEngine, source: Sliding['source'], endMs: number): Promise<number> {
  const sql = p95ByService(exporterDatabase, source, { startMs: endMs - weekMs, endMs });
  const ask = () => engine.client.query(sql, { timeoutMs: 120_000 });
  const [cost] = await takeTurns([engine.pid], ask, async () => {});
  return cost;
}

/** The program takes the engine for a server that others may write to, so it remembers no buckets. */
function benchTogether(engine: BenchEngine, endMs: number): Promise<Row[]> {
  return withFolder(async (folder) => {
    const program = await Program.start(folder, { SIGNALBOX_CLICKHOUSE_URL: engine.url });
    try {
      return await compareTogether(program, engine, endMs);
    } finally {
      await program.stop();
    }
  });
}

async function compareTogether(program: Program, engine: BenchEngine, endMs: number): Promise<Row[]> {
  const sources = await sourceIdsOf(program);
  const tiles = dashboardTiles(sources.get('log') ?? '', sources.get('trace') ?? '');
  const range = { startMs: endMs - weekMs, endMs };
  const together = () => askTiles(program, range, tiles);
  const single = async () => {
    for (const tile of tiles) await askTiles(program, range, [tile]);
  };
  const byHand = async () => {
    const settings = { use_query_condition_cache: 0 };
    for (const sql of tileBounds(exporterDatabase, range)) {
      const { rows } = await engine.client.query(sql, { timeoutMs: 120_000, settings });
      if (rows === 0) throw new Error(`no rows: ${sql}`);
    }
  };
  for (let round = 0; round < warmRounds; round++) await together();
  await untilColumnsSeen(engine);
  const pids = [engine.pid, program.pid];
  const [all, alone] = await takeTurns(pids, together, single);
  const [again, hand] = await takeTurns(pids, together, byHand);
  return [
    row('20 tiles in one request; bound: their 20 statements by hand on the exporter’s tables', again, hand, '≤ 0.25'),
    row('20 tiles in one request; bound: 20 requests', all, alone, '≤ 0.25'),
  ];
}

async function askTiles(
  program: Program,
  { startMs, endMs }: { startMs: number; endMs: number },
  tiles: readonly object[],
): Promise<void> {
  const body = {
    startTime: startMs,
    endTime: endMs,
    granularity: '1h',
    tiles: tiles.map((tile) => ({ ref: '', tile })),
  };
  const { data } = (await program.call('POST', '/api/v2/charts/tiles', body)) as { data: { error?: object }[] };
  const wrong = data.find(({ error }) => error);
  if (wrong) throw new Error(JSON.stringify(wrong));
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

async function benchSlidings(folder: string, endMs: number, byHandMs: ReadonlyMap<Sliding, number>): Promise<Row[]> {
  const program = await Program.start(folder);
  try {
    const sources = await sourceIdsOf(program);
    const rows: Row[] = [];
    for (const sliding of slidings) {
      const slid = await benchSlid(program, sources, endMs, sliding);
      rows.push(
        row(
          `${refreshOf(sliding)}; bound: by hand on the exporter’s tables`,
          slid.subject,
          byHandMs.get(sliding) ?? 0,
          '≤ 0.2',
        ),
        slid,
      );
    }
    return rows;
  } finally {
    await program.stop();
  }
}

async function benchSlid(program: Program, sources: SourceIds, endMs: number, sliding: Sliding): Promise<Row> {
  const { source, field } = sliding;
  const series = (where: string) => [
    { sourceId: sources.get(source), aggFn: 'quantile', level: 0.95, field, where, groupBy: ['ServiceName'] },
  ];
  let turns = 0;
  const ask = (where: string) => {
    // Both sides slide by an hour each time, over the end of what is there.
    const endTime = endMs - 12 * hourMs + Math.floor(turns++ / 2) * hourMs;
    const body = { startTime: endTime - weekMs, endTime, granularity: '1h', series: series(where) };
    return program.call('POST', '/api/v2/charts/series', body);
  };
  const [subject, bound] = await takeTurns(
    program.pids,
    () => ask(nothingLeftOut('refresh')),
    (turn) => ask(nothingLeftOut(turn)),
  );
  return row(`${refreshOf(sliding)}; bound: reading all of it`, subject, bound, 'for comparison');
}

function refreshOf({ what }: Sliding): string {
  return `refresh of a window that slid by one of 168 buckets, ${what}`;
}

/** A condition that holds for every row, and makes the question another one. */
function nothingLeftOut(turn: string): string {
  return `NOT ServiceName:"none ${turn}"`;
}

/** Medians of CPU, the two taking turns; the first round warms up. */
async function takeTurns(
  pids: readonly number[],
  subject: (turn: string) => Promise<unknown>,
  bound: (turn: string) => Promise<unknown>,
): Promise<[number, number]> {
  const figures: [number[], number[]] = [[], []];
  for (let round = 0; round <= rounds; round++) {
    for (const [which, work] of [subject, bound].entries()) {
      const before = cpuMsOf(pids);
      await work(`${round} ${which}`);
      if (round > 0) figures[which]?.push(cpuMsOf(pids) - before);
    }
  }
  return [median(figures[0]), median(figures[1])];
}

function row(name: string, subject: number, bound: number, goal: string): Row {
  return { name, unit: 'CPU ms', subject, bound, ratio: subject / bound, goal };
}
