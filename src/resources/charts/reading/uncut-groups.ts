import type { QueryResult } from '../../../telemetry/ports.ts';
import { countGroups, withGroupsTotal } from './groups-total.ts';
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
    const groups = result.rows > limit ? Number.POSITIVE_INFINITY : countGroups(result, query.groupBy.length);
    if (groups <= query.groupsMax) return withGroupsTotal(result, groups);
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
