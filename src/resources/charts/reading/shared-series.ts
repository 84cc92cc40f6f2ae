import type { ChartQuery, SeriesQuery } from '../../../query/chart-query.ts';
import { compileAllGroups, planChart } from '../../../query/compile-chart.ts';
import { type CompiledQuery, needsCareColumn, tookTurnsColumn } from '../../../query/compiled-query.ts';
import type { QueryResult } from '../../../telemetry/ports.ts';
import { withFewGroups } from './groups-total.ts';
import type { PreparedScan } from './prepared-scan.ts';
import type { ReadPlan } from './read-plan.ts';
import { seriesKey } from './series-key.ts';
import { unlessTooLong } from './unless-too-long.ts';

/** Scans that differ in nothing but their series, each series that any of them asks for once. */
export interface SharedSeries {
  /** At least one; no two with the same series. */
  members: [PreparedScan, ...PreparedScan[]];
  series: SeriesQuery[];
  /** Key of a series → its place in `series`. */
  places: Map<string, number>;
}

export function sharedSeriesOf(scan: PreparedScan): SharedSeries {
  const shared: SharedSeries = { members: [scan], series: [], places: new Map() };
  addSeries(shared, scan);
  return shared;
}

/** False when the statement has no room for the scan's series. */
export function tryShare(shared: SharedSeries, scan: PreparedScan, seriesMax: number): boolean {
  const fresh = scan.scan.query.series.filter((series) => !shared.places.has(seriesKey(series)));
  if (shared.series.length + fresh.length > seriesMax) return false;
  addSeries(shared, scan);
  shared.members.push(scan);
  return true;
}

function addSeries({ series, places }: SharedSeries, { scan }: PreparedScan): void {
  for (const one of scan.query.series) {
    const key = seriesKey(one);
    if (!places.has(key)) places.set(key, series.push(one) - 1);
  }
}

/** One statement for all of them; `undefined` when it would be too long. */
export function planSharedSeries(shared: SharedSeries): ReadPlan | undefined {
  const { members } = shared;
  const compiled = compileShared(shared);
  if (!compiled) return undefined;
  return {
    mechanism: 'sharedSeries',
    reason: `${members.length} queries differ only in their series`,
    scans: members,
    statement: () => compiled,
    split: (result) => splitResult(result, shared),
  };
}

function compileShared({ members: [{ scan, schema, guards }], series }: SharedSeries): CompiledQuery | undefined {
  const query = { ...scan.query, series };
  return unlessTooLong(() => compileAllGroups(planChart(query, schema), query, guards, guards.resultRowsMax + 1));
}

/** Together they may have more groups than each of them shows: then none is taken from it. */
function splitResult(result: QueryResult, shared: SharedSeries): (QueryResult | undefined)[] {
  const whole = withFewGroups(result, shared.members[0].scan.query);
  return shared.members.map(({ scan }) => whole && columnsOf(whole, scan.query, shared));
}

/** The columns of one scan out of those of all. */
function columnsOf(result: QueryResult, query: ChartQuery, { places }: SharedSeries): QueryResult {
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
