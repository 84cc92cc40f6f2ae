import type { SourceField } from '../../contract/completion.ts';
import { quoteName, quoteText } from '../../kernel/sql-quoting.ts';
import { sampledColumns } from '../../query/sampled-traces.ts';
import { attributeColumnPrefix } from '../../query/schema/attribute-columns.ts';
import { columnType } from '../../query/schema/column-type.ts';
import { attributeSetColumn, bucketLayoutColumn } from '../../query/schema/metric-columns.ts';
import type { TableSchema } from '../../query/source-schema.ts';

const copyPrefixes = [attributeColumnPrefix, '__hdx_materialized_'];
const copies: readonly string[] = [attributeSetColumn, bucketLayoutColumn, ...Object.values(sampledColumns)];

/** Columns that people write: not the copies that the compiler uses automatically. */
export function shownColumns({ columns }: TableSchema): [name: string, type: string][] {
  return [...columns].filter(([name]) => !isCopy(name, columns));
}

function isCopy(name: string, columns: ReadonlyMap<string, string>): boolean {
  return copyPrefixes.some((prefix) => name.startsWith(prefix)) || copies.includes(name) || isItemsOfMap(name, columns);
}

/** `LogAttributeItems` beside the map `LogAttributes`. */
function isItemsOfMap(name: string, columns: ReadonlyMap<string, string>): boolean {
  return name.endsWith('Items') && columns.has(name.replace(/Items$/, 's'));
}

/** The maps whose keys are attributes. */
export function mapColumns(table: TableSchema): string[] {
  return shownColumns(table).flatMap(([name, type]) => (columnType(type).base === 'map' ? [name] : []));
}

export function columnFields(table: TableSchema): SourceField[] {
  return shownColumns(table).map(([name, type]) => ({
    name,
    kind: 'column',
    type: wireType(type),
    sql: /^[A-Za-z_]\w*$/.test(name) ? name : quoteName(name),
  }));
}

export function attributeField(table: TableSchema, map: string, key: string): SourceField {
  const element = columnType(table.columns.get(map) ?? '').element ?? 'String';
  return { name: `${map}.${key}`, kind: 'attribute', type: wireType(element), sql: `${map}[${quoteText(key)}]` };
}

function wireType(type: string): SourceField['type'] {
  const { base } = columnType(type);
  switch (base) {
    case 'integer':
    case 'float':
      return 'number';
    case 'bool':
      return 'boolean';
    case 'time':
      return 'date';
    case 'map':
    case 'array':
      return base;
    default:
      return 'string';
  }
}
