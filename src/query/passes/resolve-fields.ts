import { mapFields } from '../ast/map-fields.ts';
import type { Field, FieldName, TextExpr } from '../ast/text-expr.ts';
import { QueryTextError } from '../compiled-query.ts';
import { didYouMean } from '../nearest-names.ts';
import { columnType, typeName } from '../schema/column-type.ts';
import type { Scope } from '../schema/scope.ts';

/**
 * Gives every name its meaning in the live table: a column; a key of a map column (`Map.a.b`, `Map['a.b']`); a path
 * into a text column that holds JSON; else an attribute key, looked for in all attribute columns (decisions C6).
 * Throws `QueryTextError` for a name that is no column of a table without attributes, and in texts of the source itself
 * for one that begins with a capital.
 */
export function resolveFields(expr: TextExpr, scope: Scope): TextExpr {
  return mapFields(expr, (field) => (field.kind === 'name' ? resolve(field, scope) : field));
}

function resolve(field: FieldName, scope: Scope): Field {
  const { name, key, start, end } = field;
  if (key !== undefined) return bracketed(field, key, scope);
  if (scope.table.columns.has(name)) return { kind: 'column', column: name, start, end };
  for (let dot = name.indexOf('.'); dot > 0; dot = name.indexOf('.', dot + 1)) {
    const column = name.slice(0, dot);
    const type = scope.table.columns.get(column);
    if (type !== undefined) return inside(field, column, type, name.slice(dot + 1));
  }
  return attribute(field, scope);
}

function inside(field: FieldName, column: string, type: string, rest: string): Field {
  const { start, end } = field;
  const { base } = columnType(type);
  if (base === 'map') return { kind: 'attribute', key: rest, places: [{ map: column }], start, end };
  if (base === 'text') return { kind: 'json', column, path: rest.split('.'), start, end };
  throw new QueryTextError(`"${column}" is ${typeName(base)} and has no part "${rest}"`, start, end);
}

function bracketed(field: FieldName, key: string, scope: Scope): Field {
  const { name, start, end } = field;
  const type = scope.table.columns.get(name);
  if (type === undefined) throw unknownColumn(field, name, scope);
  if (columnType(type).base !== 'map') {
    throw new QueryTextError(`"${name}" is not a map, so it has no ['${key}']`, start, end);
  }
  return { kind: 'attribute', key, places: [{ map: name }], start, end };
}

function attribute(field: FieldName, scope: Scope): Field {
  const { name, start, end } = field;
  const first = name.split('.', 1)[0] ?? name;
  const isMeantAsColumn = scope.capitalsAreColumns && /^[A-Z]/.test(first);
  if (isMeantAsColumn || scope.attributeColumns.length === 0) throw unknownColumn(field, first, scope);
  return { kind: 'attribute', key: name, places: scope.attributeColumns.map((map) => ({ map })), start, end };
}

function unknownColumn(field: FieldName, name: string, scope: Scope): QueryTextError {
  const hint = didYouMean(name, scope.table.columns.keys());
  return new QueryTextError(`"${field.name}": there is no column "${name}"${hint}`, field.start, field.end);
}
