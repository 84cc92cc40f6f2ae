import type { AggregateName } from '../../../src/query/chart-query.ts';
import { type Fact, type Field, groupedBy, total } from './facts.ts';
import type { Filter } from './filters.ts';

export interface Window {
  startMs: number;
  endMs: number;
  granularityMs: number;
  groupBy: readonly Field[];
  /** Buckets of numbers, tables, pies and bars have none; true when absent. */
  hasTimeAxis?: boolean;
  /** Buckets are aligned to this instant; to the Unix epoch if absent. */
  originMs?: number;
}

/** What is calculated of the values of a metric; `undefined` = no number. */
export interface Calculation {
  text: string;
  of(value: number, fact: Fact): number | undefined;
}

/** What is calculated of aggregates, which are asked for by name. */
export interface Expression {
  text: string;
  of(
    aggregate: (name: AggregateName, field?: Field, filter?: (fact: Fact) => boolean, level?: number) => number,
  ): number;
}

/** One series as the slow reading takes it. */
export interface SlowSeries {
  aggregate: AggregateName;
  level: number;
  field?: Field;
  filter?: Filter;
  metricName?: string;
  calculation?: Calculation;
  expression?: Expression;
  /** Of gauges: over what each attribute set changed by. */
  overChanges?: boolean;
}

/** What one series holds in one bucket and group; `rows` = how many rows contribute to it, never 0. */
export interface SlowCell {
  bucketMs: number;
  group: readonly string[];
  rows: number;
  value: number | null;
}

/** A source that can be read row by row. */
export interface SlowSource {
  read(series: SlowSeries, window: Window): SlowCell[];
}

export function isInside({ atMs }: Fact, { startMs, endMs }: Window): boolean {
  return atMs >= startMs && atMs < endMs;
}

/** decisions C2: buckets are aligned to the Unix epoch. */
export const bucketOf = (atMs: number, granularityMs: number, originMs = 0): number =>
  Math.floor((atMs - originMs) / granularityMs) * granularityMs + originMs;

/** The items of each bucket and group. */
export function cellsOf<T>(
  items: readonly T[],
  factOf: (item: T) => Fact,
  { granularityMs, groupBy, originMs }: Window,
): { bucketMs: number; group: readonly string[]; items: readonly T[] }[] {
  const keyOf = (item: T): string => {
    const fact = factOf(item);
    return JSON.stringify([
      bucketOf(fact.atMs, granularityMs, originMs),
      groupBy.map((field) => String(field.read(fact))),
    ]);
  };
  return [...groupedBy(items, keyOf)].map(([key, own]) => {
    const [bucketMs, group] = JSON.parse(key) as [number, string[]];
    return { bucketMs, group, items: own };
  });
}

export interface Measured {
  value: number;
  atMs: number;
  /** How many rows this one represents. */
  weight: number;
}

/** Aggregates of numbers (decisions C7); sampled rows weigh in count, sum, avg and quantile. Null of nothing. */
export function aggregateNumbers(name: AggregateName, measured: readonly Measured[], level: number): number | null {
  if (measured.length === 0) return null;
  const values = measured.map(({ value }) => value);
  const weighted = total(measured.map(({ value, weight }) => value * weight));
  switch (name) {
    case 'sum':
      return weighted;
    case 'avg':
      return weighted / total(measured.map(({ weight }) => weight));
    case 'min':
      return Math.min(...values);
    case 'max':
      return Math.max(...values);
    case 'last_value':
      return measured.reduce((a, b) => (b.atMs > a.atMs || (b.atMs === a.atMs && b.value > a.value) ? b : a)).value;
    case 'quantile':
      return quantile(
        measured.flatMap(({ value, weight }) => new Array<number>(weight).fill(value)),
        level,
      );
    default:
      throw new Error(`${name} is no aggregate of numbers`);
  }
}

/** Linear between the closest ranks, h = (n - 1) · level. */
function quantile(values: readonly number[], level: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * level;
  const low = sorted[Math.floor(place)] ?? 0;
  const high = sorted[Math.ceil(place)] ?? low;
  return low + (high - low) * (place - Math.floor(place));
}
