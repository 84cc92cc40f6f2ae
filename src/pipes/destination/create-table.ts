import { quoteName, quoteText } from '../../kernel/sql-quoting.ts';
import { errorTableName } from '../../resources/pipes/error-table.ts';
import type { TargetColumn, TargetTable } from '../target-table.ts';
import { printedColumnType } from './column-type.ts';
import { printedExpression } from './table-expression.ts';

/** Tokens that a table remembers: far more batches than can be under way when a process dies. */
const deduplicationWindow = 10_000;
export const deduplicationSetting = `non_replicated_deduplication_window = ${deduplicationWindow}`;

/** How long rejected records are kept. */
const errorDays = 7;

export interface TablePlace {
  database: string;
  /** Of servers whose tables are on all of a cluster's nodes. */
  cluster?: string;
}

/** The statements that make a managed table; two in a cluster, where the name belongs to the table over all shards. */
export function createTableStatements(place: TablePlace, target: TargetTable): string[] {
  const columns = (target.columns ?? []).map(({ name, type }) => `${quoteName(name)} ${printedColumnType(type)}`);
  const names = new Set((target.columns ?? []).map(({ name }) => name));
  return tableStatements(place, target.table, {
    columns,
    engine: engineOf(target),
    clauses: clausesOf(target, names),
    shardBy: `cityHash64(${shardKeyOf(target, names)})`,
  });
}

/** Rows that replace each other have to meet on one shard. */
function shardKeyOf({ engine, sortingKey = [] }: TargetTable, names: ReadonlySet<string>): string {
  const isReplacing = engine?.type === 'ReplacingMergeTree' && sortingKey.length > 0;
  if (isReplacing) return sortingKey.map((text) => printedExpression(text, names)).join(', ');
  return [...names].map(quoteName).join(', ');
}

/** The statements that give a table the columns that its source has got; a cluster's table has two parts. */
export function addColumnStatements(
  { database, cluster }: TablePlace,
  { table, engine }: TargetTable,
  columns: readonly TargetColumn[],
): string[] {
  const onCluster = cluster === undefined ? '' : ` ON CLUSTER ${quoteName(cluster)}`;
  const parts = cluster === undefined || engine?.type === 'Null' ? [table] : [`${table}_local`, table];
  const added = columns.map(
    ({ name, type }) => `ADD COLUMN IF NOT EXISTS ${quoteName(name)} ${printedColumnType(type)}`,
  );
  return parts.map((part) => `ALTER TABLE ${quoteName(database)}.${quoteName(part)}${onCluster} ${added.join(', ')}`);
}

export function createErrorTableStatements(place: TablePlace, table: string): string[] {
  return tableStatements(place, errorTableName(table), {
    columns: ['pipe_id UUID', 'at DateTime64(3)', 'position String', 'reason String', 'record String CODEC(ZSTD(1))'],
    engine: 'MergeTree',
    clauses: ['PARTITION BY toDate(at)', 'ORDER BY (pipe_id, at)', `TTL toDateTime(at) + toIntervalDay(${errorDays})`],
    shardBy: 'cityHash64(pipe_id, position)',
  });
}

interface TableText {
  columns: readonly string[];
  engine: string;
  clauses: readonly string[];
  shardBy: string;
}

function tableStatements({ database, cluster }: TablePlace, table: string, text: TableText): string[] {
  const isKept = text.engine !== 'Null';
  const stored = cluster === undefined || !isKept ? table : `${table}_local`;
  const onCluster = cluster === undefined ? '' : ` ON CLUSTER ${quoteName(cluster)}`;
  const engine = cluster === undefined || !isKept ? text.engine : replicated(text.engine);
  const settings = cluster === undefined && isKept ? [`SETTINGS ${deduplicationSetting}`] : [];
  const create = [
    `CREATE TABLE IF NOT EXISTS ${quoteName(database)}.${quoteName(stored)}${onCluster} (`,
    text.columns.map((column) => `  ${column}`).join(',\n'),
    `) ENGINE = ${engine}`,
    ...text.clauses,
    ...settings,
  ].join('\n');
  if (cluster === undefined || !isKept) return [create];
  const target = `${quoteName(cluster)}, ${quoteName(database)}, ${quoteName(stored)}, ${text.shardBy}`;
  const distributed = `CREATE TABLE IF NOT EXISTS ${quoteName(database)}.${quoteName(table)}${onCluster}
AS ${quoteName(database)}.${quoteName(stored)}
ENGINE = Distributed(${target})`;
  return [create, distributed];
}

function replicated(engine: string): string {
  const places = `${quoteText('/clickhouse/tables/{uuid}/{shard}')}, ${quoteText('{replica}')}`;
  const [name = '', ...given] = engine.split('(');
  return given.length === 0 ? `Replicated${name}(${places})` : `Replicated${name}(${places}, ${given.join('(')}`;
}

function engineOf({ engine = { type: 'MergeTree' } }: TargetTable): string {
  const { type, columnIds = [], versionColumnId, deletedColumnId, showsDeleted } = engine;
  if (type === 'ReplacingMergeTree' && versionColumnId) {
    const columns =
      deletedColumnId === undefined || showsDeleted ? [versionColumnId] : [versionColumnId, deletedColumnId];
    return `ReplacingMergeTree(${columns.map(quoteName).join(', ')})`;
  }
  if (type === 'SummingMergeTree' && columnIds.length > 0) {
    return `SummingMergeTree((${columnIds.map(quoteName).join(', ')}))`;
  }
  return type;
}

function clausesOf(target: TargetTable, names: ReadonlySet<string>): string[] {
  if (target.engine?.type === 'Null') return [];
  const { partitionBy, primaryKey, sortingKey = [], ttl } = target;
  const sorted = sortingKey.map((text) => printedExpression(text, names)).join(', ');
  const primary = primaryKey && printedExpression(primaryKey, names);
  return [
    ...(partitionBy ? [`PARTITION BY ${printedExpression(partitionBy, names)}`] : []),
    ...(primary && sorted ? [`PRIMARY KEY ${primary}`] : []),
    `ORDER BY ${sorted ? `(${sorted})` : primary || 'tuple()'}`,
    ...(ttl ? [`TTL ${printedExpression(ttl, names)}`] : []),
  ];
}
