import type { Service, ServiceOperation } from '../../contract/services.ts';
import type { TimeRange } from '../../query/chart-query.ts';
import type { ServiceBasis } from '../../query/services-query.ts';
import type { QueryResult } from '../../telemetry/ports.ts';

type Measures = NonNullable<Service['previous']>;

/** What turns columns into measures. */
export interface Units {
  /** How long the period is. */
  seconds: number;
  /** Milliseconds in the source's unit of durations. */
  msPerUnit: number;
  /** How many traces each that was read stands for; one, when absent. */
  tracesPerRead?: number;
}

export function unitsOf({ startMs, endMs }: TimeRange, durationPrecision: number): Units {
  return { seconds: (endMs - startMs) / 1000, msPerUnit: 1000 / 10 ** durationPrecision };
}

/** A group of one period with what each basis says of it. */
export interface MeasuredGroup {
  name: string;
  isCurrent: boolean;
  measures: ReadonlyMap<ServiceBasis, Measures>;
}

/** Columns as `compileServices` says. */
export function groupsOf(result: QueryResult, bases: readonly ServiceBasis[], units: Units): MeasuredGroup[] {
  const cell = cellsOf(result);
  return Array.from({ length: result.rows }, (_, row) => ({
    name: String(cell('g', row) ?? ''),
    isCurrent: Number(cell('is_current', row)) === 1,
    measures: new Map(bases.map((basis) => [basis, measuresOf(cell, row, `${basis}_`, units)])),
  }));
}

export type Cell = (name: string, row: number) => unknown;

export function cellsOf({ columns, names }: QueryResult): Cell {
  const places = new Map(names.map((name, index) => [name, index]));
  return (name, row) => columns[places.get(name) ?? -1]?.[row];
}

/** Columns as `spanMeasures` says. */
export function measuresOf(
  cell: Cell,
  row: number,
  prefix: string,
  { seconds, msPerUnit, tracesPerRead = 1 }: Units,
): Measures {
  const requests = Number(cell(`${prefix}calls`, row) ?? 0) * tracesPerRead;
  const errors = Number(cell(`${prefix}errors`, row) ?? 0) * tracesPerRead;
  const duration = (index: number): number | null => {
    const value = cell(`${prefix}q${index}`, row);
    const number = typeof value === 'number' ? value : Number.NaN;
    return Number.isFinite(number) && requests > 0 ? number * msPerUnit : null;
  };
  return {
    requests,
    rate: requests / seconds,
    errors,
    errorShare: requests === 0 ? null : errors / requests,
    p50Ms: duration(0),
    p95Ms: duration(1),
    p99Ms: duration(2),
  };
}

/** Both periods of each group on one basis, those with most requests first. Groups without requests in both are left out. */
export function comparePeriods(
  groups: readonly MeasuredGroup[],
  basisOf: (name: string) => ServiceBasis,
): ServiceOperation[] {
  const byName = new Map<string, { current?: Measures; previous?: Measures }>();
  for (const { name, isCurrent, measures } of groups) {
    const of = measures.get(basisOf(name));
    if (of === undefined || of.requests === 0) continue;
    byName.set(name, { ...byName.get(name), [isCurrent ? 'current' : 'previous']: of });
  }
  return [...byName]
    .map(([name, { current = nothing, previous = null }]) => ({ name, basis: basisOf(name), ...current, previous }))
    .sort((a, b) => b.requests - a.requests || (a.name < b.name ? -1 : 1));
}

const nothing: Measures = {
  requests: 0,
  rate: 0,
  errors: 0,
  errorShare: null,
  p50Ms: null,
  p95Ms: null,
  p99Ms: null,
};
