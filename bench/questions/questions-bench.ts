import { compileCalls, compileOutsideCalls } from '../../src/query/compile-services.ts';
import type { ServiceMapQuery } from '../../src/query/services-query.ts';
import type { BenchEngine } from '../bench-engine.ts';
import { type ChartData, openFilled, ownDatabase } from '../charts/chart-data.ts';
import { logLoads } from '../charts/telemetry-data.ts';
import { cpuMs, cpuMsOf } from '../process-usage.ts';
import { Program, type SourceIds, sourceIdsOf, withFolder } from '../program.ts';
import type { Row } from '../report.ts';
import { median } from '../statistics.ts';
import { openSpanTable } from './span-table.ts';
import { spanHours, traceLoad } from './trace-load.ts';

const millions = 10;
const rounds = 5;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** What patterns, differences and maps of services cost over ten million events. */
export function benchQuestions(dataDir: string | undefined): Promise<Row[]> {
  return dataDir === undefined ? withFolder(benchOn) : benchOn(dataDir);
}

async function benchOn(folder: string): Promise<Row[]> {
  const data = await openFilled(folder, millions, {
    databases: [ownDatabase],
    loads: (database, endSeconds) => [
      ...logLoads(database, millions, endSeconds).filter(({ table }) => table === 'otel_logs'),
      traceLoad(database, millions * 1e6, endSeconds),
    ],
  });
  try {
    const overApi = await withFolder((programFolder) => benchProgram(programFolder, data));
    return [...overApi, await benchSample(data)];
  } finally {
    await data.engine.stop();
  }
}

interface Question {
  name: string;
  goal: string;
  path: string;
  body: object;
}

async function benchProgram(folder: string, { engine, endMs }: ChartData): Promise<Row[]> {
  const env = { SIGNALBOX_CLICKHOUSE_URL: engine.url, SIGNALBOX_ATTRIBUTE_COLUMNS_MAX: '0' };
  const program = await Program.start(folder, env);
  try {
    const rows: Row[] = [];
    for (const question of questionsOf(await sourceIdsOf(program), endMs))
      rows.push(await benchOne(question, program, engine));
    return rows;
  } finally {
    await program.stop();
  }
}

function questionsOf(sources: SourceIds, endMs: number): Question[] {
  const during = (lastsMs: number) => ({ startTime: endMs - lastsMs, endTime: endMs });
  const logs = { sourceId: sources.get('log'), ...during(8 * dayMs) };
  const spans = (lastsMs: number) => ({ sourceId: sources.get('trace'), ...during(lastsMs) });
  const patterns = { path: '/api/v2/search/patterns' };
  const deltas = { path: '/api/v2/search/deltas', goal: '≤ 1,000' };
  const map = { path: '/api/v2/services/map' };
  return [
    { name: 'patterns of 100,000 of 10 M logs', ...patterns, goal: '≤ 500', body: { ...logs, sample: 100_000 } },
    { name: 'patterns of 10,000 of 10 M logs', ...patterns, goal: '–', body: logs },
    {
      name: 'differences of errors from the rest, 10 M logs',
      ...deltas,
      body: { ...logs, selection: { where: 'SeverityText:error' } },
    },
    {
      name: 'differences of an hour from the rest, 10 M logs',
      ...deltas,
      body: { ...logs, selection: { startTime: endMs - 30 * hourMs, endTime: endMs - 29 * hourMs } },
    },
    {
      name: 'differences of slow spans from the rest, 10 M spans',
      ...deltas,
      body: { ...spans(dayMs), selection: { where: 'Duration:>99000000' } },
    },
    { name: 'list of services, 10 M spans', path: '/api/v2/services', goal: '–', body: spans(dayMs) },
    { name: 'service map of 10 M spans, from a sample', ...map, goal: '≤ 2,000', body: spans(dayMs) },
    { name: 'service map of 0.83 M spans, exact', ...map, goal: '≤ 2,000', body: spans(2 * hourMs) },
  ];
}

async function benchOne({ name, goal, path, body }: Question, program: Program, engine: BenchEngine): Promise<Row> {
  console.log(`  ${name}`);
  const pids = [program.pid, engine.pid];
  const costs: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const before = cpuMsOf(pids);
    await program.call('POST', path, body);
    if (round > 0) costs.push(cpuMsOf(pids) - before);
  }
  return { name, unit: 'CPU ms', subject: median(costs), goal };
}

/** The statements of a map of ten million spans, by the sample and without it. */
async function benchSample({ engine, endMs }: ChartData): Promise<Row> {
  console.log('  the sample');
  const { schema, guards, runner } = await openSpanTable(engine);
  const query: ServiceMapQuery = {
    range: { startMs: endMs - spanHours * hourMs, endMs },
    ...{ where: '', whereLanguage: 'lucene', beforeMs: 60_000, afterMs: 600_000, rowsMax: 10_000 },
  };
  const cost = async (of: ServiceMapQuery) => {
    const before = cpuMs(engine.pid);
    for (const statement of [
      compileCalls(of, schema, guards),
      compileOutsideCalls(of, 'outgoing', schema, guards),
      compileOutsideCalls(of, 'incoming', schema, guards),
    ]) {
      await runner.run(statement, { name: 'bench', queryClass: 'interactive', timeoutMs: 120_000 });
    }
    return cpuMs(engine.pid) - before;
  };
  const sampled: number[] = [];
  const whole: number[] = [];
  for (let round = 0; round < 3; round++) {
    whole.push(await cost(query));
    sampled.push(await cost({ ...query, isSampled: true }));
  }
  const [subject, bound] = [median(sampled), median(whole)];
  return {
    name: 'edges of the map of 10 M spans, from the sample; bound: from all spans',
    ...{ unit: 'engine CPU ms', subject, bound, ratio: bound / subject, goal: '–' },
  };
}
