import type { TableSchema } from '../source-schema.ts';

/** An attribute as a query names it: a key that is looked for in these map columns, the first value that is not '' wins (decisions C6). */
export interface Attribute {
  readonly maps: readonly string[];
  readonly key: string;
}

/** The value as it is, or the finite number in it (NULL when it is none). */
export type AttributeForm = 'text' | 'number';

/** What the engine writes back as it was written. */
const plainName = /^[A-Za-z_]\w*$/;
const plainKey = /^[\w./@:-]{1,200}$/;

/**
 * What fills a column that keeps this attribute of each row, as the engine writes it in the description of a table;
 * `undefined` for names that the engine would write in another way.
 */
export function attributeExpression({ maps, key }: Attribute, form: AttributeForm): string | undefined {
  if (!plainKey.test(key) || maps.length === 0 || !maps.every((map) => plainName.test(map))) return undefined;
  const values = maps.map((map) => `${map}['${key}']`);
  const last = values.pop() ?? '';
  const text =
    values.length === 0 ? last : `coalesce(${values.map((value) => `nullIf(${value}, '')`).join(', ')}, ${last})`;
  if (form === 'text') return text;
  const number = `toFloat64OrNull(${text})`;
  return `if(isFinite(${number}), ${number}, NULL)`;
}

/** Starts the names of such columns that this program makes. */
export const attributeColumnPrefix = '__attribute_';

/** What this program calls a column for an attribute. */
export function attributeColumnName({ maps, key }: Attribute, form: AttributeForm): string {
  const [only, ...more] = maps;
  const name = only !== undefined && more.length === 0 ? `${only}.${key}` : key;
  return `${attributeColumnPrefix}${form}_${name}`;
}

/** The column in which the table keeps this attribute of each row, if it has one: read 20 to 40 times faster than the map. */
export function attributeColumn(table: TableSchema, attribute: Attribute, form: AttributeForm): string | undefined {
  const expression = attributeExpression(attribute, form);
  return expression === undefined ? undefined : table.materialized?.get(expression);
}
