import type { ChartRequest } from '../../../src/contract/chart.ts';
import { groupedBy, total } from './facts.ts';
import type { Kind } from './kinds.ts';
import { bucketOf, type SlowSeries, type Window } from './slow-cells.ts';

export interface AskedSeries {
  kind: Kind;
  slow: SlowSeries;
  language: 'lucene' | 'sql' | 'nothing';
}

/** A chart request with all that the slow reading needs to know of it. */
export interface Asked {
  series: readonly AskedSeries[];
  window: Window;
  granularity: string | undefined;
  fill: 'null' | 'zero' | undefined;
  returnType: 'ratio' | 'column' | undefined;
  groupsMax: number;
}

export interface SlowRow {
  bucketMs: number;
  group: readonly string[];
  /** A value per series; `undefined` where it has no row. */
  values: readonly (number | null | undefined)[];
  /** Series 0 / series 1. */
  ratio: number | null;
}

/** The body of the request. */
export function toRequest({ series, window, granularity, fill, returnType, groupsMax }: Asked): ChartRequest {
  return {
    startTime: window.startMs,
    endTime: window.endMs,
    ...(granularity !== undefined && { granularity }),
    ...(fill && { fill }),
    ...(returnType && { seriesReturnType: returnType }),
    seriesLimit: groupsMax,
    series: series.map(({ kind, slow, language }) => ({
      sourceId: kind.sourceId,
      aggFn: slow.aggregate === 'expression' ? 'none' : slow.aggregate,
      where: language === 'nothing' ? '' : (slow.filter?.[language] ?? ''),
      ...(language !== 'nothing' && { whereLanguage: language }),
      groupBy: window.groupBy.map(({ text }) => text),
      ...(slow.field && { field: slow.field.text }),
      ...(slow.aggregate === 'quantile' && { level: slow.level }),
      ...(slow.metricName !== undefined && { metricName: slow.metricName }),
      ...(kind.metricType && { metricDataType: kind.metricType }),
      ...(slow.expression && { field: slow.expression.text }),
      ...(slow.calculation && { field: slow.calculation.text }),
      ...(slow.overChanges && { periodAggFn: 'delta' as const }),
    })),
  };
}

/** The values of every series, and the rows of each group: its size. */
export function readSlowly({ series, window }: Asked): { rows: SlowRow[]; sizes: Map<string, number> } {
  const cells = series.flatMap(({ kind, slow }, index) =>
    kind.slow.read(slow, window).map((cell) => ({ cell, index })),
  );
  const places = groupedBy(cells, ({ cell }) => placeOf(cell));
  const rows = [...places.values()].flatMap((own): SlowRow[] => {
    const [first] = own;
    if (!first) return [];
    const { bucketMs, group } = first.cell;
    const values = series.map((_, at) => own.find(({ index }) => index === at)?.cell.value);
    return [{ bucketMs, group, values, ratio: ratioOf(values) }];
  });
  const byGroup = groupedBy(cells, ({ cell }) => JSON.stringify(cell.group));
  const sizes = new Map([...byGroup].map(([group, own]) => [group, total(own.map(({ cell }) => cell.rows))]));
  return { rows: sorted(rows), sizes };
}

function placeOf({ bucketMs, group }: Pick<SlowRow, 'bucketMs' | 'group'>): string {
  return JSON.stringify([bucketMs, group]);
}

/** decisions C8: null when the denominator is 0 or missing, 0 when only the numerator is missing. */
function ratioOf([numerator, denominator]: SlowRow['values']): number | null {
  if (typeof denominator !== 'number' || denominator === 0 || numerator === null) return null;
  return (numerator ?? 0) / denominator;
}

/** By bucket, then group (decisions C1). */
function sorted(rows: readonly SlowRow[]): SlowRow[] {
  const before = (a: SlowRow, b: SlowRow): boolean => {
    if (a.bucketMs !== b.bucketMs) return a.bucketMs < b.bucketMs;
    const different = a.group.findIndex((value, index) => value !== b.group[index]);
    return different >= 0 && (a.group[different] ?? '') < (b.group[different] ?? '');
  };
  return rows.toSorted((a, b) => (before(a, b) ? -1 : before(b, a) ? 1 : 0));
}

/** Every group that has a row gets one in every bucket of the range, every series a value (decisions C5). */
export function filled(rows: readonly SlowRow[], { window, fill, series }: Asked): readonly SlowRow[] {
  if (!fill) return rows;
  const { startMs, endMs, granularityMs, groupBy } = window;
  const value = fill === 'zero' ? 0 : null;
  const present = new Map(rows.map(({ group }) => [JSON.stringify(group), group]));
  const groups = groupBy.length === 0 ? [[]] : [...present.values()];
  const known = new Map(rows.map((row) => [placeOf(row), row]));
  const all: SlowRow[] = [];
  for (let bucketMs = bucketOf(startMs, granularityMs); bucketMs < endMs; bucketMs += granularityMs) {
    for (const group of groups) {
      const row = known.get(placeOf({ bucketMs, group }));
      const values = series.map((_, index) => (row?.values[index] === undefined ? value : row.values[index]));
      all.push({ bucketMs, group, values, ratio: row?.ratio ?? null });
    }
  }
  return sorted(all);
}

/** A row of the answer. */
export function presented(row: SlowRow, { window, returnType }: Asked): Record<string, unknown> {
  const asColumns = returnType === 'column';
  const keyOf = (index: number): string => (asColumns ? `series_${index}` : `series_${index}.data`);
  const values = row.values.flatMap((value, index) => (value === undefined ? [] : [[keyOf(index), value]]));
  return {
    ts_bucket: row.bucketMs,
    group: row.group,
    ...(asColumns && { __hdx_time_bucket: new Date(row.bucketMs).toISOString() }),
    ...(asColumns && Object.fromEntries(window.groupBy.map(({ text }, index) => [text, row.group[index]]))),
    ...Object.fromEntries(values),
    ...(returnType === 'ratio' && { ratio: row.ratio }),
  };
}
