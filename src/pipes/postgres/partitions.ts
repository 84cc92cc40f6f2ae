import type pg from 'pg';
import { textRows } from './postgres-connections.ts';
import type { ReplicatedTable } from './replicated-table.ts';

/** Blocks `[from, to)` of one table, or of one leaf of a partitioned table; without bounds, all of it. */
export interface Partition {
  table: ReplicatedTable;
  /** Quoted, with its schema. */
  relation: string;
  from?: number;
  /** Absent = to the end, wherever that is when it is read. */
  to?: number;
  /** Names it in the ledger. */
  key: string;
}

/** Tables are cut into at most so many partitions: each is an entry of the ledger while the snapshot lasts. */
const partitionsMax = 10_000;
/** Of a table that was never analysed. */
const usualRowsPerBlock = 50;
/** Version from which PostgreSQL reads a range of blocks without reading the whole table. */
const rangeScanVersion = 140_000;

/** Cuts a table into partitions of about so many rows. */
export async function partitionsOf(
  client: pg.Client,
  table: ReplicatedTable,
  rowsPerPartition: number,
): Promise<Partition[]> {
  const rows = await textRows(
    client,
    `SELECT quote_ident(n.nspname) || '.' || quote_ident(c.relname), c.reltuples, c.relpages,
       pg_relation_size(c.oid) / current_setting('block_size')::int, current_setting('server_version_num')
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind = 'r' AND c.oid IN (
       SELECT c.oid FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE n.nspname = $1 AND c.relname = $2
       UNION ALL SELECT t.relid FROM pg_partition_tree(format('%I.%I', $1::text, $2::text)::regclass) t WHERE t.isleaf)
     ORDER BY c.oid`,
    [table.schema, table.table],
  );
  return rows.flatMap(([relation, tuples, pages, blocks, version]) => {
    const perBlock = Number(tuples) > 0 && Number(pages) > 0 ? Number(tuples) / Number(pages) : usualRowsPerBlock;
    const isWhole = Number(version) < rangeScanVersion;
    const most = Math.ceil(Number(blocks) / (partitionsMax / rows.length));
    const step = Math.max(1, Math.floor(rowsPerPartition / perBlock), most);
    const starts = isWhole ? [0] : range(0, Math.max(1, Number(blocks)), step);
    return starts.map((from, at) => {
      const to = starts[at + 1];
      return {
        table,
        relation: relation ?? '',
        ...(starts.length > 1 && { from }),
        ...(to !== undefined && { to }),
        key: `${relation}:${from}${to === undefined ? '+' : `-${to}`}`,
      };
    });
  });
}

function range(from: number, to: number, step: number): number[] {
  return Array.from({ length: Math.ceil((to - from) / step) }, (_, at) => from + at * step);
}

/** Hands out partitions: of so many tables at the same time, each to so many lanes. */
export class PartitionQueue {
  readonly #waiting: { partitions: Partition[]; running: number }[];
  readonly #width: { lanesPerTable: number; tablesAtOnce: number };
  #left: number;
  #whenDone: () => void = () => {};
  /** Resolves when every partition is durable. */
  readonly done: Promise<void>;

  constructor(tables: readonly Partition[][], width: { lanesPerTable: number; tablesAtOnce: number }) {
    this.#waiting = tables.map((partitions) => ({ partitions: [...partitions], running: 0 }));
    this.#width = width;
    this.#left = tables.reduce((sum, { length }) => sum + length, 0);
    this.done = new Promise((resolve) => {
      this.#whenDone = resolve;
    });
    if (this.#left === 0) this.#whenDone();
  }

  /** `undefined` when a lane has nothing left to do. */
  take(): { partition: Partition; leave: () => void } | undefined {
    const { lanesPerTable, tablesAtOnce } = this.#width;
    const open = this.#waiting.filter(({ partitions }) => partitions.length > 0).slice(0, tablesAtOnce);
    const table = open.find(({ running }) => running < lanesPerTable) ?? open[0];
    const partition = table?.partitions.shift();
    if (!table || !partition) return undefined;
    table.running++;
    return { partition, leave: () => table.running-- };
  }

  /** One more partition is durable. */
  settle(): void {
    if (--this.#left === 0) this.#whenDone();
  }
}
