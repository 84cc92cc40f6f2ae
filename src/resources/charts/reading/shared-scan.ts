import type { SeriesQuery } from '../../../query/chart-query.ts';
import type { PreparedScan } from './scan-runner.ts';

/** The scans of several charts that differ in nothing but their series: each series that any of them asks for, once. */
export interface SharedScan {
  members: PreparedScan[];
  series: SeriesQuery[];
  /** Text of a series → its place in `series`. */
  places: Map<string, number>;
}
