import type { ChartTable } from './chart-table.ts';

/**
 * The rows as JSON text (decisions C1): `{"ts_bucket", "group", "series_0.data", …, "ratio"}`. Written once as a string:
 * an answer of ten thousand rows never exists as objects.
 */
export function presentChartRows(table: ChartTable): string {
  const groups = table.groups.map((group, index) => `,"group":${JSON.stringify(group)}${markOf(table, index)}`);
  const keys = table.series.map((_, series) => `,"series_${series}.data":`);
  return joinRows(table, keys, (row) => groups[table.groupOf[row] ?? 0] ?? '');
}

/**
 * The rows of `seriesReturnType: "column"`: `series_0` instead of `series_0.data`, the bucket also as ISO text and each
 * group field also under its own name.
 */
export function presentChartColumns(table: ChartTable, groupBy: readonly string[]): string {
  const fields = table.groups.map(
    (group, index) => groupFields(group, groupBy, table.series.length) + markOf(table, index),
  );
  const keys = table.series.map((_, series) => `,"series_${series}":`);
  return joinRows(table, keys, (row) => {
    const bucket = new Date(table.bucketsMs[row] ?? 0).toISOString();
    return `,"__hdx_time_bucket":"${bucket}"${fields[table.groupOf[row] ?? 0]}`;
  });
}

function markOf({ otherGroup }: ChartTable, group: number): string {
  return group === otherGroup ? ',"other":true' : '';
}

function groupFields(group: readonly string[], groupBy: readonly string[], seriesCount: number): string {
  const taken = new Set(['ts_bucket', 'group', 'ratio', '__hdx_time_bucket']);
  for (let series = 0; series < seriesCount; series++) taken.add(`series_${series}`);
  let text = `,"group":${JSON.stringify(group)}`;
  groupBy.forEach((field, i) => {
    if (taken.has(field)) return;
    taken.add(field);
    text += `,${JSON.stringify(field)}:${JSON.stringify(group[i] ?? '')}`;
  });
  return text;
}

function joinRows(table: ChartTable, keys: readonly string[], head: (row: number) => string): string {
  const { bucketsMs, series, ratio } = table;
  let text = '';
  for (let row = 0; row < bucketsMs.length; row++) {
    text += `${row === 0 ? '{' : ',{'}"ts_bucket":${bucketsMs[row]}${head(row)}`;
    for (let i = 0; i < series.length; i++) {
      const cell = series[i]?.[row];
      if (cell !== undefined) text += `${keys[i]}${cell}`;
    }
    if (ratio) text += `,"ratio":${ratio[row]}`;
    text += '}';
  }
  return `[${text}]`;
}
