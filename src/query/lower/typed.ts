import { QueryTextError } from '../compiled-query.ts';
import { call, constant, type SqlExpr, utc } from '../plan/sql-expr.ts';
import { type BaseType, typeName } from '../schema/column-type.ts';

/** An expression of the statement and what it gives. */
export interface Typed {
  readonly sql: SqlExpr;
  readonly base: BaseType;
  readonly nullable: boolean;
  /** Type text of the elements of an array or the values of a map. */
  readonly element?: string;
  /** The finite number in a text, NULL when it is none, where it can be had without reading the text. */
  readonly number?: SqlExpr;
}

/**
 * The expression as a number. Text that is not a finite number, and NaN or infinity of a float column, become NULL: they
 * are left out of every aggregate and match no comparison (decisions C7).
 */
export function asNumber(typed: Typed): Typed {
  switch (typed.base) {
    case 'integer':
      return typed;
    case 'bool':
      return { ...typed, sql: call('toFloat64', typed.sql), base: 'float' };
    case 'float':
      return { sql: finite(call('toFloat64', typed.sql)), base: 'float', nullable: true };
    case 'text':
      return { sql: typed.number ?? finite(call('toFloat64OrNull', typed.sql)), base: 'float', nullable: true };
    case 'time':
      return { ...typed, sql: call('toFloat64', typed.sql), base: 'float' };
    default:
      throw new QueryTextError(`${typeName(typed.base)} is not a number`);
  }
}

/** No value of any data; `ifNotFinite` needs one to put in the place of NaN and infinity. */
const leastFloat = -Number.MAX_VALUE;

/** Names `sql` once: an expression that named its operand twice would grow exponentially when nested. */
function finite(sql: SqlExpr): SqlExpr {
  const least = constant(leastFloat);
  return call('nullIf', call('ifNotFinite', sql, least), least);
}

export function asText(typed: Typed): Typed {
  return typed.base === 'text' ? typed : { sql: call('toString', typed.sql), base: 'text', nullable: typed.nullable };
}

/**
 * Alternatives of one value: all of one type, or all numbers, which become floating point. A NULL has any type. Throws
 * `QueryTextError` without a place.
 */
export function alike(values: readonly Typed[]): { base: BaseType; values: readonly SqlExpr[] } {
  const bases = [...new Set(values.filter(({ sql }) => sql.kind !== 'null').map(({ base }) => base))];
  const [first = 'text', other] = bases;
  if (other === undefined && first !== 'integer') return { base: first, values: values.map(({ sql }) => sql) };
  if (bases.every((base) => base === 'integer' || base === 'float')) {
    return { base: 'float', values: values.map(({ sql }) => (sql.kind === 'null' ? sql : call('toFloat64', sql))) };
  }
  throw new QueryTextError(`all values must be of one type here, not ${bases.join(' and ')}; convert with toString`);
}

/** A condition that is never NULL, so that its negation is its complement. */
export function decided(condition: SqlExpr, nullable: boolean): SqlExpr {
  return nullable ? call('ifNull', condition, { kind: 'number', value: 0 }) : condition;
}

/** Decimal, with an optional sign and exponent; what `f:>5` compares as a number. */
export function isNumber(text: string): boolean {
  return /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?$/.test(text);
}

/** A number as a parameter, whole numbers exactly. */
export function numberValue(text: string): SqlExpr {
  const whole = /^\+?(-?[0-9]+)$/.exec(text)?.[1];
  if (whole === undefined) return { kind: 'value', type: 'Float64', text: String(Number(text)) };
  const value = BigInt(whole);
  if (value >= -(2n ** 63n) && value < 2n ** 63n) return { kind: 'value', type: 'Int64', text: String(value) };
  if (value > 0 && value < 2n ** 64n) return { kind: 'value', type: 'UInt64', text: String(value) };
  return { kind: 'value', type: 'Float64', text: String(Number(text)) };
}

/** A date or instant as the user writes it, in UTC unless it says otherwise; `undefined` when it is none. */
export function timeValue(text: string): SqlExpr | undefined {
  const match =
    /^([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[T ]([0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?)(Z|[+-][0-9]{2}:[0-9]{2})?)?$/.exec(
      text,
    );
  const ms = match ? Date.parse(`${match[1]}T${match[2] ?? '00:00'}${match[3] ?? 'Z'}`) : Number.NaN;
  if (Number.isNaN(ms)) return undefined;
  const within = Math.min(Math.max(ms, timeMinMs), timeMaxMs);
  return call('fromUnixTimestamp64Milli', { kind: 'value', type: 'Int64', text: String(within) }, utc);
}

/** What a time in nanoseconds can hold. Nothing that is stored lies beyond, so that comparing with its end is the same. */
const timeMinMs = Date.UTC(1900, 0, 1);
const timeMaxMs = 9_223_372_036_000;

/** An error without a place gets that of the expression it came from. */
export function atPlaceOf<T>(expr: { start: number; end: number }, lower: () => T): T {
  try {
    return lower();
  } catch (error) {
    if (error instanceof QueryTextError && error.position === undefined) {
      throw new QueryTextError(error.message, expr.start, expr.end);
    }
    throw error;
  }
}
