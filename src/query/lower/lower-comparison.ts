import type { Compare, InList, Literal, TextExpr } from '../ast/text-expr.ts';
import { QueryTextError } from '../compiled-query.ts';
import { and, binary, call, constant, type SqlExpr, textValue } from '../plan/sql-expr.ts';
import { typeName } from '../schema/column-type.ts';
import { type ItemCondition, itemCondition } from './lower-field.ts';
import { asNumber, decided, isNumber, numberValue, type Typed, timeValue } from './typed.ts';

/** Compares the two lowered sides. Throws `QueryTextError` where their types do not fit. */
export function lowerCompare(expr: Compare, left: Typed, right: Typed): SqlExpr {
  if (left.base === 'time' || right.base === 'time') return compareTimes(expr, left, right);
  if (isNumeric(left) !== isNumeric(right)) return compareNumbers(expr, left, right);
  if (left.base === 'map' || left.base === 'array' || left.base === 'other' || left.base !== right.base) {
    if (!(isNumeric(left) && isNumeric(right))) throw mismatch(expr, left, right);
  }
  const equals = binary(left.sql, expr.operator, right.sql);
  const item = expr.operator === '=' ? equalItem(expr) : undefined;
  if (!item) return equals;
  return item.isExact ? item.sql : and([item.sql, equals]);
}

function isNumeric(value: Typed): boolean {
  return value.base === 'integer' || value.base === 'float';
}

/** Text against a number is compared as numbers; text that is not a number does not match, whatever the operator. */
function compareNumbers(expr: Compare, left: Typed, right: Typed): SqlExpr {
  const allowed = (value: Typed): boolean => isNumeric(value) || value.base === 'text' || value.base === 'bool';
  if (!allowed(left) || !allowed(right)) throw mismatch(expr, left, right);
  const [a, b] = [side(expr.left, left), side(expr.right, right)];
  return decided(binary(a.sql, expr.operator, b.sql), a.nullable || b.nullable);
}

function side(expr: TextExpr, value: Typed): Typed {
  const constantText = expr.kind === 'literal' && expr.type === 'text' && isNumber(expr.text);
  return constantText ? { sql: numberValue(expr.text), base: 'float', nullable: false } : asNumber(value);
}

function compareTimes(expr: Compare, left: Typed, right: Typed): SqlExpr {
  const time = (side: TextExpr, value: Typed): SqlExpr => {
    if (value.base === 'time') return value.sql;
    const parsed = side.kind === 'literal' && side.type === 'text' ? timeValue(side.text) : undefined;
    if (parsed) return parsed;
    throw new QueryTextError("compare a time with a date, like '2026-01-31 12:00:00'", expr.start, expr.end);
  };
  return binary(time(expr.left, left), expr.operator, time(expr.right, right));
}

function equalItem(expr: Compare): ItemCondition | undefined {
  const [field, literal] = isTextLiteral(expr.right) ? [expr.left, expr.right] : [expr.right, expr.left];
  if (!isTextLiteral(literal) || field.kind !== 'attribute') return undefined;
  return itemCondition(field, literal.text);
}

function isTextLiteral(expr: TextExpr): expr is Literal {
  return expr.kind === 'literal' && expr.type === 'text';
}

/** Is `item`, the lowered item of the list, one of its options? Throws `QueryTextError` for an option of another type. */
export function lowerIn(expr: InList, item: Typed): SqlExpr {
  const literals = expr.options.filter((option) => option.kind === 'literal');
  if (item.base === 'text' && literals.every(isTextLiteral)) {
    return call('IN', item.sql, ...literals.map((literal) => textValue(literal.text)));
  }
  const value = item.base === 'time' ? item : asNumber(item);
  const options = literals.map((literal) => (item.base === 'time' ? timeOption(literal) : numberOption(literal)));
  return decided(call('IN', value.sql, ...options), value.nullable);
}

function timeOption(literal: Literal): SqlExpr {
  const time = literal.type === 'text' ? timeValue(literal.text) : undefined;
  if (time) return time;
  throw new QueryTextError("compare a time with dates, like '2026-01-31 12:00:00'", literal.start, literal.end);
}

function numberOption(literal: Literal): SqlExpr {
  if (literal.type === 'bool') return constant(literal.text === 'true' ? 1 : 0);
  if (isNumber(literal.text)) return numberValue(literal.text);
  throw new QueryTextError(`"${literal.text}" is not a number`, literal.start, literal.end);
}

function mismatch(expr: Compare, left: Typed, right: Typed): QueryTextError {
  return new QueryTextError(
    `${typeName(left.base)} can't be compared with ${typeName(right.base)}`,
    expr.start,
    expr.end,
  );
}
