import type { CompiledQuery } from '../../../query/compiled-query.ts';
import type { QueryResult } from '../../../telemetry/ports.ts';
import { countGroups, withGroupsTotal } from './groups-total.ts';
import { type PreparedScan, rowsMaxOf } from './prepared-scan.ts';
import type { ReadPlan } from './read-plan.ts';

/**
 * One scan, or scans that ask the same, read for themselves. Most charts have far fewer groups than they may show, and
 * the engine takes longer to plan a top-N limit than to count: all groups are read unless there are known to be many.
 */
export function planSingle(
  scans: readonly [PreparedScan, ...PreparedScan[]],
  reason: string,
  limit: 'allGroups' | 'topN',
): ReadPlan {
  const [scan] = scans;
  const statement = (): CompiledQuery => (limit === 'topN' ? scan.topNStatement() : scan.statement());
  const split = (result: QueryResult) => {
    const whole = limit === 'topN' ? result : wholeResult(scan, result);
    return scans.map(() => whole);
  };
  return { mechanism: 'single', reason, scans, statement, split };
}

/** The result with the number of its groups; `undefined` when there are, or may be, more than are shown. */
function wholeResult(scan: PreparedScan, result: QueryResult): QueryResult | undefined {
  const { groupBy, groupsMax } = scan.scan.query;
  if (groupBy.length === 0) return result;
  if (result.rows > rowsMaxOf(scan)) return undefined;
  const groups = countGroups(result, groupBy.length);
  return groups <= groupsMax ? withGroupsTotal(result, groups) : undefined;
}
