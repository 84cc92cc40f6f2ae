/** One measured figure beside its bound, taken in the same run. */
export interface Row {
  name: string;
  unit: string;
  subject: number;
  /** Absent where the target is an absolute figure. */
  bound?: number;
  ratio?: number;
  goal: string;
}

/** A Markdown table of one section. */
export function table(title: string, note: string, rows: readonly Row[]): string {
  const lines = rows.map(
    (row) =>
      `| ${row.name} | ${figure(row.subject)} ${row.unit} | ${row.bound === undefined ? '–' : figure(row.bound)} | ${
        row.ratio === undefined ? '–' : row.ratio.toFixed(2)
      } | ${row.goal} |`,
  );
  return [
    `## ${title}`,
    '',
    note,
    '',
    '| what | measured | bound | ratio | goal |',
    '|---|---|---|---|---|',
    ...lines,
    '',
  ].join('\n');
}

function figure(value: number): string {
  if (value >= 1000) return Math.round(value).toLocaleString('en-US');
  return value >= 100 ? value.toFixed(0) : value.toFixed(1);
}
