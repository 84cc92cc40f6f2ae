import type { Condition, TimeRange, WhereLanguage } from './chart-query.ts';

/** The texts of events of a log or trace source, some or all of them. */
export interface PatternsQuery {
  range: TimeRange;
  /** User text: what holds the text. */
  field: string;
  /** User text in `whereLanguage`; empty matches everything. */
  where: string;
  whereLanguage: WhereLanguage;
  conditions?: readonly Condition[];
  /** Parts of the range that are read; none = all of it. */
  slices: readonly TimeRange[];
  /** Most events that are read. */
  eventsMax: number;
  /** Characters of a text that are read. */
  lengthMax: number;
}
