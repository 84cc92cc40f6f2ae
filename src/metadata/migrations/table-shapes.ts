import type { CreateTableBuilder } from 'kysely';
import type { Executor } from '../metadata-database.ts';
import type { StoreDialect } from '../store-dialect.ts';
import type { MetadataTables } from '../tables.ts';

/** A table whose rows have an id and a place in the order of creation. */
export function orderedTable<Table extends keyof MetadataTables & string>(
  schema: Executor,
  dialect: StoreDialect,
  table: Table,
): CreateTableBuilder<Table, 'sequence' | 'id'> {
  return schema.schema
    .createTable(table)
    .addColumn('sequence', dialect.integerType, (column) => dialect.counting(column))
    .addColumn('id', 'text', (column) => column.notNull().unique());
}

/** A table of JSON documents, each of one tenant, found by tenant and id and listed by creation. */
export function tenantDocumentTable<Table extends keyof MetadataTables & string>(
  schema: Executor,
  dialect: StoreDialect,
  table: Table,
): CreateTableBuilder<Table, 'sequence' | 'id' | 'tenant_id' | 'document'> {
  return orderedTable(schema, dialect, table)
    .addColumn('tenant_id', 'text', (column) => column.notNull())
    .addColumn('document', 'text', (column) => column.notNull())
    .addUniqueConstraint(`${table}_order`, ['tenant_id', 'sequence']);
}
