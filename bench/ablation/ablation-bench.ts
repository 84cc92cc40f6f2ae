import { attributeReads } from '../../src/query/attribute-reads.ts';
import type { CompiledQuery } from '../../src/query/compiled-query.ts';
import { ClickHouseAttributeColumns } from '../../src/telemetry/attribute-columns/attribute-columns.ts';
import { type BenchEngine, untilMerged } from '../bench-engine.ts';
import { openChartData } from '../charts/chart-data.ts';
import { cpuMs } from '../process-usage.ts';
import { withFolder } from '../program.ts';
import type { Row } from '../report.ts';
import { median } from '../statistics.ts';
import { type AblationCase, ablationCases } from './ablation-cases.ts';
import { type ChartTables, openChartTables } from './chart-tables.ts';

const rounds = 7;
/** A round repeats the statements until about so much time is spent, so that the kernel's 10 ms ticks do not hide short ones. */
const roundCpuMs = 200;
const repeatsMax = 20;

export interface AblationOptions {
  scale: number;
  /** Where the data of the charts is, or is put, and stays; a folder of the run's own when absent. */
  dataDir: string | undefined;
}

/** What each mechanism of reading saves on the charts that it was made for: the same answers with it and without it. */
export function benchAblation({ scale, dataDir }: AblationOptions): Promise<Row[]> {
  const bench = (folder: string) => benchOn(folder, scale);
  return dataDir === undefined ? withFolder(bench) : bench(dataDir);
}

async function benchOn(dataFolder: string, scale: number): Promise<Row[]> {
  const { engine, endMs } = await openChartData(dataFolder, scale);
  try {
    await makeAttributeColumns(engine, await openChartTables(engine, endMs));
    // Once more, with the columns that the attributes have now.
    const tables = await openChartTables(engine, endMs);
    const rows: Row[] = [];
    for (const each of ablationCases(tables)) rows.push(await benchCase(each, engine, tables));
    return rows;
  } finally {
    await engine.stop();
  }
}

/** As the program does when charts have read an attribute often enough. */
async function makeAttributeColumns(engine: BenchEngine, tables: ChartTables): Promise<void> {
  const columns = new ClickHouseAttributeColumns({
    client: engine.client,
    topology: { kind: 'embedded' },
    columnsMax: 12,
  });
  const { plan } = tables.scan('log', { hours: 24, granularity: '1h' }, [
    { aggFn: 'avg', field: 'LogAttributes.http.duration_ms' },
  ]);
  for (const read of attributeReads(plan.events)) await columns.offer(read, Number.MAX_SAFE_INTEGER);
  await untilMerged(engine);
}

async function benchCase(
  { mechanism, chart, on, off }: AblationCase,
  engine: BenchEngine,
  tables: ChartTables,
): Promise<Row> {
  const cost = (statements: readonly CompiledQuery[], repeats: number) => costOf(statements, repeats, engine, tables);
  const first = [await cost(off, 1), await cost(on, 1)];
  const repeats = Math.min(repeatsMax, Math.ceil(roundCpuMs / Math.max(1, ...first)));
  const withIt: number[] = [];
  const without: number[] = [];
  for (let round = 0; round < rounds; round++) {
    without.push(await cost(off, repeats));
    withIt.push(await cost(on, repeats));
  }
  const [subject, bound] = [median(withIt), median(without)];
  return {
    name: `${mechanism}: ${chart}`,
    unit: 'engine CPU ms',
    subject,
    bound,
    ratio: bound / subject,
    goal: '≥ 1.05',
  };
}

async function costOf(
  statements: readonly CompiledQuery[],
  repeats: number,
  { pid }: BenchEngine,
  { runner }: ChartTables,
): Promise<number> {
  const before = cpuMs(pid);
  for (let turn = 0; turn < repeats; turn++) {
    for (const statement of statements)
      await runner.run(fresh(statement), { queryClass: 'interactive', timeoutMs: 60_000 });
  }
  return (cpuMs(pid) - before) / repeats;
}

/** The engine remembers which granules a condition found nothing in, which would favour whichever comes second. */
function fresh(statement: CompiledQuery): CompiledQuery {
  return { ...statement, settings: { ...statement.settings, use_query_condition_cache: 0 } };
}
