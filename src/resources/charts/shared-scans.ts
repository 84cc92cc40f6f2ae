import type { ChartQuery, SeriesQuery } from '../../query/chart-query.ts';
import { compileChart } from '../../query/compile-chart.ts';
import { type CompiledQuery, QueryTextError } from '../../query/compiled-query.ts';
import { searchesText } from '../../query/searches-text.ts';
import type { QueryResult } from '../../telemetry/ports.ts';
import type { PreparedScan, ScanOptions, ScanRunner } from './scan-runner.ts';

/** Beyond this the conditions of one statement grow faster than what sharing saves. */
const seriesPerStatementMax = 40;

/** One statement for the scans of several charts: each series that any of them asks for, once. */
interface SharedScan {
  members: PreparedScan[];
  series: SeriesQuery[];
  /** Text of a series → its place in `series`. */
  places: Map<string, number>;
}

/** Runs scans that read the same rows in as few statements as possible. */
export class SharedScans {
  readonly #runner: Pick<ScanRunner, 'runOne'>;

  constructor(runner: Pick<ScanRunner, 'runOne'>) {
    this.#runner = runner;
  }

  /** The outcome of each scan, in their order: a scan that fails does not touch the others. */
  async run(scans: readonly PreparedScan[], options: ScanOptions): Promise<PromiseSettledResult<QueryResult>[]> {
    const outcomes = new Map<PreparedScan, PromiseSettledResult<QueryResult>>();
    await Promise.all(
      shareScans(scans).map(async (shared) => {
        const results = await this.#runShared(shared, options);
        shared.members.forEach((member, index) => {
          const outcome = results[index];
          if (outcome) outcomes.set(member, outcome);
        });
      }),
    );
    return scans.map((scan) => outcomes.get(scan) ?? { status: 'rejected', reason: new Error('a scan was not run') });
  }

  async #runShared(shared: SharedScan, options: ScanOptions): Promise<PromiseSettledResult<QueryResult>[]> {
    const [first, ...others] = shared.members;
    if (!first) return [];
    if (others.length === 0) return [await settle(this.#runner.runOne(first, first.compiled, options))];
    const compiled = compileShared(first, shared.series);
    const outcome = compiled && (await settle(this.#runner.runOne(first, compiled, options)));
    // Together they may pass a limit that each of them keeps, and cut groups that each of them would show.
    if (outcome?.status === 'fulfilled' && !isCut(outcome.value, first.scan.query)) {
      return shared.members.map((member) => ({
        status: 'fulfilled',
        value: columnsOf(outcome.value, member.scan.query, shared),
      }));
    }
    if (options.signal?.aborted && outcome) return shared.members.map(() => outcome);
    return Promise.all(shared.members.map((each) => settle(this.#runner.runOne(each, each.compiled, options))));
  }
}

/** Brings scans together that differ in nothing but their series. */
function shareScans(scans: readonly PreparedScan[]): SharedScan[] {
  const open = new Map<string, SharedScan>();
  const shared: SharedScan[] = [];
  for (const scan of scans) {
    const key = rowsKey(scan);
    const known = open.get(key);
    if (known && addTo(known, scan)) continue;
    const fresh: SharedScan = { members: [], series: [], places: new Map() };
    addTo(fresh, scan);
    open.set(key, fresh);
    shared.push(fresh);
  }
  return shared;
}

/** False when the statement has no room for the scan's series. */
function addTo(shared: SharedScan, scan: PreparedScan): boolean {
  const fresh = scan.scan.query.series.filter((series) => !shared.places.has(seriesKey(series)));
  if (shared.members.length > 0 && shared.series.length + fresh.length > seriesPerStatementMax) return false;
  for (const series of fresh) {
    const key = seriesKey(series);
    if (shared.places.has(key)) continue;
    shared.places.set(key, shared.series.push(series) - 1);
  }
  shared.members.push(scan);
  return true;
}

/**
 * What two scans must have in common to be read together. A cheap read stays by itself: among reads of events it would
 * become one too. So does a search in texts, which an index answers as long as nothing else is asked for.
 */
function rowsKey({ scan, source, guards, compiled }: PreparedScan): string {
  const { series, conditions = [], ...frame } = scan.query;
  const texts = conditions.map(({ where, whereLanguage }) => [where, whereLanguage]);
  const metric = [scan.metricKind, series[0]?.metric?.name];
  const searches = series.map(({ where, whereLanguage }) => (searchesText(where, whereLanguage) ? where : ''));
  const alone = [compiled.summarised, ...new Set(searches)];
  return JSON.stringify([source.id, guards.database, metric, frame, texts, alone]);
}

function seriesKey({ aggregate, level, field, where, whereLanguage, metric }: SeriesQuery): string {
  return JSON.stringify([aggregate, level, field, where.trim(), whereLanguage, metric]);
}

/** `undefined` when the statement would be too long. */
function compileShared(
  { scan, schema, guards }: PreparedScan,
  series: readonly SeriesQuery[],
): CompiledQuery | undefined {
  try {
    return compileChart({ ...scan.query, series }, schema, guards);
  } catch (error) {
    if (error instanceof QueryTextError) return undefined;
    throw error;
  }
}

function isCut(result: QueryResult, { groupBy, groupsMax }: ChartQuery): boolean {
  return groupBy.length > 0 && groupsTotal(result) >= groupsMax;
}

/** How many groups there were before the cut; 0 without groups. */
export function groupsTotal({ names, columns, rows }: QueryResult): number {
  const at = names.indexOf('groups_total');
  return at < 0 || rows === 0 ? 0 : Number(columns[at]?.[0] ?? 0);
}

/** The columns of one scan out of those of all. */
function columnsOf(result: QueryResult, query: ChartQuery, { places }: SharedScan): QueryResult {
  const keys = 1 + query.groupBy.length;
  const own = query.series.flatMap((series) => {
    const at = keys + 2 * (places.get(seriesKey(series)) ?? 0);
    return [at, at + 1];
  });
  const kept = [...Array(keys).keys(), ...own];
  const pick = <T>(all: readonly T[]) => kept.map((at) => all[at]).filter((each) => each !== undefined);
  return { ...result, names: pick(result.names), types: pick(result.types), columns: pick(result.columns) };
}

async function settle<T>(promise: Promise<T>): Promise<PromiseSettledResult<T>> {
  const [outcome] = await Promise.allSettled([promise]);
  return outcome;
}
