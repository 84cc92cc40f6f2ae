import { quoteName } from '../../kernel/sql-quoting.ts';
import { logsTable } from './logs-table.ts';
import { metricsTables } from './metrics-tables.ts';
import type { Column, Signal, TableDefinition } from './table-definition.ts';
import { tracesTable } from './traces-table.ts';

/** Where the tables live: our own engine, one server, or a cluster of shards and replicas. */
export type Topology = { kind: 'embedded' } | { kind: 'single' } | { kind: 'cluster'; cluster: string };

export type RetentionDays = Readonly<Record<Signal, number>>;

export const telemetryTables: readonly TableDefinition[] = [logsTable, tracesTable, ...metricsTables];

/**
 * Batches whose tokens a table remembers, per shard: at 25 inserts a second, longer than the five minutes for which
 * OpenTelemetry's exporters send a request again.
 */
const deduplicationWindow = 10_000;
/** Replicated tables remember them no longer than this. */
const deduplicationSeconds = 3_600;

export function renderCreateDatabase(database: string, topology: Topology): string {
  return `CREATE DATABASE IF NOT EXISTS ${quoteName(database)}${onCluster(topology)}`;
}

/** The statements that make one table; two in a cluster, where the name belongs to the table over all shards. */
export function renderCreateTable(
  database: string,
  table: TableDefinition,
  topology: Topology,
  retention: RetentionDays,
): string[] {
  const parts = [
    ...table.columns.map(renderColumn),
    ...Object.entries(table.indexes).map(([name, index]) => `INDEX ${name} ${index}`),
    ...Object.entries(table.projections).map(([name, projection]) => `PROJECTION ${name} (${projection})`),
  ];
  const stored = `CREATE TABLE IF NOT EXISTS ${storedName(database, table, topology)}${onCluster(topology)} (
  ${parts.join(',\n  ')}
) ENGINE = ${engine(topology)}
PARTITION BY ${table.partitionBy}
${table.primaryKey ? `PRIMARY KEY ${table.primaryKey}\n` : ''}ORDER BY ${table.orderBy}
TTL ${renderExpiry(table, retention)}
SETTINGS ${renderTableSettings(topology)}`;
  if (topology.kind !== 'cluster') return [stored];
  return [stored, renderDistributed(database, table, topology)];
}

/** The name under which rows are stored on each server. */
export function storedTable(table: TableDefinition, topology: Topology): string {
  return topology.kind === 'cluster' ? `${table.name}_local` : table.name;
}

export function renderColumn([name, definition]: Column): string {
  return `${quoteName(name)} ${definition}`;
}

export function renderExpiry(table: TableDefinition, retention: RetentionDays): string {
  return `${table.expiresBy} + toIntervalDay(${retention[table.signal]})`;
}

/** `ALTER TABLE` with `change`, on the stored table and, for columns, on the distributed one. */
export function renderAlter(database: string, table: TableDefinition, topology: Topology, change: string): string[] {
  const stored = `ALTER TABLE ${storedName(database, table, topology)}${onCluster(topology)} ${change}`;
  if (topology.kind !== 'cluster' || !change.startsWith('ADD COLUMN')) return [stored];
  return [stored, `ALTER TABLE ${quoteName(database)}.${quoteName(table.name)}${onCluster(topology)} ${change}`];
}

export function renderTableSettings(topology: Topology): string {
  const settings = ['index_granularity = 8192', 'ttl_only_drop_parts = 1'];
  if (topology.kind === 'cluster') {
    settings.push(`replicated_deduplication_window = ${deduplicationWindow}`);
    settings.push(`replicated_deduplication_window_seconds = ${deduplicationSeconds}`);
  } else {
    settings.push(`non_replicated_deduplication_window = ${deduplicationWindow}`);
  }
  return settings.join(', ');
}

function renderDistributed(database: string, table: TableDefinition, topology: { cluster: string }): string {
  const name = `${quoteName(database)}.${quoteName(table.name)}`;
  const cluster = ` ON CLUSTER ${quoteName(topology.cluster)}`;
  const target = `${quoteName(topology.cluster)}, ${quoteName(database)}, ${table.name}_local, ${table.shardBy}`;
  return `CREATE TABLE IF NOT EXISTS ${name}${cluster}
AS ${quoteName(database)}.${quoteName(`${table.name}_local`)}
ENGINE = Distributed(${target})`;
}

function storedName(database: string, table: TableDefinition, topology: Topology): string {
  return `${quoteName(database)}.${quoteName(storedTable(table, topology))}`;
}

function engine(topology: Topology): string {
  if (topology.kind !== 'cluster') return 'MergeTree';
  return `ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}')`;
}

function onCluster(topology: Topology): string {
  return topology.kind === 'cluster' ? ` ON CLUSTER ${quoteName(topology.cluster)}` : '';
}
