import type { QueryResult } from '../../telemetry/ports.ts';

/** The second answer to a question, with what both cost: they were read one after the other. */
export function withCostOf(first: QueryResult, second: QueryResult): QueryResult {
  return {
    ...second,
    rowsRead: first.rowsRead + second.rowsRead,
    bytesRead: first.bytesRead + second.bytesRead,
    elapsedMs: first.elapsedMs + second.elapsedMs,
  };
}
