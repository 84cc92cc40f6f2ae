import type { Call, TextExpr } from '../ast/text-expr.ts';
import { QueryTextError } from '../compiled-query.ts';
import { call, type SqlExpr } from '../plan/sql-expr.ts';
import type { BaseType } from '../schema/column-type.ts';
import { type AllowedFunction, type ArgumentType, findFunction } from '../sql/functions.ts';
import { asNumber, asText, atPlaceOf, type Typed } from './typed.ts';

/** Lowers an argument, as a condition where the function takes one. */
export type LowerArgument = (expr: TextExpr, as: 'condition' | 'value') => Typed;

/** Throws `QueryTextError` for a function that is not allowed, and for arguments that it does not take. */
export function lowerCall(expr: Call, lower: LowerArgument): Typed {
  const allowed = findFunction(expr.name);
  if (!allowed) throw new QueryTextError(`"${expr.name}" is not an allowed function`, expr.start, expr.end);
  checkCount(expr, allowed);
  const args = expr.args.map((arg, index) => lowerArgument(expr, arg, argumentType(allowed, index), lower));
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

function lowerArgument(owner: Call, expr: TextExpr, type: ArgumentType, lower: LowerArgument): Typed {
  if (type === 'condition') return lower(expr, 'condition');
  const value = lower(expr, 'value');
  if (type === 'any') return value;
  if (type === 'number') return atPlaceOf(owner, () => asNumber(value));
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
