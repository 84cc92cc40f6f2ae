import { createHash } from 'node:crypto';
import { quoteName } from '../../kernel/sql-quoting.ts';
import type { ClickHouseClient } from '../clickhouse-client.ts';
import { type BlockInserter, TelemetryError, type TelemetryTable } from '../ports.ts';

export interface PartCopy {
  from: Pick<ClickHouseClient, 'query' | 'readBlocks'>;
  to: BlockInserter;
  database: string;
  table: TelemetryTable;
  columns: readonly string[];
  /** The same for every try of the same part, and for no other: pieces get their tokens from it. */
  identity: string;
  /** The pieces that are stored for certain. */
  journal: PieceJournal;
  /** Called with the number of rows of each piece. */
  onCopied: (rows: number) => void;
}

/** Remembers over interruptions. Servers forget tokens after a while: these pieces are not even sent again. */
export interface PieceJournal {
  has(piece: string): boolean;
  add(piece: string): Promise<void>;
}

const timeoutMs = 120_000;
const pieceBytes = 16 * 1024 * 1024;
const pieceRowsMax = 50_000;

/**
 * Copies the only part of a table in pieces of about 16 MB. A piece is the same rows with the same token in every try, so
 * that what was inserted before an interruption is not inserted again. Throws `TelemetryError`.
 */
export async function copyPart(copy: PartCopy): Promise<void> {
  const { rows, bytes } = await sizeOf(copy);
  const step = Math.max(1, Math.min(pieceRowsMax, Math.floor((pieceBytes * rows) / Math.max(bytes, 1))));
  for (let start = 0; start < rows; start += step) await copyPiece(copy, start, Math.min(start + step, rows));
}

/** Rows may differ much in size: a piece that is too large becomes two, in every try. */
async function copyPiece(copy: PartCopy, start: number, end: number): Promise<void> {
  const { database, table, identity, journal } = copy;
  const piece = `${identity} ${start} ${end}`;
  if (journal.has(piece)) return copy.onCopied(end - start);
  const block = await readPiece(copy, start, end);
  if (block) {
    await copy.to.insert({ database, table, blocks: [block], token: tokenOf(piece) });
    await journal.add(piece);
    return copy.onCopied(end - start);
  }
  const middle = Math.floor((start + end) / 2);
  await copyPiece(copy, start, middle);
  await copyPiece(copy, middle, end);
}

/** `undefined` when it is too large, unless it is a single row. */
async function readPiece(
  { from, database, table, columns }: PartCopy,
  start: number,
  end: number,
): Promise<Uint8Array | undefined> {
  const sql = `SELECT ${columns.map(quoteName).join(', ')} FROM ${quoteName(database)}.${quoteName(table)}
    WHERE _part_offset >= {start:UInt64} AND _part_offset < {end:UInt64}`;
  try {
    const params = { start: String(start), end: String(end) };
    return await from.readBlocks(sql, { timeoutMs, params, settings: { max_threads: 1 } });
  } catch (error) {
    if (end - start > 1 && error instanceof TelemetryError && error.kind === 'limit') return undefined;
    throw error;
  }
}

async function sizeOf({ from, database, table }: PartCopy): Promise<{ rows: number; bytes: number }> {
  const { columns } = await from.query(
    `SELECT sum(rows), sum(data_uncompressed_bytes) FROM system.parts
    WHERE active AND database = {db:String} AND table = {table:String}`,
    { timeoutMs, params: { db: database, table } },
  );
  return { rows: Number(columns[0]?.[0] ?? 0), bytes: Number(columns[1]?.[0] ?? 0) };
}

function tokenOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
