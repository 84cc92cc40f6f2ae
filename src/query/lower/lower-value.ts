import type { Arithmetic, Call, Literal, TextExpr } from '../ast/text-expr.ts';
import { QueryTextError } from '../compiled-query.ts';
import { binary, call, type SqlExpr, sqlNull, textValue } from '../plan/sql-expr.ts';
import type { BaseType } from '../schema/column-type.ts';
import type { Scope } from '../schema/scope.ts';
import { type AllowedFunction, type ArgumentType, findFunction } from '../sql/functions.ts';
import { lowerCondition } from './lower-condition.ts';
import { lowerField } from './lower-field.ts';
import { asNumber, asText, numberValue, type Typed } from './typed.ts';

/** A resolved tree as a value. Throws `QueryTextError` for a function that is not allowed or types that do not fit. */
export function lowerValue(expr: TextExpr, scope: Scope): Typed {
  switch (expr.kind) {
    case 'literal':
      return lowerLiteral(expr);
    case 'column':
    case 'attribute':
    case 'json':
    case 'name':
      return lowerField(expr, scope);
    case 'arithmetic':
      return lowerArithmetic(expr, scope);
    case 'call':
      return lowerCall(expr, scope);
    default:
      return { sql: lowerCondition(expr, scope), base: 'bool', nullable: false };
  }
}

function lowerLiteral(literal: Literal): Typed {
  switch (literal.type) {
    case 'text':
      return { sql: textValue(literal.text), base: 'text', nullable: false };
    case 'number':
      return {
        sql: numberValue(literal.text),
        base: /^-?[0-9]+$/.test(literal.text) ? 'integer' : 'float',
        nullable: false,
      };
    case 'bool':
      return { sql: { kind: 'value', type: 'Bool', text: literal.text }, base: 'bool', nullable: false };
    case 'null':
      return { sql: sqlNull, base: 'text', nullable: true };
  }
}

/** Always in floating point, as in every dashboard; dividing by 0 gives infinity, which is left out of aggregates. */
function lowerArithmetic(expr: Arithmetic, scope: Scope): Typed {
  const left = at(expr, () => asNumber(lowerValue(expr.left, scope)));
  const right = at(expr, () => asNumber(lowerValue(expr.right, scope)));
  const sql = binary(call('toFloat64', left.sql), expr.operator, call('toFloat64', right.sql));
  return { sql, base: 'float', nullable: left.nullable || right.nullable };
}

function lowerCall(expr: Call, scope: Scope): Typed {
  const allowed = findFunction(expr.name);
  if (!allowed)
    throw new QueryTextError(`"${expr.name}" is not one of the functions that are allowed here`, expr.start, expr.end);
  checkCount(expr, allowed);
  const args = expr.args.map((arg, index) => lowerArgument(expr, arg, argumentType(allowed, index), scope));
  if (allowed.name === 'has' && args[0]?.base === 'map') return result(allowed, args, 'mapContains');
  return result(allowed, args, allowed.name);
}

function checkCount(expr: Call, allowed: AllowedFunction): void {
  const count = expr.args.length;
  if (count >= allowed.least && count <= allowed.most) return;
  const wanted = allowed.least === allowed.most ? `${allowed.least}` : `${allowed.least} to ${allowed.most}`;
  throw new QueryTextError(`${allowed.name} takes ${wanted} arguments, not ${count}`, expr.start, expr.end);
}

function argumentType(allowed: AllowedFunction, index: number): ArgumentType {
  return allowed.args[Math.min(index, allowed.args.length - 1)] ?? 'any';
}

function lowerArgument(owner: Call, expr: TextExpr, type: ArgumentType, scope: Scope): Typed {
  if (type === 'condition') return { sql: lowerCondition(expr, scope), base: 'bool', nullable: false };
  const value = lowerValue(expr, scope);
  if (type === 'any') return value;
  if (type === 'number') return at(owner, () => asNumber(value));
  if (type === 'text' && value.base !== 'map' && value.base !== 'array') return asText(value);
  if (fits(value.base, type)) return value;
  throw new QueryTextError(`${owner.name} takes a ${type} here, not a ${value.base}`, owner.start, owner.end);
}

function fits(base: BaseType, type: ArgumentType): boolean {
  return base === type || (type === 'array' && base === 'map');
}

function result(allowed: AllowedFunction, args: readonly Typed[], name: string): Typed {
  const sql: SqlExpr = call(name, ...args.map((arg) => arg.sql));
  const nullable = allowed.nullable || args.some((arg) => arg.nullable);
  switch (allowed.result) {
    case 'first':
    case 'second':
      return { sql, base: args[allowed.result === 'first' ? 0 : 1]?.base ?? 'text', nullable: true };
    case 'textArray':
      return { sql, base: 'array', nullable: false, element: 'String' };
    case 'number':
      return { sql, base: 'float', nullable };
    default:
      return { sql, base: allowed.result, nullable };
  }
}

/** An error without a place gets that of the expression it came from. */
function at<T>(expr: { start: number; end: number }, lower: () => T): T {
  try {
    return lower();
  } catch (error) {
    if (error instanceof QueryTextError && error.position === undefined) {
      throw new QueryTextError(error.message, expr.start, expr.end);
    }
    throw error;
  }
}
