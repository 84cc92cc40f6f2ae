import type { QueryResult } from '../../src/telemetry/ports.ts';

/** What the API answers, as far as it is compared. */
export interface ChartAnswer {
  data: (Readonly<Record<string, unknown>> & { ts_bucket: number; group: readonly string[] })[];
  meta: { cache: string; truncated: boolean };
}

/** Per group, values by bucket and series; a value that is 0 or absent says the same. */
type Values = Map<string, Map<string, number>>;

/**
 * The first value of the chart that is not that of the hand-written statement, up to `tolerance` of the larger one. The
 * statement answers bucket (seconds), group where there are groups, and a value per series. Of answers cut to the
 * largest groups only those in both are compared: which of equally large ones stay is anyone's choice.
 */
export function differenceOf(chart: ChartAnswer, bound: QueryResult, tolerance: number): string | undefined {
  const own = valuesOfChart(chart);
  const theirs = valuesOfBound(bound, chart.data[0]?.group.length ?? 0);
  if (own.size === 0) return 'the chart is empty';
  if (own.size !== theirs.size) return `the chart has ${own.size} groups, the statement ${theirs.size}`;
  for (const [group, values] of own) {
    const others = theirs.get(group);
    if (!others && chart.meta.truncated) continue;
    for (const key of new Set([...values.keys(), ...(others?.keys() ?? [])])) {
      const [one, other] = [values.get(key) ?? 0, others?.get(key) ?? 0];
      if (Math.abs(one - other) <= tolerance * Math.max(Math.abs(one), Math.abs(other))) continue;
      return `group ${group}, bucket and series ${key}: the chart says ${one}, the statement ${other}`;
    }
  }
  return undefined;
}

function valuesOfChart({ data }: ChartAnswer): Values {
  const values: Values = new Map();
  for (const row of data) {
    for (const [name, value] of Object.entries(row)) {
      const series = /^series_(\d+)\.data$/.exec(name)?.[1];
      if (series !== undefined) add(values, row.group.join(), `${row.ts_bucket} ${series}`, value);
    }
  }
  return values;
}

function valuesOfBound({ columns, rows }: QueryResult, groupFields: number): Values {
  const values: Values = new Map();
  const [buckets, ...others] = columns;
  const groups = others.slice(0, groupFields);
  for (let row = 0; row < rows; row++) {
    const group = groups.map((column) => column[row]).join();
    others.slice(groupFields).forEach((column, series) => {
      add(values, group, `${Number(buckets?.[row]) * 1000} ${series}`, column[row]);
    });
  }
  return values;
}

function add(values: Values, group: string, key: string, value: unknown): void {
  if (value === null || Number(value) === 0) return;
  const ofGroup = values.get(group) ?? new Map<string, number>();
  values.set(group, ofGroup.set(key, Number(value)));
}
