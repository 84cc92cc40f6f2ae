import { digestOf } from '../../kernel/digest.ts';
import { quoteName } from '../../kernel/sql-quoting.ts';
import { SourceError } from '../source-port.ts';
import type { TargetTable } from '../target-table.ts';
import { mappingOf, type TypeMapping } from './column-mapping.ts';
import type { MappedTable, PostgresPlan } from './postgres-plan.ts';
import type { CatalogTable, CatalogType } from './source-catalog.ts';

/** Columns of a target table that are not in PostgreSQL, named as the managed product names them. */
export const ownColumns = {
  syncedAt: { name: '_peerdb_synced_at', type: "DateTime64(6, 'UTC')" },
  isDeleted: { name: '_peerdb_is_deleted', type: 'UInt8' },
  version: { name: '_peerdb_version', type: 'Int64' },
} as const;

/** One table of the pipe with the columns that it has at one time. */
export interface ReplicatedTable {
  schema: string;
  table: string;
  columns: readonly ReplicatedColumn[];
  /** Columns by which rows differ in the target. */
  sortingKey: readonly string[];
  /** Columns by which PostgreSQL names a row that was changed; with the whole row, the sorting key. */
  identityKey: readonly string[];
  target: TargetTable;
  /** Names these columns and their types. */
  shape: string;
}

export interface ReplicatedColumn {
  name: string;
  mapping: TypeMapping;
  /** For casts. */
  quotedType: string;
}

interface ColumnOfShape {
  name: string;
  type: CatalogType;
  modifier: number;
  isNotNull: boolean;
}

/** @throws SourceError if the table cannot be replicated as the pipe asks */
export function replicatedTable(
  plan: PostgresPlan,
  mapped: MappedTable,
  catalog: CatalogTable,
  columns: readonly ColumnOfShape[],
): ReplicatedTable {
  const kept = columns.filter(({ name }) => !mapped.excluded.has(name));
  const sortingKey = sortingKeyOf(plan, mapped, catalog);
  const missing = sortingKey.find((name) => !kept.some((column) => column.name === name));
  if (missing !== undefined) {
    throw rejected(mapped, `has no column ${missing}, which is a sorting key of its target, or the pipe excludes it.`);
  }
  const own = Object.values(ownColumns);
  const taken = kept.find(({ name }) => own.some((column) => column.name === name));
  if (taken) throw rejected(mapped, `has a column ${taken.name}, a name that the pipe needs; exclude it.`);
  const replicated = kept.map(({ name, type, modifier }) => ({
    name,
    mapping: mappingOf(modifier >= 0 ? { ...type, modifier } : type),
    quotedType: type.quotedName,
  }));
  const targetColumns = replicated.map(({ name, mapping: { type } }, at) => ({
    name,
    type: plan.keepsNulls && !kept[at]?.isNotNull && !sortingKey.includes(name) ? nullable(type) : type,
  }));
  return {
    schema: mapped.schema,
    table: mapped.table,
    columns: replicated,
    sortingKey,
    identityKey: catalog.identityKey.length > 0 ? catalog.identityKey : sortingKey,
    target: targetTableOf(plan, mapped, sortingKey, [...targetColumns, ...own]),
    shape: digestOf(JSON.stringify(targetColumns)),
  };
}

function targetTableOf(
  plan: PostgresPlan,
  mapped: MappedTable,
  sortingKey: readonly string[],
  columns: TargetTable['columns'] & object,
): TargetTable {
  const { version, isDeleted } = ownColumns;
  const replacing = {
    versionColumnId: version.name,
    deletedColumnId: isDeleted.name,
    showsDeleted: plan.showsDeleted,
  };
  return {
    table: mapped.target,
    isManaged: plan.isManaged,
    columns,
    engine: { type: mapped.engine, ...(mapped.engine === 'ReplacingMergeTree' && replacing) },
    sortingKey: sortingKey.map(quoteName),
    ...(mapped.partitionBy && { partitionBy: mapped.partitionBy }),
    mappings: [],
    followsSource: true,
  };
}

/** Which columns rows of the target are replaced by; checked against what PostgreSQL says of changed rows. */
function sortingKeyOf(plan: PostgresPlan, mapped: MappedTable, catalog: CatalogTable): readonly string[] {
  const { identity, identityKey, primaryKey } = catalog;
  const key = mapped.sortingKeys ?? (identityKey.length > 0 ? identityKey : primaryKey);
  if (mapped.engine !== 'ReplacingMergeTree') return key;
  if (key.length === 0) {
    throw rejected(mapped, 'has no primary key; give it one, or REPLICA IDENTITY FULL and the pipe its sortingKeys.');
  }
  const unique = primaryKey.length > 0 ? primaryKey : identityKey;
  const left = unique.find((name) => !key.includes(name));
  if (left !== undefined) {
    throw rejected(mapped, `needs ${left} among its sortingKeys, or rows with different keys replace each other.`);
  }
  if (plan.mode === 'snapshot' || identity === 'f') return key;
  if (identityKey.length === 0) {
    throw rejected(mapped, 'has no replica identity; set REPLICA IDENTITY FULL or give it a primary key.');
  }
  const unknown = key.find((name) => !identityKey.includes(name));
  if (unknown === undefined) return key;
  throw rejected(mapped, `needs REPLICA IDENTITY FULL, because ${unknown} is a sorting key that is not in its key.`);
}

function nullable(type: string): string {
  if (type.startsWith('Array(')) return type;
  const inner = /^LowCardinality\((.*)\)$/.exec(type)?.[1];
  return inner === undefined ? `Nullable(${type})` : `LowCardinality(Nullable(${inner}))`;
}

function rejected({ schema, table }: MappedTable, rest: string): SourceError {
  return new SourceError('rejected', `The table ${schema}.${table} ${rest}`);
}
