import type { TimeRange } from '../chart-query.ts';

/** The values that a dashboard's variable has. */
export interface VariableValues {
  values: readonly string[];
}

/** A condition as a part of a statement. */
export interface WrittenCondition {
  sql: string;
  params: Readonly<Record<string, string>>;
}

/** What the macros, parameters and variables of a statement mean. */
export interface TemplateScope {
  /** Half-open: `[startMs, endMs)`. */
  range: TimeRange;
  /** Bucket width. */
  intervalMs: number;
  /** Buckets start at this instant plus multiples of the width, Unix ms. */
  originMs: number;
  /** Or they lie between these; ascending, Unix ms. */
  edgesMs?: readonly number[];
  /**
   * The table of the source, for metrics of this kind. Throws `QueryTextError`, without a position, when there is none.
   */
  tableOf(metricKind: string | undefined): { database: string; table: string };
  /** What narrows the tile; `undefined` when nothing does. Throws `QueryTextError` if it cannot narrow a statement. */
  filters(): WrittenCondition | undefined;
  variables: ReadonlyMap<string, VariableValues>;
  /** The variable's own expression is one of its values. Throws `QueryTextError` if it has none, or the tile no source. */
  variableFilter(name: string): WrittenCondition;
}
