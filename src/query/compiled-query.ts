/**
 * A statement that is ready to run. Values travel only in `params`; the text holds `{p1:String}` placeholders.
 *
 * Result columns of a chart query, in this order: `ts` (bucket start, Unix ms, Int64), `g0`…`gN` (group values,
 * String), then for each series `n0` (rows that matched, UInt64) and `v0` (Nullable(Float64)).
 * Rows are sorted by bucket, then group.
 */
export interface CompiledQuery {
  sql: string;
  params: Readonly<Record<string, string>>;
  settings: Readonly<Record<string, string | number>>;
}

/** The user's text is wrong: what, where and what would be right. Becomes 400 at the edge. */
export class QueryTextError extends Error {
  /** Which text: `series.0.where`, `groupBy.1`, … set by the caller that knows it. */
  readonly position: number | undefined;
  /** End of the offending part, exclusive; characters from 0. */
  readonly end: number | undefined;

  constructor(message: string, position?: number, end?: number) {
    super(message);
    this.name = 'QueryTextError';
    this.position = position;
    this.end = end;
  }
}
