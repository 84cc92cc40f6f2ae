import type { TimeRange, WhereLanguage } from './chart-query.ts';

/** The most frequent values of some fields of a log or trace source. */
export interface FacetQuery {
  range: TimeRange;
  /** User text in `whereLanguage`; empty matches everything. */
  where: string;
  whereLanguage: WhereLanguage;
  /** User texts: columns or attributes. */
  fields: readonly string[];
  /** Values per field. */
  limit: number;
  /** Sampled slices of the range; none = the whole range. */
  slices: readonly TimeRange[];
}

/** Values that a field had in some rows of the range. */
export interface ValuesQuery {
  range: TimeRange;
  /** User text: a column or an attribute. */
  field: string;
  /** What the values begin with, in any case of letters. */
  prefix: string;
  /** User text in `whereLanguage`; empty = the values of all rows. */
  where: string;
  whereLanguage: WhereLanguage;
  limit: number;
}

/** What a question of an editor may cost; it is answered from what was read so far when the budget is used up. */
export interface ReadBudget {
  rowsToRead: number;
  /** Distinct values that are counted; values that appear after that many are left out. */
  distinct: number;
}
