import type { Call, TextExpr } from '../ast/text-expr.ts';
import { QueryTextError } from '../compiled-query.ts';
import { call, type SqlExpr, utc } from '../plan/sql-expr.ts';
import { type BaseType, columnType, typeName } from '../schema/column-type.ts';
import type { AllowedFunction, ArgumentType } from '../sql/allowed-function.ts';
import { findFunction } from '../sql/functions.ts';
import { isLiteralType, lowerLiteralArgument } from './literal-arguments.ts';
import { alike, asNumber, asText, atPlaceOf, type Typed, timeValue } from './typed.ts';

/** Lowers an argument, as a condition where the function takes one. */
export type LowerArgument = (expr: TextExpr, as: 'condition' | 'value') => Typed;

/** Throws `QueryTextError` for a function that is not allowed, and for arguments that it does not take. */
export function lowerCall(expr: Call, lower: LowerArgument): Typed {
  const allowed = findFunction(expr.name);
  if (!allowed) throw new QueryTextError(`"${expr.name}" is not an allowed function`, expr.start, expr.end);
  if (expr.parameters) throw new QueryTextError(`${allowed.name} takes no parameters`, expr.start, expr.end);
  checkCount(expr, allowed);
  const args = expr.args.map((arg, index) => lowerArgument(expr, arg, argumentType(allowed, index), lower));
  switch (allowed.name) {
    case 'has':
      return result(allowed, args, args[0]?.base === 'map' ? 'mapContains' : 'has');
    case 'toDateTime':
    case 'toDate':
      return atPlaceOf(expr, () => converted(allowed, args));
    default:
      return atPlaceOf(expr, () => result(allowed, args, allowed.printed));
  }
}

function checkCount(expr: Call, allowed: AllowedFunction): void {
  const count = expr.args.length;
  const isWhole = allowed.name !== 'multiIf' || count % 2 === 1;
  if (count >= allowed.least && count <= allowed.most && isWhole) return;
  const wanted = allowed.least === allowed.most ? `${allowed.least}` : `${allowed.least} to ${allowed.most}`;
  const parity = isWhole ? '' : ', an odd number of them';
  throw new QueryTextError(`${allowed.name} takes ${wanted} arguments${parity}, not ${count}`, expr.start, expr.end);
}

function argumentType(allowed: AllowedFunction, index: number): ArgumentType {
  const type = allowed.args[Math.min(index, allowed.args.length - 1)] ?? 'any';
  return type === 'condition' && allowed.values(index, allowed.most) ? 'any' : type;
}

function lowerArgument(owner: Call, expr: TextExpr, type: ArgumentType, lower: LowerArgument): Typed {
  if (isLiteralType(type)) return lowerLiteralArgument(owner, expr, type);
  if (type === 'condition') return lower(expr, 'condition');
  const time = type === 'time' && expr.kind === 'literal' && expr.type === 'text' ? timeValue(expr.text) : undefined;
  if (time) return { sql: time, base: 'time', nullable: false };
  const value = lower(expr, 'value');
  if (type === 'any') return value;
  if (type === 'number') return atPlaceOf(owner, () => asNumber(value));
  if ((type === 'text' || type === 'sized') && value.base !== 'map' && value.base !== 'array') return asText(value);
  if (fits(value.base, type)) return value;
  throw new QueryTextError(
    `${owner.name} takes ${typeName(type === 'sized' ? 'text' : type)} here, not ${typeName(value.base)}`,
    owner.start,
    owner.end,
  );
}

function fits(base: BaseType, type: ArgumentType): boolean {
  return base === type || type === 'sized' || (type === 'array' && base === 'map');
}

function result(allowed: AllowedFunction, args: readonly Typed[], name: string): Typed {
  if (allowed.result === 'values') return chosen(allowed, args, name);
  const sql: SqlExpr = call(name, ...args.map((arg) => arg.sql));
  const nullable = allowed.nullable || args.some((arg) => arg.nullable);
  switch (allowed.result) {
    case 'textArray':
      return { sql, base: 'array', nullable: false, element: 'String' };
    case 'element':
      return { sql, ...elementOf(args[0]) };
    case 'number':
      return { sql, base: 'float', nullable };
    default:
      return { sql, base: allowed.result, nullable };
  }
}

function elementOf(array: Typed | undefined): Omit<Typed, 'sql'> {
  if (array?.base !== 'array') throw new QueryTextError("a key must be quoted, like Attributes['key']");
  const { base, nullable, element } = columnType(array.element ?? 'String');
  return { base, nullable, ...(element !== undefined && { element }) };
}

/** One of several values, which must be of one type. */
function chosen(allowed: AllowedFunction, args: readonly Typed[], name: string): Typed {
  const isValue = args.map((_, index) => allowed.values(index, args.length));
  const { base, values } = alike(args.filter((_, index) => isValue[index]));
  const left = values.values();
  const sql = call(name, ...args.map((arg, index) => (isValue[index] ? (left.next().value ?? arg.sql) : arg.sql)));
  return { sql, base, nullable: true };
}

/** Text as a time in any common form; a number as Unix seconds. */
function converted(allowed: AllowedFunction, [value, zone]: readonly Typed[]): Typed {
  const inZone = zone?.sql ?? utc;
  if (value?.base !== 'text' && value?.base !== 'time') {
    if (!value) throw new QueryTextError(`${allowed.name} takes 1 argument`);
    const number = asNumber(value);
    return { sql: call(allowed.printed, number.sql, inZone), base: 'time', nullable: number.nullable };
  }
  if (value.base === 'time') return { ...value, sql: call(allowed.printed, value.sql, inZone) };
  const parsed = call('parseDateTimeBestEffortOrNull', value.sql, inZone);
  return { sql: allowed.name === 'toDate' ? call('toDate', parsed, inZone) : parsed, base: 'time', nullable: true };
}
