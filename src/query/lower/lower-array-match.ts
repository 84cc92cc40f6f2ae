import type { Pattern } from '../ast/text-expr.ts';
import { alias, binary, call, constant, type SqlExpr, textValue } from '../plan/sql-expr.ts';
import { columnType } from '../schema/column-type.ts';
import { patternMatches } from './lower-pattern.ts';
import { asText, isNumber, numberValue, type Typed } from './typed.ts';

/** `Array:x`: any element contains x; `Array:"x"`: any element equals x; an array of numbers has the number. */
export function arrayMatches(field: Typed, pattern: Pattern, grouped: boolean): SqlExpr {
  const element = columnType(field.element ?? 'String');
  const whole = pattern.pieces.length === 1 ? (pattern.pieces[0] ?? '') : undefined;
  if (element.base === 'integer' || element.base === 'float') {
    return whole !== undefined && isNumber(whole) ? call('has', field.sql, numberValue(whole)) : constant(0);
  }
  const item = asText({ sql: alias('item'), base: element.base, nullable: element.nullable }).sql;
  const exact = whole !== undefined && pattern.quoted && !grouped;
  const test = exact ? binary(item, '=', textValue(whole)) : patternMatches(item, pattern, grouped);
  return call('arrayExists', { kind: 'lambda', names: ['item'], body: test }, field.sql);
}
