import type { TimeRange, WhereLanguage } from './chart-query.ts';

interface Side {
  range: TimeRange;
  /** User text in `whereLanguage`; empty matches everything. */
  where: string;
  whereLanguage: WhereLanguage;
  /** Parts of the range that are read; none = all of it. */
  slices: readonly TimeRange[];
}

/** Events of a log or trace source that are compared with the others of a range. */
export interface DeltasQuery {
  /** All events; its slices sample those that are not selected. */
  all: Side;
  /** Within the range of all. */
  selection: Side;
  /** Longer values are left out. */
  valueLengthMax: number;
  /** Most values in the answer, those that differ most. */
  valuesMax: number;
}
