import type { CompiledQuery } from '../../../query/compiled-query.ts';
import type { QueryResult } from '../../../telemetry/ports.ts';
import type { PreparedScan } from './prepared-scan.ts';

/**
 * How one statement answers scans. `single`: one scan, or scans that ask the same. `sharedSeries`: scans that differ in
 * their series alone. `groupingSets`: scans of the same rows in other buckets or groups. `predicateCounting`: scans that
 * count the same rows by many filters.
 */
export type Mechanism = 'single' | 'sharedSeries' | 'groupingSets' | 'predicateCounting';

/** One statement, and how the answer of each scan comes out of its result. */
export interface ReadPlan {
  mechanism: Mechanism;
  /** Why this mechanism, for people. */
  reason: string;
  /** The scans that it answers; at least one. */
  scans: readonly PreparedScan[];
  /** Throws `AppError` where the user's text is too long. */
  statement(): CompiledQuery;
  /**
   * The answer of each scan, in the order of `scans`; `undefined` for one that may have more groups than it shows, whose
   * largest have to be read alone.
   */
  split(result: QueryResult): readonly (QueryResult | undefined)[];
}

/**
 * A statement that ran, and what it cost. `careful`: it followed, or took the place of, the one that was planned.
 * `rawSql`: a person wrote it.
 */
export interface RanStatement {
  mechanism: Mechanism | 'careful' | 'rawSql';
  reason: string;
  statement: CompiledQuery;
  /** How many scans it was to answer. */
  scans: number;
  rowsRead: number;
  bytesRead: number;
  elapsedMs: number;
}

/** The answer of a plan or of a scan, and all statements that ran for it, including useless ones. */
export interface ReadScan {
  result: QueryResult;
  statements: readonly RanStatement[];
}
