import type { ExplainedRead, ExplainedStatement } from '../../../contract/explain.ts';
import type { ScanAnswer } from '../reading/cached-scans.ts';
import type { RanStatement } from '../reading/read-plan.ts';

/** How one scan of a chart was answered. */
export type ChartRead = Omit<ScanAnswer, 'result'> & { sourceName: string; seriesIndexes: readonly number[] };

/** `meta.explain`: the plans that ran. */
export function explainReads(reads: readonly ChartRead[]): ExplainedRead[] {
  return reads.map(({ sourceName, seriesIndexes, cachedBuckets, statements }) => ({
    source: sourceName,
    series: [...seriesIndexes],
    cachedBuckets,
    statements: statements.map(explainStatement),
  }));
}

function explainStatement(ran: RanStatement): ExplainedStatement {
  const { mechanism, reason, scans, statement, rowsRead, bytesRead, elapsedMs } = ran;
  const { sql, params, techniques = [] } = statement;
  const plan = { mechanism, reason, queries: scans, techniques: [...techniques] };
  return { ...plan, sql, parameters: { ...params }, rowsRead, bytesRead, elapsedMs };
}
