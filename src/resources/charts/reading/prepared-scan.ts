import type { Guards } from '../../../query/chart-query.ts';
import { type ChartPlan, compileAllGroups, compileTopN, planChart } from '../../../query/compile-chart.ts';
import { type CompiledQuery, QueryTextError } from '../../../query/compiled-query.ts';
import { searchesText } from '../../../query/searches-text.ts';
import type { SourceSchema } from '../../../query/source-schema.ts';
import type { Source } from '../../sources/source.ts';
import { toTextProblem } from '../request/text-problem.ts';
import type { ConnectionEngine } from './connection-engine.ts';
import type { Scan } from './to-scans.ts';

/** A scan with all that its statement needs. */
export interface PreparedScan {
  scan: Scan;
  source: Source;
  engine: ConnectionEngine;
  schema: SourceSchema;
  guards: Guards;
  plan: ChartPlan;
  /** By series, the filter that a text index answers, which works only for a statement on its own; else ''. */
  indexedSearches(): readonly string[];
  /**
   * All groups, up to a number of rows; then one row more. Compiled on first use, as scans that share a statement do
   * not need it. Throws `AppError` as `prepareScan` does.
   */
  statement(): CompiledQuery;
  /** The largest groups only, and how many there are; throws as `statement` does. */
  topNStatement(): CompiledQuery;
}

/** An answer of more rows is left to the engine to limit. */
const rowsWithoutLimitMax = 20_000;

/** Most rows of a scan that `statement` reads to the end. */
export function rowsMaxOf({ scan, guards }: Pick<PreparedScan, 'scan' | 'guards'>): number {
  return scan.query.groupBy.length > 0 ? Math.min(rowsWithoutLimitMax, guards.resultRowsMax) : guards.resultRowsMax;
}

/** Plans what the scan asks. Throws `query_invalid` with the path and the position in the user's text. */
export function prepareScan(
  parts: Omit<PreparedScan, 'plan' | 'indexedSearches' | 'statement' | 'topNStatement'>,
): PreparedScan {
  const { scan, source, schema, guards } = parts;
  const plan = withPath(parts, () => planChart(scan.query, schema));
  let searches: readonly string[] | undefined;
  let all: CompiledQuery | undefined;
  return {
    scan,
    source,
    engine: parts.engine,
    schema,
    guards,
    plan,
    indexedSearches: () => {
      searches ??= indexedSearchesOf(scan);
      return searches;
    },
    statement: () => {
      all ??= withPath(parts, () => compileAllGroups(plan, scan.query, guards, rowsMaxOf(parts) + 1));
      return all;
    },
    topNStatement: () => withPath(parts, () => compileTopN(plan, scan.query, guards)),
  };
}

/** In a shorter range, such as an alert's window, an index of texts saves less than reading the rows once for all. */
const indexWorthwhileMs = 15 * 60_000;

export function isLong({ scan }: Pick<PreparedScan, 'scan'>): boolean {
  return scan.query.range.endMs - scan.query.range.startMs > indexWorthwhileMs;
}

function indexedSearchesOf(scan: Scan): string[] {
  return scan.query.series.map(({ where, whereLanguage }) =>
    isLong({ scan }) && searchesText(where, whereLanguage) ? where : '',
  );
}

function withPath<T>({ scan, source }: Pick<PreparedScan, 'scan' | 'source'>, compile: () => T): T {
  try {
    return compile();
  } catch (error) {
    if (!(error instanceof QueryTextError)) throw error;
    throw toTextProblem(error, source.name, (where = 'series') => requestPath(where, scan.seriesIndexes));
  }
}

/** A path of the scan as a path of the request: the scan numbers its own series only. */
export function requestPath(path: string, seriesIndexes: readonly number[]): string {
  if (path.startsWith('groupBy')) return `series.0.${path}`;
  return path.replace(/^series\.(\d+)/, (_, index) => `series.${seriesIndexes[Number(index)] ?? index}`);
}
