import type { ChartQuery } from '../../../query/chart-query.ts';
import type { QueryResult } from '../../../telemetry/ports.ts';

/** How many groups there were before any limit; 0 without groups. */
export function groupsTotal({ names, columns, rows }: QueryResult): number {
  const at = names.indexOf('groups_total');
  return at < 0 || rows === 0 ? 0 : Number(columns[at]?.[0] ?? 0);
}

/** Groups of a result whose first columns are the bucket and `groupFields` group values. */
export function countGroups({ columns, rows }: QueryResult, groupFields: number): number {
  const [only, ...more] = columns.slice(1, 1 + groupFields);
  if (more.length === 0) return new Set(only).size;
  const groups = new Set<string>();
  for (let row = 0; row < rows; row++) {
    groups.add(JSON.stringify([only, ...more].map((column) => column?.[row])));
  }
  return groups.size;
}

/** The result with `groups_total`, as the statement with the top-N limit would have answered it. */
export function withGroupsTotal(result: QueryResult, groups: number): QueryResult {
  const total = Array<number>(result.rows).fill(groups);
  return { ...result, names: [...result.names, 'groups_total'], columns: [...result.columns, total] };
}

/**
 * What a shared statement found for a query, with `groups_total`; `undefined` when it has as many groups as the query
 * asks for, so that some may be missing.
 */
export function withFewGroups(
  result: QueryResult,
  { groupBy, groupsMax }: Pick<ChartQuery, 'groupBy' | 'groupsMax'>,
): QueryResult | undefined {
  if (groupBy.length === 0) return result;
  const groups = countGroups(result, groupBy.length);
  return groups >= groupsMax ? undefined : withGroupsTotal(result, groups);
}
