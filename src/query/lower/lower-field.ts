import type { AttributeField, AttributePlace, Field, JsonField } from '../ast/text-expr.ts';
import { severityColumns } from '../passes/derive-severity.ts';
import { binary, call, column, emptyText, or, type SqlExpr, stringType, textValue } from '../plan/sql-expr.ts';
import { type ColumnType, columnType } from '../schema/column-type.ts';
import type { Scope } from '../schema/scope.ts';
import { severityNumber, severityText } from './lower-severity.ts';
import type { Typed } from './typed.ts';

/** A resolved field as an expression over the table. */
export function lowerField(field: Field, scope: Scope): Typed {
  switch (field.kind) {
    case 'column':
      if (field.orElseFrom !== undefined) return field.column === severityColumns.text ? severityText : severityNumber;
      return withType(column(field.column), columnTypeOf(field.column, scope));
    case 'attribute':
      return lowerAttribute(field, scope);
    case 'json':
      return { sql: lowerJson(field), base: 'text', nullable: false };
    case 'name':
      throw new Error(`the field "${field.name}" was not resolved`);
  }
}

function columnTypeOf(name: string, scope: Scope): ColumnType {
  return columnType(scope.table.columns.get(name) ?? 'String');
}

function withType(sql: SqlExpr, type: ColumnType): Typed {
  return {
    sql,
    base: type.base,
    nullable: type.nullable,
    ...(type.element === undefined ? {} : { element: type.element }),
  };
}

function lowerAttribute(field: AttributeField, scope: Scope): Typed {
  const { key, places, textColumn, numberColumn } = field;
  const from =
    textColumn === undefined
      ? places
          .map((place) => lowerPlace(place, key))
          .reduceRight((rest, own) => call('if', binary(own, '!=', emptyText), own, rest))
      : column(textColumn);
  const sql: SqlExpr = { kind: 'attribute', attribute: { maps: places.map(({ map }) => map), key }, from };
  const [only, ...more] = places;
  const type = only && more.length === 0 ? columnTypeOf(only.map, scope).element : undefined;
  return { ...withType(sql, columnType(type ?? 'String')), ...(numberColumn && { number: column(numberColumn) }) };
}

function lowerPlace(place: AttributePlace, key: string): SqlExpr {
  return place.promoted === undefined
    ? call('arrayElement', column(place.map), textValue(key))
    : column(place.promoted);
}

function lowerJson(field: JsonField): SqlExpr {
  return call('JSONExtract', column(field.column), ...field.path.map(textValue), stringType);
}

/** What the indexes over `key=value` items say about `key = value`, where the maps have such items. */
export interface ItemCondition {
  /** Holds of every row in which the attribute has this value. */
  readonly sql: SqlExpr;
  /** Holds of no other row. */
  readonly isExact: boolean;
}

/**
 * `key = value` through the indexes over `key=value` items; `undefined` when no index helps. One map answers exactly
 * when the item can be read in one way only. (OTLP's keys are unique within a map; of a row that repeats one all values
 * count.)
 */
export function itemCondition(field: Field, value: string): ItemCondition | undefined {
  if (field.kind !== 'attribute' || value === '' || field.places.every((place) => place.items === undefined))
    return undefined;
  const [place, ...more] = field.places;
  const isComplete = more.length === 0 && place?.itemsAreComplete === true && place.promoted === undefined;
  const readInOneWay = !field.key.includes('=') && !value.includes('=');
  return {
    sql: or(field.places.map((each) => itemOrValue(each, field.key, value))),
    isExact: isComplete && readInOneWay,
  };
}

function itemOrValue(place: AttributePlace, key: string, value: string): SqlExpr {
  return place.items === undefined
    ? binary(lowerPlace(place, key), '=', textValue(value))
    : call('has', column(place.items), textValue(`${key}=${value}`));
}
