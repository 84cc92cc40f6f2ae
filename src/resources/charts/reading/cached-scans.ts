import { createHash } from 'node:crypto';
import type { ChartQuery, TimeRange } from '../../../query/chart-query.ts';
import { readsClock } from '../../../query/reads-clock.ts';
import type { TableSchema } from '../../../query/source-schema.ts';
import type { QueryResult, WriteTracker } from '../../../telemetry/ports.ts';
import { bucketsOf } from '../request/buckets.ts';
import {
  type BucketCache,
  type BucketKey,
  type BucketRows,
  type CachedBucket,
  type CacheUse,
  noRows,
  rowsByBucket,
} from './bucket-cache.ts';
import { countGroups, groupsTotal, withGroupsTotal } from './groups-total.ts';
import { type PreparedScan, prepareScan } from './prepared-scan.ts';
import type { RanStatement, ReadScan } from './read-plan.ts';
import type { ScanReader } from './scan-reader.ts';
import type { ScanOptions } from './scan-runner.ts';

export interface ScanAnswer extends ReadScan {
  cache: CacheUse;
  /** Buckets of the answer that were cached, even if they were read again. */
  cachedBuckets: number;
}

/** A scan whose whole buckets may be remembered. */
interface CachedRead {
  scan: PreparedScan;
  key: BucketKey;
  writes: WriteTracker;
  /** Taken before anything is read. */
  mark: number;
  known: Map<number, CachedBucket>;
  /** What must be read. */
  missing: readonly TimeRange[];
}

/** More gaps than this are read in one go, with what lies between them. */
const gapsMax = 3;

/** Runs scans; buckets that were read before and have not been written to since are not read again. */
export class CachedScans {
  readonly #reader: ScanReader;
  readonly #cache: BucketCache;

  constructor(reader: ScanReader, cache: BucketCache) {
    this.#reader = reader;
    this.#cache = cache;
  }

  /** As `ScanReader.run`. */
  async run(scans: readonly PreparedScan[], options: ScanOptions): Promise<PromiseSettledResult<ScanAnswer>[]> {
    const answers = await this.#run(scans, options);
    for (const answer of answers) if (answer.status === 'fulfilled') this.#cache.used(answer.value.cache);
    return answers;
  }

  async #run(scans: readonly PreparedScan[], options: ScanOptions): Promise<PromiseSettledResult<ScanAnswer>[]> {
    const plans = scans.map((scan) => this.#plan(scan));
    if (options.bypassCache) {
      const outcomes = await this.#reader.run(scans, options);
      return outcomes.map((outcome, index) => asItIs(outcome, plans[index]?.known.size));
    }
    const reads = scans.flatMap((scan, index) => {
      const plan = plans[index];
      return plan ? plan.missing.map((range) => narrowed(scan, range)) : [scan];
    });
    const outcomes = await this.#reader.run(reads, options);
    let next = 0;
    const joined = plans.map((plan) => {
      const own = outcomes.slice(next, next + (plan?.missing.length ?? 1));
      next += own.length;
      return plan ? this.#join(plan, own) : asItIs(own[0]);
    });
    // What can't be put together from buckets is read as it is, all of it together.
    const again = scans.filter((_, index) => joined[index] === undefined);
    const whole = (await this.#reader.run(again, options)).values();
    return joined.map((answer) => answer ?? asItIs(whole.next().value));
  }

  #plan(scan: PreparedScan): CachedRead | undefined {
    const { writes } = scan.engine;
    const key = writes && keyOf(scan);
    if (!key) return undefined;
    const mark = writes.mark();
    const found = this.#cache.find(key, writes);
    const oldestMs = writes.oldestKeptMs(key.table);
    const { range } = scan.scan.query;
    const known = new Map<number, CachedBucket>();
    for (const { startMs } of wholeBuckets(scan)) {
      const rows = startMs >= oldestMs ? found.get(startMs) : undefined;
      if (rows) known.set(startMs, rows);
    }
    return { scan, key, writes, mark, known, missing: gapsOf(range, known) };
  }

  /** The whole answer; `undefined` when groups would have to be cut, which only the whole scan can do. */
  #join(
    plan: CachedRead,
    outcomes: readonly PromiseSettledResult<ReadScan>[],
  ): PromiseSettledResult<ScanAnswer> | undefined {
    const { scan, known, missing } = plan;
    const results: QueryResult[] = [];
    const statements: RanStatement[] = [];
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') return outcome;
      results.push(outcome.value.result);
      statements.push(...outcome.value.statements);
    }
    const { query } = scan.scan;
    const { groupBy, groupsMax } = query;
    if (known.size === 0 && results.length === 1 && results[0]) {
      if (groupsTotal(results[0]) < groupsMax) this.#keep(plan, results);
      return { status: 'fulfilled', value: { result: results[0], statements, cache: 'miss', cachedBuckets: 0 } };
    }
    if (results.some((result) => groupsTotal(result) >= groupsMax)) return undefined;
    const fresh = this.#keep(plan, results);
    const result = resultOf(new Map([...known, ...fresh]), results, query);
    if (result.rows > scan.guards.resultRowsMax) return undefined;
    if (groupBy.length > 0 && groupsTotal(result) >= groupsMax) return undefined;
    const cache = missing.length === 0 ? 'hit' : known.size > 0 ? 'partial' : 'miss';
    return { status: 'fulfilled', value: { result, statements, cache, cachedBuckets: known.size } };
  }

  /** Remembers the whole buckets among what was read; answers all of it by bucket. */
  #keep({ scan, key, writes, mark, missing }: CachedRead, results: readonly QueryResult[]): Map<number, BucketRows> {
    const { groupBy, series } = scan.scan.query;
    const fresh = new Map(results.flatMap((result) => [...rowsByBucket(result, groupBy.length, series.length)]));
    const oldestMs = writes.oldestKeptMs(key.table);
    const kept = new Map<number, CachedBucket>();
    for (const { startMs, endMs } of wholeBuckets(scan)) {
      if (startMs < oldestMs || !missing.some((range) => startMs >= range.startMs && startMs < range.endMs)) continue;
      kept.set(startMs, { ...(fresh.get(startMs) ?? noRows), endMs });
    }
    this.#cache.keep(key, kept, mark, writes);
    return fresh;
  }
}

function asItIs(
  outcome: PromiseSettledResult<ReadScan> | undefined,
  cachedBuckets = 0,
): PromiseSettledResult<ScanAnswer> {
  if (!outcome) return { status: 'rejected', reason: new Error('a scan was not run') };
  if (outcome.status === 'rejected') return outcome;
  return { status: 'fulfilled', value: { ...outcome.value, cache: 'off', cachedBuckets } };
}

/**
 * `undefined` when the values of a bucket depend on more than its rows: increments of counters look at points before
 * it, a time that is not one of our columns is not tracked, and `now()` is another moment each time.
 */
function keyOf({ scan, source, schema, guards, plan }: PreparedScan): BucketKey | undefined {
  const { granularityMs, bucketOriginMs, bucketEdges, groupBy, conditions = [], series } = scan.query;
  if (granularityMs === undefined || schema.kind === 'metric' || schema.timestampColumn !== 'Timestamp')
    return undefined;
  if (readsClock(plan.events)) return undefined;
  const origin = bucketEdges?.key ?? ((bucketOriginMs % granularityMs) + granularityMs) % granularityMs;
  const meaning = [
    source,
    tableText(schema.table),
    granularityMs,
    origin,
    groupBy,
    conditions,
    series,
    scan.metricKind,
  ];
  const text = createHash('sha256').update(JSON.stringify(meaning)).digest('base64');
  // The database is the tenant's own: no key is the same for two tenants.
  const { table } = schema.table;
  return { text: `${guards.database} ${table} ${text}`, database: guards.database, table };
}

function tableText({ database, table, columns, projections }: TableSchema): unknown {
  return [database, table, [...columns], [...(projections ?? [])]];
}

/** The buckets that lie completely in the range. */
function wholeBuckets({ scan }: PreparedScan): TimeRange[] {
  const { range, granularityMs = 0, ...buckets } = scan.query;
  return bucketsOf({ range, granularityMs, ...buckets }).filter(
    ({ startMs, endMs }) => startMs >= range.startMs && endMs <= range.endMs,
  );
}

/** What of the range no known bucket holds, as few stretches. */
function gapsOf(range: TimeRange, known: ReadonlyMap<number, CachedBucket>): TimeRange[] {
  const gaps: TimeRange[] = [];
  let atMs = range.startMs;
  for (const [startMs, { endMs }] of known) {
    if (startMs > atMs) gaps.push({ startMs: atMs, endMs: startMs });
    atMs = endMs;
  }
  if (atMs < range.endMs) gaps.push({ startMs: atMs, endMs: range.endMs });
  const [first] = gaps;
  const last = gaps.at(-1);
  return first && last && gaps.length > gapsMax ? [{ startMs: first.startMs, endMs: last.endMs }] : gaps;
}

/** The scan over a part of its range. */
function narrowed(prepared: PreparedScan, range: TimeRange): PreparedScan {
  const { query } = prepared.scan;
  if (range.startMs === query.range.startMs && range.endMs === query.range.endMs) return prepared;
  return prepareScan({ ...prepared, scan: { ...prepared.scan, query: { ...query, range } } });
}

/** Buckets as the result of the scan that would have read them, with the cost of what was read. */
function resultOf(
  buckets: ReadonlyMap<number, BucketRows>,
  read: readonly QueryResult[],
  { groupBy, series, groupsPerBucket }: ChartQuery,
): QueryResult {
  const groupFields = groupBy.length;
  const columns: unknown[][] = Array.from({ length: 1 + groupFields + 2 * series.length }, () => []);
  let bucketGroups = 0;
  for (const startMs of [...buckets.keys()].sort((a, b) => a - b)) {
    const bucket = buckets.get(startMs) ?? noRows;
    bucketGroups = Math.max(bucketGroups, bucket.rows);
    for (let row = 0; row < bucket.rows; row++) columns[0]?.push(startMs);
    bucket.columns.forEach((values, at) => {
      for (const value of values) columns[at + 1]?.push(value);
    });
  }
  const result: QueryResult = {
    names: columns.map((_, at) => (at === 0 ? 'ts' : `c${at}`)),
    types: [],
    columns,
    rows: columns[0]?.length ?? 0,
    rowsRead: read.reduce((sum, { rowsRead }) => sum + rowsRead, 0),
    bytesRead: read.reduce((sum, { bytesRead }) => sum + bytesRead, 0),
    elapsedMs: Math.max(0, ...read.map(({ elapsedMs }) => elapsedMs)),
  };
  if (groupFields === 0) return result;
  return withGroupsTotal(result, groupsPerBucket ? bucketGroups : countGroups(result, groupFields));
}
