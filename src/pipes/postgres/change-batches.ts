import type pg from 'pg';
import type { SourceBatch } from '../source-port.ts';
import type { Change, Cut } from './change-cuts.ts';
import { fieldOf } from './column-mapping.ts';
import { type Lsn, printLsn } from './lsn.ts';
import type { Relation, RowMessage, Tuple } from './pgoutput.ts';
import { ownColumns, type ReplicatedTable } from './replicated-table.ts';
import { nullField } from './tab-separated.ts';
import { fillUnchanged, type StreamRow } from './unchanged-values.ts';

/** Finds the table of the pipe with the columns of a relation; `undefined` when it is not the pipe's. */
type FindTable = (relation: Relation) => Promise<ReplicatedTable | undefined>;

/** What becomes of one table in a cut: rows, or the end of all rows before a place. */
type Segment = { table: ReplicatedTable; truncatedAt: Lsn } | { table: ReplicatedTable; rows: WrittenRow[] };

interface WrittenRow {
  values: StreamRow;
  isDeleted: boolean;
  lsn: Lsn;
}

export type ChangeBatch = Pick<SourceBatch, 'format' | 'body' | 'positionOf' | 'erases' | 'target' | 'fields'> & {
  /** Within its cut. */
  name: string;
};

/** The changes of a cut as batches, each of one table, in an order in which they may be written one after another. */
export async function changeBatches(
  cut: Cut,
  deps: { findTable: FindTable; lookups: pg.Client; syncedAt: string },
): Promise<ChangeBatch[]> {
  const segments = await segmentsOf(cut.changes, deps.findTable);
  const batches: ChangeBatch[] = [];
  for (const [number, segment] of segments.entries()) {
    const name = `${number}/${segment.table.target.table}`;
    if ('truncatedAt' in segment) {
      batches.push(erasing(segment.table, { name, below: segment.truncatedAt }));
      continue;
    }
    const { table, rows } = segment;
    await fillUnchanged(
      deps.lookups,
      table,
      rows.map(({ values }) => values),
    );
    batches.push(written(name, table, rows, deps.syncedAt));
  }
  return batches;
}

/** Marks the rows of a table as deleted whose version is lower. */
export function erasing({ target }: ReplicatedTable, { name, below }: { name: string; below: Lsn }): ChangeBatch {
  return {
    name,
    format: 'TabSeparated',
    body: [],
    erases: { version: String(below) },
    positionOf: () => printLsn(below),
    target,
  };
}

export function fieldsOf({ columns }: ReplicatedTable): string[] {
  return [...columns.map(({ name }) => name), ...Object.values(ownColumns).map(({ name }) => name)];
}

function written(name: string, table: ReplicatedTable, rows: readonly WrittenRow[], syncedAt: string): ChangeBatch {
  const lines = rows.map(({ values, isDeleted, lsn }) => {
    const fields = table.columns.map(({ mapping }, at) => {
      const value = values[at] ?? null;
      return value === null ? nullField : fieldOf(mapping, value);
    });
    return `${fields.join('\t')}\t${syncedAt}\t${isDeleted ? 1 : 0}\t${lsn}\n`;
  });
  return {
    name,
    format: 'TabSeparated',
    fields: fieldsOf(table),
    body: [Buffer.from(lines.join(''))],
    positionOf: (record) => printLsn(rows[record]?.lsn ?? 0n),
    target: table.target,
  };
}

/** Rows of one table stay together until it changes its columns or is truncated. */
async function segmentsOf(changes: readonly Change[], findTable: FindTable): Promise<Segment[]> {
  const segments: Segment[] = [];
  const open = new Map<string, { table: ReplicatedTable; rows: WrittenRow[] }>();
  const rowsOf = (table: ReplicatedTable) => {
    const { table: name } = table.target;
    const present = open.get(name);
    if (present?.table.shape === table.shape) return present.rows;
    const fresh = { table, rows: [] };
    open.set(name, fresh);
    segments.push(fresh);
    return fresh.rows;
  };
  const tables = await tablesOf(changes, findTable);
  for (const change of changes) {
    if ('truncated' in change) {
      for (const relation of change.truncated) {
        const table = tables.get(relation);
        if (!table) continue;
        open.delete(table.target.table);
        segments.push({ table, truncatedAt: change.lsn });
      }
      continue;
    }
    const table = tables.get(change.relation);
    if (table) rowsOf(table).push(...rowsOfChange(table, change));
  }
  return segments;
}

async function tablesOf(changes: readonly Change[], findTable: FindTable) {
  const tables = new Map<Relation, ReplicatedTable | undefined>();
  for (const change of changes) {
    for (const relation of 'truncated' in change ? change.truncated : [change.relation]) {
      if (!tables.has(relation)) tables.set(relation, await findTable(relation));
    }
  }
  return tables;
}

type RowChange = Extract<Change, { message: RowMessage }>;

function rowsOfChange(table: ReplicatedTable, { lsn, relation, message }: RowChange): WrittenRow[] {
  const columns = columnsOf(table, relation);
  const pick = (tuple: Tuple) => columns.map((at) => tuple[at]);
  if (message.tag === 'insert') return [{ values: pick(message.row), isDeleted: false, lsn }];
  // What was not sent of an old row is not needed: it only marks a key.
  const old = message.old && pick(message.old).map((value) => value ?? null);
  if (message.tag === 'delete') return [{ values: old ?? [], isDeleted: true, lsn }];
  const isWhole = relation.identity === 'f';
  const values = pick(message.row).map((value, at) => (value === undefined && isWhole ? (old?.[at] ?? null) : value));
  const row = { values, isDeleted: false, lsn };
  return old && hasMoved(table, old, values) ? [{ values: old, isDeleted: true, lsn }, row] : [row];
}

/** Whether the row has another place in the target than before. */
function hasMoved({ columns, sortingKey }: ReplicatedTable, old: readonly (string | null)[], row: StreamRow): boolean {
  return columns.some(({ name }, at) => sortingKey.includes(name) && row[at] !== undefined && old[at] !== row[at]);
}

const places = new WeakMap<Relation, Map<string, readonly number[]>>();

/** Where the relation has the columns of the table. */
function columnsOf(table: ReplicatedTable, relation: Relation): readonly number[] {
  const known = places.get(relation) ?? new Map<string, readonly number[]>();
  places.set(relation, known);
  const found = known.get(table.shape);
  if (found) return found;
  const fresh = table.columns.map(({ name }) => relation.columns.findIndex((column) => column.name === name));
  known.set(table.shape, fresh);
  return fresh;
}
