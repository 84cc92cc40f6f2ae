import type { PreparedScan } from './prepared-scan.ts';

const rememberedMax = 1_000;

/** Remembers which questions had more groups than they show, so that these are not read without a limit again. */
export class WideScans {
  readonly #keys = new Set<string>();

  isWide(scan: PreparedScan): boolean {
    return scan.scan.query.groupBy.length > 0 && this.#keys.has(keyOf(scan));
  }

  add(scan: PreparedScan): void {
    if (this.#keys.size >= rememberedMax) this.#keys.clear();
    this.#keys.add(keyOf(scan));
  }
}

/** What decides how many rows come: the groups, and the number of buckets. */
function keyOf({ source, guards, scan: { query, metricKind } }: PreparedScan): string {
  const { granularityMs, groupBy, groupsMax, range, series } = query;
  const metrics = series.map(({ metric }) => metric?.name);
  const rangeMs = range.endMs - range.startMs;
  return JSON.stringify([source.id, guards.database, metricKind, metrics, granularityMs, groupBy, groupsMax, rangeMs]);
}
