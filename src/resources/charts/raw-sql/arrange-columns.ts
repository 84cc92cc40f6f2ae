import type { QueryResult } from '../../../telemetry/ports.ts';
import { QueryProblem } from '../request/query-problem.ts';
import { type SqlTile, sqlTemplatePath } from '../request/sql-tile.ts';

/** A column of numbers; `null` where there is none. */
export interface SqlValueColumn {
  name: string;
  cells: readonly (number | null)[];
  /** Whole numbers that cannot be missing, as counts are: nothing counted is zero. */
  isCount: boolean;
}

export interface SqlGroupColumn {
  name: string;
  /** Its cells are instants. */
  isTime: boolean;
  cells: readonly string[];
}

/** The time axis of an answer: the same few instants come in most rows. */
export interface SqlTimeColumn {
  /** Each once, Unix ms; NaN for NULL, which no bucket holds. */
  instantsMs: readonly number[];
  /** Index into `instantsMs` of each row. */
  instantOf: readonly number[];
}

/** The columns of an answer by what they mean, each in the order of the statement. */
export interface ArrangedColumns {
  rows: number;
  /** Without rows in a layout that is not over time. */
  time: SqlTimeColumn;
  groups: readonly SqlGroupColumn[];
  values: readonly SqlValueColumn[];
  /** All, in the order of the statement. */
  order: readonly ({ kind: 'group'; at: number } | { kind: 'value'; at: number })[];
}

/**
 * Over time, the first date or time is the time axis. Numbers are values, and everything else makes the groups (contract
 * §3.4). Throws `query_invalid` if what the layout needs is missing.
 */
export function arrangeColumns(
  { names, types, columns, rows }: QueryResult,
  { layout, displayType }: Pick<SqlTile, 'layout' | 'displayType'>,
): ArrangedColumns {
  rejectSameNames(names);
  const bare = types.map(bareType);
  const time = layout === 'time' ? bare.findIndex((type) => /^Date/.test(type)) : -1;
  if (layout === 'time' && time < 0) {
    throw problem(
      'the statement needs a column of type DateTime or Date for the time axis, such as $__timeInterval(Timestamp) AS ts',
    );
  }
  const groups: SqlGroupColumn[] = [];
  const values: SqlValueColumn[] = [];
  const order: ArrangedColumns['order'][number][] = [];
  names.forEach((name, at) => {
    const cells = columns[at] ?? [];
    if (at === time) return;
    if (isNumber(bare[at] ?? '')) {
      order.push({ kind: 'value', at: values.length });
      values.push({ name, cells: cells.map(numberOf), isCount: /^U?Int/.test(types[at] ?? '') });
    } else {
      order.push({ kind: 'group', at: groups.length });
      groups.push({ name, isTime: /^DateTime/.test(bare[at] ?? ''), cells: cells.map(textOf) });
    }
  });
  if (values.length === 0 && displayType !== 'table') throw problem('the statement needs a column of numbers to draw');
  return { rows, time: timeColumn(columns[time] ?? []), groups, values, order };
}

function timeColumn(cells: readonly unknown[]): SqlTimeColumn {
  const known = new Map<unknown, number>();
  const instantsMs: number[] = [];
  const instantOf = cells.map((cell) => {
    const index = known.get(cell);
    if (index !== undefined) return index;
    known.set(cell, instantsMs.length);
    return instantsMs.push(toInstant(cell)) - 1;
  });
  return { instantsMs, instantOf };
}

function rejectSameNames(names: readonly string[]): void {
  const repeated = names.find((name, at) => names.indexOf(name) < at);
  if (repeated !== undefined) throw problem(`two columns are called ${repeated}; give them different names with AS`);
}

function bareType(type: string): string {
  const inner = /^(?:Nullable|LowCardinality)\((.*)\)$/.exec(type)?.[1];
  return inner === undefined ? type : bareType(inner);
}

function isNumber(type: string): boolean {
  return /^(?:U?Int|Float|BFloat|Decimal)/.test(type);
}

/** Large integers and decimals may come as text. */
function numberOf(cell: unknown): number | null {
  if (cell === null || cell === undefined) return null;
  const value = Number(cell);
  return Number.isFinite(value) ? value : null;
}

function textOf(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell);
}

function toInstant(cell: unknown): number {
  return typeof cell === 'string' ? Date.parse(cell) : Number.NaN;
}

function problem(reason: string): QueryProblem {
  return new QueryProblem(sqlTemplatePath, reason);
}
