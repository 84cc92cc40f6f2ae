import type { Condition, TimeRange, WhereLanguage } from './chart-query.ts';

/** Events of a log or trace source, one page of them. */
export interface SearchQuery {
  range: TimeRange;
  /** User text in `whereLanguage`; empty matches everything. */
  where: string;
  whereLanguage: WhereLanguage;
  /** Further filters, of what surrounds the search. */
  conditions?: readonly Condition[];
  /** User texts: columns, attributes, maps and allowed functions of these; at least one. */
  select: readonly string[];
  /** User text: columns with ASC or DESC, separated by commas; newest first when absent. */
  orderBy?: string;
  limit: number;
  offset: number;
}
