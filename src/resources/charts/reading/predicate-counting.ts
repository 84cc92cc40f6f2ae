import { groupedBy } from '../../../kernel/grouped-by.ts';
import {
  type CountedCells,
  type CountedRows,
  countedRows,
  PredicateCounts,
} from '../../../query/compile-predicate-counts.ts';
import type { CompiledQuery } from '../../../query/compiled-query.ts';
import type { QueryResult } from '../../../telemetry/ports.ts';
import { withFewGroups } from './groups-total.ts';
import { isLong, type PreparedScan } from './prepared-scan.ts';
import type { ReadPlan } from './read-plan.ts';
import { unlessTooLong } from './unless-too-long.ts';

/** A scan and, by series, the conditions of the rows that it counts. */
interface Counting {
  scan: PreparedScan;
  counted: CountedRows;
}

/** Scans whose filters have room in one statement. */
interface CountedTogether {
  counts: PredicateCounts;
  members: Counting[];
}

/** Fewer filters are cheaper for the engine to count separately. */
const filtersMin = { long: 40, short: 8 };

/**
 * Plans the scans that count rows of the same buckets and groups by many filters, in as few statements as have room for
 * all of them. Scans that no plan answers are better read in other ways.
 */
export function planPredicateCounting(scans: readonly PreparedScan[]): ReadPlan[] {
  const counting = scans.flatMap((scan): Counting[] => {
    const counted = isCounting(scan) ? countedRows(scan.plan) : undefined;
    return counted ? [{ scan, counted }] : [];
  });
  return [...groupedBy(counting, ({ scan }) => frameKey(scan)).values()].flatMap((alike) => {
    const [first] = alike;
    const filters = countFilters(alike);
    if (!first || filters <= (isLong(first.scan) ? filtersMin.long : filtersMin.short)) return [];
    const reason = `${alike.length} queries count the same rows with ${filters} filters`;
    return packed(alike).flatMap((together) => planCounted(together, reason) ?? []);
  });
}

/** `undefined` when the statement would be too long. */
function planCounted({ counts, members }: CountedTogether, reason: string): ReadPlan | undefined {
  const scans = members.map(({ scan }) => scan);
  const compiled = scans[0] && compile(counts, scans[0]);
  if (!compiled) return undefined;
  return { mechanism: 'predicateCounting', reason, scans, statement: () => compiled, split };

  function split(result: QueryResult): (QueryResult | undefined)[] {
    const cells = counts.read(result.columns);
    return members.map((member) => resultOf(member, cells, result));
  }
}

function compile(counts: PredicateCounts, { scan, schema, guards }: PreparedScan): CompiledQuery | undefined {
  if (schema.kind === 'metric') return undefined;
  return unlessTooLong(() => counts.compile(scan.query, schema, guards));
}

/** False where an index finds the rows, which works only for a statement on its own. */
function isCounting(prepared: PreparedScan): boolean {
  if (prepared.schema.kind === 'metric' || prepared.scan.query.groupsPerBucket) return false;
  return prepared.indexedSearches().every((search) => search === '');
}

function countFilters(alike: readonly Counting[]): number {
  const texts = alike.flatMap(({ scan }) => {
    const { series, conditions = [] } = scan.scan.query;
    const common = conditions.map(({ where, whereLanguage }) => [where, whereLanguage]);
    return series.map(({ where, whereLanguage }) => JSON.stringify([where.trim(), whereLanguage, common]));
  });
  return new Set(texts).size;
}

/** As few statements as have room for all. */
function packed(alike: readonly Counting[]): CountedTogether[] {
  const packs: CountedTogether[] = [];
  for (const counting of alike) {
    const last = packs.at(-1);
    if (last?.counts.tryAdd(counting.counted)) {
      last.members.push(counting);
      continue;
    }
    const fresh = new PredicateCounts(counting.scan.plan);
    // One too large even for a separate statement is read by another mechanism.
    if (fresh.tryAdd(counting.counted)) packs.push({ counts: fresh, members: [counting] });
  }
  return packs;
}

/** Table, range, buckets and groups. In a long range what was counted beforehand is not read again from the events. */
function frameKey(prepared: PreparedScan): string {
  const { scan, source, guards, plan } = prepared;
  const summarised = isLong(prepared) && plan.isSummarised;
  const { range, granularityMs, bucketOriginMs, bucketEdges, groupBy, groupsMax } = scan.query;
  return JSON.stringify([
    source.id,
    guards.database,
    range,
    granularityMs,
    bucketOriginMs,
    bucketEdges?.key,
    groupBy,
    groupsMax,
    summarised,
  ]);
}

/** The result that the scan would have alone; `undefined` if it may have more groups than it shows. */
function resultOf({ scan, counted }: Counting, all: CountedCells, result: QueryResult): QueryResult | undefined {
  const counts = counted.map((conditions) => all.countWhere(conditions));
  const cells = Array.from({ length: all.cells }, (_, cell) => cell);
  const present = cells.filter((cell) => counts.some((of) => of[cell] !== 0));
  const pick = (column: readonly unknown[]) => present.map((cell) => column[cell]);
  // As the number of rows and as the value.
  const columns = [...all.keys.map(pick), ...counts.flatMap((of) => [pick(of), pick(of)])];
  const names = columns.map((_, at) => (at === 0 ? 'ts' : `c${at}`));
  const own: QueryResult = { ...result, names, types: [], columns, rows: present.length };
  return withFewGroups(own, scan.scan.query);
}
