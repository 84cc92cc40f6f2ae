import { groupedBy } from '../../../kernel/grouped-by.ts';
import {
  type CountedCells,
  type CountedRows,
  countedRows,
  PredicateCounts,
} from '../../../query/compile-predicate-counts.ts';
import { type CompiledQuery, QueryTextError } from '../../../query/compiled-query.ts';
import { searchesText } from '../../../query/searches-text.ts';
import type { QueryResult } from '../../../telemetry/ports.ts';
import { countGroups, withGroupsTotal } from './groups-total.ts';
import type { PreparedScan } from './scan-runner.ts';

/** A scan and, by series, the conditions of the rows that it counts. */
interface Counting {
  scan: PreparedScan;
  counted: CountedRows;
}

/** Scans that count rows of the same buckets and groups, each by filters of its own: one statement. */
export class TalliedScans {
  readonly first: PreparedScan;
  readonly #counts: PredicateCounts;
  readonly #members: Counting[] = [];

  constructor(first: PreparedScan) {
    this.first = first;
    this.#counts = new PredicateCounts(first.plan);
  }

  /** False when the statement has no room for the scan's filters. */
  tryAdd(counting: Counting): boolean {
    const fits = this.#counts.tryAdd(counting.counted);
    if (fits) this.#members.push(counting);
    return fits;
  }

  /** `undefined` when the statement would be too long. */
  compile(): CompiledQuery | undefined {
    const { scan, schema, guards } = this.first;
    if (schema.kind === 'metric') return undefined;
    try {
      return this.#counts.compile(scan.query, schema, guards);
    } catch (error) {
      if (error instanceof QueryTextError) return undefined;
      throw error;
    }
  }

  /** The result of each scan, as it would have come by itself, but of those whose groups would have been cut. */
  resultsOf(result: QueryResult): Map<PreparedScan, QueryResult> {
    const cells = this.#counts.read(result.columns);
    const results = new Map<PreparedScan, QueryResult>();
    for (const { scan, counted } of this.#members) {
      const own = resultOf(cells, counted, result);
      const { groupBy, groupsMax } = scan.scan.query;
      const groups = groupBy.length > 0 ? countGroups(own, groupBy.length) : 0;
      if (groups >= groupsMax) continue;
      results.set(scan, groupBy.length > 0 ? withGroupsTotal(own, groups) : own);
    }
    return results;
  }
}

/** In a shorter range, such as an alert's window, an index of texts saves less than reading the rows once for all. */
const indexWorthwhileMs = 15 * 60_000;

export function isLong({ scan }: PreparedScan): boolean {
  return scan.query.range.endMs - scan.query.range.startMs > indexWorthwhileMs;
}

/** Puts scans together that count the same rows by many filters: few are counted for less by the engine, each by itself. */
export function talliesOf(scans: readonly PreparedScan[]): TalliedScans[] {
  const counting = scans.flatMap((scan): Counting[] => {
    const counted = isCounting(scan) ? countedRows(scan.plan) : undefined;
    return counted ? [{ scan, counted }] : [];
  });
  return [...groupedBy(counting, ({ scan }) => frameKey(scan)).values()].flatMap((alike) => {
    const [first] = alike;
    const filtersMax = first && isLong(first.scan) ? 40 : 8;
    return countFilters(alike) > filtersMax ? packed(alike) : [];
  });
}

/** Not where an index finds the rows, as long as nothing else is asked for. */
function isCounting(prepared: PreparedScan): boolean {
  const { series, groupsPerBucket } = prepared.scan.query;
  if (prepared.schema.kind === 'metric' || groupsPerBucket) return false;
  return !(isLong(prepared) && series.some(({ where, whereLanguage }) => searchesText(where, whereLanguage)));
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
function packed(alike: readonly Counting[]): TalliedScans[] {
  const tallies: TalliedScans[] = [];
  for (const counting of alike) {
    if (tallies.at(-1)?.tryAdd(counting)) continue;
    const fresh = new TalliedScans(counting.scan);
    // One that has no room in a statement of its own is read as others are.
    if (fresh.tryAdd(counting)) tallies.push(fresh);
  }
  return tallies;
}

/** Table, range, buckets and groups. In a long range what was counted beforehand is not read again from the events. */
function frameKey(prepared: PreparedScan): string {
  const { scan, source, guards, plan } = prepared;
  const summarised = isLong(prepared) && plan.isSummarised;
  const { range, granularityMs, bucketOriginMs, groupBy, groupsMax } = scan.query;
  return JSON.stringify([
    source.id,
    guards.database,
    range,
    granularityMs,
    bucketOriginMs,
    groupBy,
    groupsMax,
    summarised,
  ]);
}

function resultOf(all: CountedCells, counted: CountedRows, result: QueryResult): QueryResult {
  const counts = counted.map((conditions) => all.countWhere(conditions));
  const cells = Array.from({ length: all.cells }, (_, cell) => cell);
  const present = cells.filter((cell) => counts.some((of) => of[cell] !== 0));
  const pick = (column: readonly unknown[]) => present.map((cell) => column[cell]);
  // As the number of rows and as the value.
  const columns = [...all.keys.map(pick), ...counts.flatMap((of) => [pick(of), pick(of)])];
  const names = columns.map((_, at) => (at === 0 ? 'ts' : `c${at}`));
  return { ...result, names, types: [], columns, rows: present.length };
}
