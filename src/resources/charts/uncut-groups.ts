import type { ChartQuery } from '../../query/chart-query.ts';
import type { QueryResult } from '../../telemetry/ports.ts';
import type { PreparedScan, ScanOptions, ScanRunner } from './scan-runner.ts';

/** An answer of more rows is left to the engine to cut. */
const rowsMax = 20_000;
const rememberedMax = 1_000;

/**
 * Groups that need no cut, read without one: most charts have far fewer than they may show, and the engine takes longer
 * to plan the cut than to count. What turned out to be wide is remembered, so that it is not read twice each time.
 */
export class UncutGroups {
  readonly #runner: Pick<ScanRunner, 'runOne'>;
  readonly #wide = new Set<string>();

  constructor(runner: Pick<ScanRunner, 'runOne'>) {
    this.#runner = runner;
  }

  /** The scan's answer as with the cut, or `undefined` when a cut is, or may be, due. Throws `AppError`, and as `ScanRunner.runOne`. */
  async run(scan: PreparedScan, options: ScanOptions): Promise<QueryResult | undefined> {
    const { query } = scan.scan;
    if (query.groupBy.length === 0 || query.groupsPerBucket || this.#wide.has(keyOf(scan))) return undefined;
    const limit = Math.min(rowsMax, scan.guards.resultRowsMax);
    const result = await this.#runner.runOne(scan, scan.uncutStatement(limit + 1), options);
    const groups = result.rows > limit ? Number.POSITIVE_INFINITY : countGroups(result, query);
    if (groups <= query.groupsMax) return withTotal(result, groups);
    if (this.#wide.size >= rememberedMax) this.#wide.clear();
    this.#wide.add(keyOf(scan));
    return undefined;
  }
}

/** What decides how many rows come: the groups, and the number of buckets. */
function keyOf({ source, guards, scan: { query, metricKind } }: PreparedScan): string {
  const { granularityMs, groupBy, range, series } = query;
  const metrics = series.map(({ metric }) => metric?.name);
  return JSON.stringify([
    source.id,
    guards.database,
    metricKind,
    metrics,
    granularityMs,
    groupBy,
    range.endMs - range.startMs,
  ]);
}

function countGroups({ columns, rows }: QueryResult, { groupBy }: ChartQuery): number {
  const keys = columns.slice(1, 1 + groupBy.length);
  const groups = new Set<unknown>();
  for (let row = 0; row < rows; row++)
    groups.add(keys.length === 1 ? keys[0]?.[row] : JSON.stringify(keys.map((column) => column[row])));
  return groups.size;
}

function withTotal(result: QueryResult, groups: number): QueryResult {
  return {
    ...result,
    names: [...result.names, 'groups_total'],
    types: [...result.types, 'UInt64'],
    columns: [...result.columns, Array.from({ length: result.rows }, () => groups)],
  };
}
