import { groupedBy } from '../../../kernel/grouped-by.ts';
import { planGroupingSets } from './grouping-sets.ts';
import { planPredicateCounting } from './predicate-counting.ts';
import type { PreparedScan } from './prepared-scan.ts';
import type { ReadPlan } from './read-plan.ts';
import { costOf, type ScanCost, scanCost } from './scan-costs.ts';
import { seriesKey } from './series-key.ts';
import { planSharedSeries, type SharedSeries, sharedSeriesOf, tryShare } from './shared-series.ts';
import { planSingle } from './single-scan.ts';

/** What was learnt from statements that ran. */
export interface ReadKnowledge {
  /** Does the scan have more groups than it shows? */
  isWide(scan: PreparedScan): boolean;
}

type Scans = [PreparedScan, ...PreparedScan[]];

/** Beyond this the conditions of one statement grow faster than what sharing saves. */
const seriesPerStatementMax = 40;
/** Every grouping keeps every series. */
const groupingsPerStatementMax = 8;

/**
 * The one place where it is decided how scans are read: in as few statements as cost less than one for each. Every scan
 * is in exactly one plan. Sharing never changes an answer: what a shared statement can't answer whole is read alone.
 */
export function planReads(scans: readonly PreparedScan[], knowledge: ReadKnowledge): ReadPlan[] {
  const counted = planPredicateCounting(scans);
  const answered = new Set(counted.flatMap((plan) => plan.scans));
  const open = scans.filter((scan) => !answered.has(scan));
  const [limited, others] = partition(distinctScans(open), ([scan]) => needsLimit(scan, knowledge));
  return [...counted, ...limited.map(planLimited), ...planTogether(others)];
}

/** Plans scans for themselves alone, which answers each of them whatever its groups. */
export function planAlone(scans: readonly PreparedScan[], reason: string): ReadPlan[] {
  return distinctScans(scans).map((same) => planSingle(same, reason, 'topN'));
}

function needsLimit(scan: PreparedScan, knowledge: ReadKnowledge): boolean {
  return scan.scan.query.groupsPerBucket === true || knowledge.isWide(scan);
}

function planLimited(same: Scans): ReadPlan {
  const perBucket = same[0].scan.query.groupsPerBucket;
  const reason = perBucket
    ? 'the largest groups are chosen for each bucket'
    : 'the last query of this kind had more groups than it shows';
  return planSingle(same, reason, 'topN');
}

/** Scans that ask the same are one. */
function distinctScans(scans: readonly PreparedScan[]): Scans[] {
  const same = groupedBy(scans, (scan) => JSON.stringify([...frameOf(scan), scan.scan.query.series.map(seriesKey)]));
  return [...same.values()].flatMap(([first, ...more]) => (first ? [[first, ...more] satisfies Scans] : []));
}

function planTogether(distinct: readonly Scans[]): ReadPlan[] {
  const sameAs = new Map(distinct.map((same) => [same[0], same]));
  const shared = shareSeries(distinct.map(([scan]) => scan));
  const pools = groupedBy(shared, ({ members: [scan] }) => JSON.stringify(rowsOf(scan)));
  const plans = [...pools.values()].flatMap((pool) => batchesOf(pool).flatMap(planBatch));
  return plans.map((plan) => withSame(plan, sameAs));
}

function planBatch([first, ...more]: readonly SharedSeries[]): ReadPlan[] {
  if (!first) return [];
  const together = more.length > 0 ? planGroupingSets([first, ...more]) : undefined;
  if (together) return [together];
  return [first, ...more].flatMap((shared) => {
    const [scan, ...others] = shared.members;
    const plan = others.length > 0 ? planSharedSeries(shared) : undefined;
    if (plan) return [plan];
    return [scan, ...others].map((each) => planSingle([each], reasonOfSingle(each), 'allGroups'));
  });
}

function reasonOfSingle(scan: PreparedScan): string {
  return scan.indexedSearches().some((search) => search !== '')
    ? 'its text search uses an index, which a shared statement could not use'
    : 'a statement shared with other queries would not be cheaper';
}

/** The plan for all scans that ask the same as those that it was made for. */
function withSame(plan: ReadPlan, sameAs: ReadonlyMap<PreparedScan, Scans>): ReadPlan {
  const all = plan.scans.map((scan) => sameAs.get(scan) ?? [scan]);
  return {
    ...plan,
    scans: all.flat(),
    split: (result) => plan.split(result).flatMap((own, index) => (all[index] ?? []).map(() => own)),
  };
}

/** Brings scans together that differ in nothing but their series. */
function shareSeries(scans: readonly PreparedScan[]): SharedSeries[] {
  const open = new Map<string, SharedSeries>();
  const shared: SharedSeries[] = [];
  for (const scan of scans) {
    const key = JSON.stringify(frameOf(scan));
    const known = open.get(key);
    if (known && tryShare(known, scan, seriesPerStatementMax)) continue;
    const fresh = sharedSeriesOf(scan);
    open.set(key, fresh);
    shared.push(fresh);
  }
  return shared;
}

/** Puts groupings into one statement where that costs less than two, within the limits of one. */
function batchesOf(pool: readonly SharedSeries[]): SharedSeries[][] {
  if (pool.length < 2) return [[...pool]];
  const batches: { scans: SharedSeries[]; costs: ScanCost[] }[] = [];
  for (const shared of pool) {
    const cost = scanCost(shared);
    const savings = batches.map(({ scans, costs }) =>
      fitsOneStatement([...scans, shared]) ? costOf(costs) + costOf([cost]) - costOf([...costs, cost]) : 0,
    );
    const most = Math.max(0, ...savings);
    const best = most > 0 ? batches[savings.indexOf(most)] : undefined;
    best?.scans.push(shared);
    best?.costs.push(cost);
    if (!best) batches.push({ scans: [shared], costs: [cost] });
  }
  return batches.map(({ scans }) => scans);
}

function fitsOneStatement(batch: readonly SharedSeries[]): boolean {
  const series = new Set(batch.flatMap(({ places }) => [...places.keys()]));
  return batch.length <= groupingsPerStatementMax && series.size <= seriesPerStatementMax;
}

/**
 * What scans must have in common to read the same rows. A text search, which an index answers only alone, has nothing
 * in common with other scans.
 */
function rowsOf(prepared: PreparedScan): unknown[] {
  const { scan, source, guards } = prepared;
  const { series, conditions = [], range } = scan.query;
  const texts = conditions.map(({ where, whereLanguage }) => [where, whereLanguage]);
  const metric = [scan.metricKind, series[0]?.metric?.name];
  return [source.id, guards.database, metric, range, texts, [...new Set(prepared.indexedSearches())]];
}

/** Rows, buckets and groups, and whether the read is cheap: among reads of events it would become one too. */
function frameOf(prepared: PreparedScan): unknown[] {
  const { scan, plan } = prepared;
  const { granularityMs, bucketOriginMs, bucketEdges, groupBy, groupsMax, groupsPerBucket, hasTimeAxis } = scan.query;
  const buckets = [granularityMs, bucketOriginMs, bucketEdges?.key];
  const grouping = [...buckets, groupBy, groupsMax, groupsPerBucket, hasTimeAxis];
  return [...rowsOf(prepared), ...grouping, plan.isSummarised];
}

function partition<T>(items: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}
