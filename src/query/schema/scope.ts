import type { SourceSchema, TableSchema } from '../source-schema.ts';

/** What names mean in one table of a source. */
export interface Scope {
  readonly table: TableSchema;
  /** Where attribute keys are looked up, in this order (decisions C6). */
  readonly attributeColumns: readonly string[];
  /** Searched by words without a field. */
  readonly implicitColumn?: string;
  /** In texts that belong to the source, a name with a capital that is no column is a mistake. */
  readonly capitalsAreColumns?: true;
  /** See `EventSourceSchema`. */
  readonly derivesSeverity?: true;
}

export function scopeOf(source: SourceSchema, table: TableSchema): Scope {
  const attributeColumns = source.attributeColumns.filter((column) => table.columns.has(column));
  const implicit = source.kind === 'metric' ? undefined : source.implicitColumn;
  const derives = source.kind !== 'metric' && source.derivesSeverity === true;
  return {
    table,
    attributeColumns,
    ...(implicit === undefined ? {} : { implicitColumn: implicit }),
    ...(derives && { derivesSeverity: true as const }),
  };
}
