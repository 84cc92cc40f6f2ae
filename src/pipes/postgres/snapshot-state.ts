import type pg from 'pg';
import type { SourceJob } from '../source-port.ts';
import { type Partition, partitionsOf } from './partitions.ts';
import type { ReplicatedTable } from './replicated-table.ts';
import { settledLsn } from './replication-slot.ts';

/** The snapshot of one table that is not complete. */
export interface TableSnapshot {
  table: ReplicatedTable;
  /** Of its rows: every change that the snapshot does not show has a higher one. */
  version: string;
  /** When it began. */
  syncedAt: string;
  /** What is left to copy. */
  partitions: readonly Partition[];
  /** Of the ledger, for when it is complete. */
  keys: readonly string[];
}

const done = 'done';

function tableKey({ schema, table }: Pick<ReplicatedTable, 'schema' | 'table'>): string {
  return `tables/${schema}.${table}`;
}

function partitionPrefix({ schema, table }: ReplicatedTable): string {
  return `partitions/${schema}.${table}/`;
}

export function partitionEntry({ table, key }: Partition): { key: string; position: string } {
  return { key: `${partitionPrefix(table)}${key}`, position: done };
}

/** What the ledger says when a table has been copied. */
export function completeEntries({ table, keys }: TableSnapshot): { key: string; position: string | undefined }[] {
  return [{ key: tableKey(table), position: done }, ...keys.map((key) => ({ key, position: undefined }))];
}

/** As it was planned: a snapshot that continues has the same partitions. */
interface PlannedTable {
  version: string;
  syncedAt: string;
  partitions: readonly Omit<Partition, 'table'>[];
}

interface SnapshotOrder {
  client: pg.Client;
  rowsPerPartition: number;
  /** Parts that were copied at different times belong together only if changes are replayed. */
  isContinued: boolean;
  syncedAt: string;
}

export async function areCopied(job: SourceJob, tables: readonly ReplicatedTable[]): Promise<boolean> {
  const known = await job.ledger.find(job.pipe.id, tables.map(tableKey));
  return tables.every((table) => known.get(tableKey(table)) === done);
}

/** The tables that have to be copied, with what is left of each. */
export async function openSnapshots(
  job: SourceJob,
  tables: readonly ReplicatedTable[],
  order: SnapshotOrder,
): Promise<TableSnapshot[]> {
  const known = await job.ledger.find(job.pipe.id, tables.map(tableKey));
  const snapshots: TableSnapshot[] = [];
  for (const table of tables) {
    const entry = known.get(tableKey(table));
    if (entry === done) continue;
    const isBegun = entry !== undefined && order.isContinued;
    const copied = await job.ledger.list(job.pipe.id, partitionPrefix(table), Number.MAX_SAFE_INTEGER);
    // Written by `begin`.
    const planned = isBegun ? (JSON.parse(entry) as PlannedTable) : await begin(job, table, order, copied);
    const finished = new Set(isBegun ? copied.map(({ key }) => key) : []);
    const partitions = planned.partitions.map((partition) => ({ ...partition, table }));
    snapshots.push({
      table,
      version: planned.version,
      syncedAt: planned.syncedAt,
      partitions: partitions.filter((partition) => !finished.has(partitionEntry(partition).key)),
      keys: partitions.map((partition) => partitionEntry(partition).key),
    });
  }
  return snapshots;
}

async function begin(
  job: SourceJob,
  table: ReplicatedTable,
  { client, rowsPerPartition, syncedAt }: SnapshotOrder,
  stale: readonly { key: string }[],
): Promise<PlannedTable> {
  const version = String(await settledLsn(client, job.signal));
  const partitions = await partitionsOf(client, table, rowsPerPartition);
  const planned = { version, syncedAt, partitions: partitions.map(({ table: _, ...partition }) => partition) };
  await job.plan([
    ...stale.map(({ key }) => ({ key, position: undefined })),
    { key: tableKey(table), position: JSON.stringify(planned) },
  ]);
  return planned;
}
