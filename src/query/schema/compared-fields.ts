import type { EventSourceSchema } from '../source-schema.ts';

/** A column, or a map with attributes, whose values are compared. */
export interface ComparedField {
  column: string;
  isMap: boolean;
}

const comparable = /^(?:LowCardinality\((?:Nullable\()?String\)?\)|String|Nullable\(String\)|Bool|Enum(?:8|16)\(.*\))$/;
/** Every event has another one. */
const identifies = /(?:^|_)id$|[a-z]I[dD]$|Url$|State$/;

/** Columns whose values may say something of an event, then the maps of attributes. Copies of attributes, texts and ids do not. */
export function comparedFields({ table, attributeColumns, implicitColumn, kind }: EventSourceSchema): ComparedField[] {
  const copies = new Set(table.materialized?.values() ?? []);
  const columns = [...table.columns].filter(
    ([name, type]) =>
      comparable.test(type) &&
      !copies.has(name) &&
      !name.startsWith('_') &&
      !identifies.test(name) &&
      (name !== implicitColumn || kind === 'trace'),
  );
  const maps = attributeColumns.filter((name) => table.columns.get(name)?.startsWith('Map('));
  return [...columns.map(([column]) => ({ column, isMap: false })), ...maps.map((column) => ({ column, isMap: true }))];
}
