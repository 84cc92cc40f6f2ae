import type pg from 'pg';
import { textRows } from './postgres-connections.ts';
import { quoteIdentifier } from './quote-identifier.ts';
import type { ReplicatedTable } from './replicated-table.ts';

/** A row of the stream: text, NULL, or `undefined` where the value was not sent, in the order of the table's columns. */
export type StreamRow = (string | null | undefined)[];

const rowsPerLookup = 200;

/**
 * Fills in large values that PostgreSQL did not send because the change left them as they were: those that the row has
 * now. If a later change has set another value or removed the row, that change comes later in the stream, with a higher
 * version.
 */
export async function fillUnchanged(
  client: pg.Client,
  table: ReplicatedTable,
  rows: readonly StreamRow[],
): Promise<void> {
  const open = rows.filter((row) => row.includes(undefined));
  for (let from = 0; from < open.length; from += rowsPerLookup) {
    await fill(client, table, open.slice(from, from + rowsPerLookup));
  }
}

async function fill(client: pg.Client, table: ReplicatedTable, rows: readonly StreamRow[]): Promise<void> {
  const columns = table.columns.flatMap((column, at) =>
    rows.some((row) => row[at] === undefined) ? [{ ...column, at }] : [],
  );
  const found = await lookUp(
    client,
    table,
    columns.map(({ name }) => name),
    rows,
  );
  for (const row of rows) {
    const values = found.get(keyOf(table, row));
    columns.forEach(({ at }, place) => {
      if (row[at] === undefined) row[at] = values?.[place] ?? null;
    });
  }
}

/** What the rows hold now, by their keys; nothing where the table or a column is gone. */
async function lookUp(
  client: pg.Client,
  table: ReplicatedTable,
  names: readonly string[],
  rows: readonly StreamRow[],
): Promise<Map<string, (string | null)[]>> {
  const key = keyColumns(table);
  const wanted = key.map(({ quotedType }, at) => `unnest($${at + 1}::text[])::${quotedType}`);
  const list = key.map(({ name }) => quoteIdentifier(name));
  const selected = [...list, ...names.map(quoteIdentifier)].join(', ');
  const text = `SELECT ${selected} FROM ${quoteIdentifier(table.schema)}.${quoteIdentifier(table.table)}
    WHERE (${list.join(', ')}) IN (SELECT ${wanted.join(', ')})`;
  const values = key.map(({ at }) => rows.map((row) => row[at] ?? null));
  try {
    const answer = await textRows(client, text, values);
    return new Map(answer.map((row) => [JSON.stringify(row.slice(0, key.length)), row.slice(key.length)]));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === '42703' || code === '42P01') return new Map();
    throw error;
  }
}

function keyColumns({ columns, identityKey }: ReplicatedTable) {
  return identityKey.flatMap((name) => {
    const at = columns.findIndex((column) => column.name === name);
    const column = columns[at];
    return column ? [{ ...column, at }] : [];
  });
}

function keyOf(table: ReplicatedTable, row: StreamRow): string {
  return JSON.stringify(keyColumns(table).map(({ at }) => row[at] ?? null));
}
