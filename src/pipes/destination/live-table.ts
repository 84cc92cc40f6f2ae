import type { TargetTable } from '../target-table.ts';
import { printedColumnType } from './column-type.ts';

/** A table as the database reports it. */
export interface LiveTable {
  engine: string;
  definition: string;
  columns: readonly LiveColumn[];
}

export interface LiveColumn {
  name: string;
  type: string;
  /** Filled by the table alone: MATERIALIZED and ALIAS. */
  isComputed: boolean;
}

/** What keeps the pipe from writing into a table that is there, as sentences. */
export function misfits(target: TargetTable, live: LiveTable): string[] {
  if (!/MergeTree$|^Distributed$|^Null$|^Memory$|^Buffer$/.test(live.engine)) {
    return [`The table ${target.table} is of the engine ${live.engine}, into which a pipe cannot write.`];
  }
  const byName = new Map(live.columns.map((column) => [column.name, column]));
  const wanted = target.columns ?? [];
  const unmapped = target.columns ? [] : target.mappings.map(({ destinationField }) => destinationField);
  return [
    ...wanted.flatMap(({ name, type }) => columnMisfits(target, name, byName.get(name), type)),
    ...unmapped.flatMap((name) => columnMisfits(target, name, byName.get(name))),
  ];
}

function columnMisfits(
  { table, followsSource }: TargetTable,
  name: string,
  live: LiveColumn | undefined,
  type?: string,
): string[] {
  if (!live) return [`The table ${table} has no column ${name}.`];
  if (live.isComputed) return [`The column ${name} of ${table} is computed by the table and cannot be written.`];
  if (type === undefined || sameType(type, live.type)) return [];
  if (followsSource && sameType(withoutNull(type), withoutNull(live.type))) return [];
  return [`The column ${name} of ${table} is ${live.type}, not ${type}.`];
}

function sameType(wanted: string, live: string): boolean {
  return canonical(wanted) === canonical(live);
}

function withoutNull(type: string): string {
  return type.replace(/^(LowCardinality\()?Nullable\((.*)\)$/s, (_, outer = '', inner: string) => outer + inner);
}

/** Types that we do not print are compared as they are. */
function canonical(type: string): string {
  try {
    // The database writes quotes around names only where they are needed, and decimals with one name.
    return printedColumnType(type)
      .replaceAll('`', '')
      .replace(/\bDecimal(32|64|128|256)\(/g, decimalOf);
  } catch {
    return type;
  }
}

const digits: Readonly<Record<string, number>> = { 32: 9, 64: 18, 128: 38, 256: 76 };

function decimalOf(_: string, bits: string): string {
  return `Decimal(${digits[bits]}, `;
}
