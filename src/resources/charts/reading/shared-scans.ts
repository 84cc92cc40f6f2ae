import { groupedBy } from '../../../kernel/grouped-by.ts';
import type { ChartQuery, SeriesQuery } from '../../../query/chart-query.ts';
import { compileChart } from '../../../query/compile-chart.ts';
import { type CompiledQuery, needsCareColumn, QueryTextError, tookTurnsColumn } from '../../../query/compiled-query.ts';
import { searchesText } from '../../../query/searches-text.ts';
import type { QueryResult } from '../../../telemetry/ports.ts';
import { planTogether, takeApart } from './grouping-sets.ts';
import { groupsTotal } from './groups-total.ts';
import { isLong, type TalliedScans, talliesOf } from './predicate-counting.ts';
import { costOf, type ScanCost, scanCost } from './scan-costs.ts';
import type { PreparedScan, ScanOptions, ScanRunner } from './scan-runner.ts';
import { seriesKey } from './series-key.ts';
import type { SharedScan } from './shared-scan.ts';
import { UncutGroups } from './uncut-groups.ts';

type Outcome = PromiseSettledResult<QueryResult>;
type Outcomes = Map<PreparedScan, Outcome>;

/** Beyond this the conditions of one statement grow faster than what sharing saves. */
const seriesPerStatementMax = 40;
/** Every grouping keeps every series. */
const groupingsPerStatementMax = 8;

/** Runs scans that read the same rows in as few statements as possible. */
export class SharedScans {
  readonly #runner: Pick<ScanRunner, 'runOne'>;
  readonly #uncut: UncutGroups;

  constructor(runner: Pick<ScanRunner, 'runOne'>) {
    this.#runner = runner;
    this.#uncut = new UncutGroups(runner);
  }

  /** The outcome of each scan, in their order: a scan that fails does not touch the others. */
  async run(scans: readonly PreparedScan[], options: ScanOptions): Promise<Outcome[]> {
    const outcomes = await this.#runTallies(scans, options);
    const others = scans.filter((scan) => !outcomes.has(scan));
    const pools = groupedBy(shareScans(others), ({ members: [first] }) => (first ? rowsKey(first) : ''));
    await Promise.all([...pools.values()].map((pool) => this.#runPool(pool, options, outcomes)));
    return scans.map((scan) => outcomes.get(scan) ?? { status: 'rejected', reason: new Error('a scan was not run') });
  }

  /** The outcomes of scans that can be counted together. */
  async #runTallies(scans: readonly PreparedScan[], options: ScanOptions): Promise<Outcomes> {
    const outcomes: Outcomes = new Map();
    const run = async (tally: TalliedScans): Promise<void> => {
      const { first } = tally;
      const compiled = tally.compile();
      const outcome = compiled && (await settle(this.#runner.runOne(first, compiled, options)));
      if (outcome?.status !== 'fulfilled') return;
      for (const [scan, value] of tally.resultsOf(outcome.value)) outcomes.set(scan, { status: 'fulfilled', value });
    };
    await Promise.all(talliesOf(scans).map(run));
    return outcomes;
  }

  /** Scans of the same rows. */
  async #runPool(pool: readonly SharedScan[], options: ScanOptions, outcomes: Outcomes): Promise<void> {
    await Promise.all(batchesOf(pool).map((batch) => this.#runTogether(batch, options, outcomes)));
  }

  /** Several groupings in one statement; what does not come out of it whole is run by itself. */
  async #runTogether(batch: readonly SharedScan[], options: ScanOptions, outcomes: Outcomes): Promise<void> {
    const [first] = batch[0]?.members ?? [];
    const together = first && batch.length > 1 ? planTogether(first, batch) : undefined;
    const outcome = first && together && (await settle(this.#runner.runOne(first, together.compiled, options)));
    const whole = together && outcome?.status === 'fulfilled' ? takeApart(outcome.value, together, batch) : undefined;
    await Promise.all(
      batch.map(async (shared, index) => {
        const result = whole?.[index];
        if (result) tell(shared, result, outcomes);
        else await this.#runShared(shared, options, outcomes);
      }),
    );
  }

  async #runShared(shared: SharedScan, options: ScanOptions, outcomes: Outcomes): Promise<void> {
    const [first, ...others] = shared.members;
    if (!first) return;
    const compiled = others.length > 0 ? compileShared(first, shared.series) : undefined;
    const outcome = compiled && (await settle(this.#runner.runOne(first, compiled, options)));
    // Together they may pass a limit that each of them keeps, and cut groups that each of them would show.
    if (outcome?.status === 'fulfilled' && !isCut(outcome.value, first.scan.query)) {
      tell(shared, outcome.value, outcomes);
      return;
    }
    await Promise.all(
      shared.members.map(async (member) => {
        outcomes.set(member, await settle(this.#runAlone(member, options)));
      }),
    );
  }

  async #runAlone(scan: PreparedScan, options: ScanOptions): Promise<QueryResult> {
    return (await this.#uncut.run(scan, options)) ?? (await this.#runner.runOne(scan, scan.statement(), options));
  }
}

/** Gives each member its own columns of the common result. */
function tell(shared: SharedScan, result: QueryResult, outcomes: Outcomes): void {
  for (const member of shared.members) {
    outcomes.set(member, { status: 'fulfilled', value: columnsOf(result, member.scan.query, shared) });
  }
}

interface Batch {
  readonly scans: SharedScan[];
  readonly costs: ScanCost[];
}

/** Puts scans into one statement where that costs less than two, within the limits of one. */
function batchesOf(pool: readonly SharedScan[]): SharedScan[][] {
  if (pool.length < 2) return [[...pool]];
  const batches: Batch[] = [];
  for (const shared of pool) {
    const cost = scanCost(shared);
    const savings = batches.map((batch) =>
      fitsOneStatement([...batch.scans, shared])
        ? costOf(batch.costs) + costOf([cost]) - costOf([...batch.costs, cost])
        : 0,
    );
    const most = Math.max(0, ...savings);
    const best = most > 0 ? batches[savings.indexOf(most)] : undefined;
    best?.scans.push(shared);
    best?.costs.push(cost);
    if (!best) batches.push({ scans: [shared], costs: [cost] });
  }
  return batches.map(({ scans }) => scans);
}

function fitsOneStatement(batch: readonly SharedScan[]): boolean {
  const series = new Set(batch.flatMap(({ places }) => [...places.keys()]));
  return batch.length <= groupingsPerStatementMax && series.size <= seriesPerStatementMax;
}

/** Brings scans together that differ in nothing but their series. */
function shareScans(scans: readonly PreparedScan[]): SharedScan[] {
  const open = new Map<string, SharedScan>();
  const shared: SharedScan[] = [];
  for (const scan of scans) {
    const key = `${rowsKey(scan)} ${frameKey(scan)}`;
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
 * What scans must have in common to read the same rows. A search in texts, which an index answers as long as nothing
 * else is asked for, has none in common with other questions.
 */
function rowsKey(prepared: PreparedScan): string {
  const { scan, source, guards } = prepared;
  const { series, conditions = [], range } = scan.query;
  const texts = conditions.map(({ where, whereLanguage }) => [where, whereLanguage]);
  const metric = [scan.metricKind, series[0]?.metric?.name];
  const indexed = isLong(prepared);
  const searches = series.map(({ where, whereLanguage }) =>
    indexed && searchesText(where, whereLanguage) ? where : '',
  );
  return JSON.stringify([source.id, guards.database, metric, range, texts, [...new Set(searches)]]);
}

/** Buckets and groups, and whether the read is cheap: among reads of events it would become one too. */
function frameKey({ scan, plan }: PreparedScan): string {
  const { granularityMs, bucketOriginMs, groupBy, groupsMax, groupsPerBucket, hasTimeAxis } = scan.query;
  const { isSummarised } = plan;
  return JSON.stringify([
    granularityMs,
    bucketOriginMs,
    groupBy,
    groupsMax,
    groupsPerBucket,
    isSummarised,
    hasTimeAxis,
  ]);
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

/** The columns of one scan out of those of all. */
function columnsOf(result: QueryResult, query: ChartQuery, { places }: SharedScan): QueryResult {
  const keys = 1 + query.groupBy.length;
  const own = query.series.flatMap((series) => {
    const at = keys + 2 * (places.get(seriesKey(series)) ?? 0);
    return [at, at + 1];
  });
  const last = [needsCareColumn, tookTurnsColumn, 'groups_total'].map((name) => result.names.indexOf(name));
  const kept = [...Array(keys).keys(), ...own, ...last.filter((at) => at >= 0)];
  const pick = <T>(all: readonly T[]) => kept.map((at) => all[at]).filter((each) => each !== undefined);
  return { ...result, names: pick(result.names), types: pick(result.types), columns: pick(result.columns) };
}

async function settle<T>(promise: Promise<T>): Promise<PromiseSettledResult<T>> {
  const [outcome] = await Promise.allSettled([promise]);
  return outcome;
}
