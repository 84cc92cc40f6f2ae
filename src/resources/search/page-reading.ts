import type { CompiledQuery } from '../../query/compiled-query.ts';
import type { SearchQuery } from '../../query/search-query.ts';
import type { ParsedOrdering } from '../../query/sql/parse-order.ts';
import type { QueryResult } from '../../telemetry/ports.ts';

/** A search that is ready to be read. */
export interface PageReading {
  query: SearchQuery;
  /** What the events are ordered by, and which of these columns holds their time. */
  order: readonly ParsedOrdering[];
  timestampColumn: string;
  /** See `compileSearchPage` and `compileSearch`. */
  compilePage: (query: SearchQuery) => CompiledQuery;
  compileExact: (query: SearchQuery) => CompiledQuery;
  run: (compiled: CompiledQuery) => Promise<QueryResult>;
}
