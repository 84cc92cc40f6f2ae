import { assertNever } from '../../kernel/assert-never.ts';
import type { Arithmetic, Literal, Regex, TextExpr, Words } from '../ast/text-expr.ts';
import { QueryTextError } from '../compiled-query.ts';
import { and, binary, call, constant, not, or, type SqlExpr, sqlNull, textValue } from '../plan/sql-expr.ts';
import type { Scope } from '../schema/scope.ts';
import { lowerCall } from './lower-call.ts';
import { lowerCompare, lowerIn } from './lower-comparison.ts';
import { lowerField } from './lower-field.ts';
import { lowerMatch } from './lower-match.ts';
import { lowerWords } from './lower-pattern.ts';
import { lowerRegex } from './lower-regex.ts';
import { asNumber, asText, atPlaceOf, numberValue, type Typed } from './typed.ts';

/** A resolved tree as a condition of the statement. Throws `QueryTextError` where types do not fit. */
export function lowerCondition(expr: TextExpr, scope: Scope): SqlExpr {
  switch (expr.kind) {
    case 'everything':
      return constant(1);
    case 'allOf':
      return and(expr.items.map((item) => lowerCondition(item, scope)));
    case 'anyOf':
      return or(expr.items.map((item) => lowerCondition(item, scope)));
    case 'not':
      return not(lowerCondition(expr.item, scope));
    case 'words':
      return lowerWords(expr, implicitColumn(expr, scope));
    case 'regex':
      return lowerRegex(expr, expr.item ? lowerValue(expr.item, scope) : implicitColumn(expr, scope));
    case 'match':
      return lowerMatch(expr, scope);
    case 'compare':
      return lowerCompare(expr, lowerValue(expr.left, scope), lowerValue(expr.right, scope));
    case 'in':
      return lowerIn(expr, lowerValue(expr.item, scope));
    case 'like':
      return binary(
        asText(lowerValue(expr.item, scope)).sql,
        expr.ignoreCase ? 'ILIKE' : 'LIKE',
        textValue(expr.pattern),
      );
    case 'isNull':
      return call('isNull', lowerValue(expr.item, scope).sql);
    case 'call':
    case 'arithmetic':
    case 'literal':
    case 'column':
    case 'attribute':
    case 'json':
    case 'name':
      return lowerTruth(expr, scope);
    default:
      return assertNever(expr);
  }
}

function implicitColumn(words: Words | Regex, scope: Scope): Typed {
  const name = scope.implicitColumn;
  if (name !== undefined && scope.table.columns.has(name)) {
    return lowerField({ kind: 'column', column: name, start: words.start, end: words.end }, scope);
  }
  throw new QueryTextError(
    'this source has no default text column for words without a field; use Column:word',
    words.start,
    words.end,
  );
}

/** A value used as a condition: a yes/no function or column, or a number that is not 0. */
function lowerTruth(
  expr: Exclude<TextExpr, { kind: 'everything' }> & { start: number; end: number },
  scope: Scope,
): SqlExpr {
  const value = lowerValue(expr, scope);
  if (value.base === 'bool') return value.sql;
  if (value.base === 'integer' || value.base === 'float') return binary(value.sql, '!=', constant(0));
  throw new QueryTextError('a condition is expected here, like Column = 1', expr.start, expr.end);
}

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
      return lowerCall(expr, (arg, as) =>
        as === 'condition' ? asBool(lowerCondition(arg, scope)) : lowerValue(arg, scope),
      );
    default:
      return asBool(lowerCondition(expr, scope));
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

/**
 * Always in floating point, as in every dashboard; dividing by 0 gives infinity, which is left out of aggregates. Whole
 * numbers have a whole remainder, as hashes are longer than what floating point can hold. A time plus or minus an
 * interval is a time.
 */
function lowerArithmetic(expr: Arithmetic, scope: Scope): Typed {
  const [first, second] = [lowerValue(expr.left, scope), lowerValue(expr.right, scope)];
  const shifted = lowerShift(expr, first, second);
  if (shifted) return shifted;
  if (expr.operator === '%' && first.base === 'integer' && second.base === 'integer') {
    const nullable = first.nullable || second.nullable;
    return { sql: call('moduloOrZero', first.sql, second.sql), base: 'integer', nullable };
  }
  const left = atPlaceOf(expr, () => asNumber(first));
  const right = atPlaceOf(expr, () => asNumber(second));
  const sql = binary(call('toFloat64', left.sql), expr.operator, call('toFloat64', right.sql));
  return { sql, base: 'float', nullable: left.nullable || right.nullable };
}

function lowerShift({ operator }: Arithmetic, left: Typed, right: Typed): Typed | undefined {
  if (left.base === 'time' && right.base === 'interval' && (operator === '+' || operator === '-')) {
    return { ...left, sql: binary(left.sql, operator, right.sql) };
  }
  if (left.base === 'interval' && right.base === 'time' && operator === '+') {
    return { ...right, sql: binary(right.sql, '+', left.sql) };
  }
  return undefined;
}

function asBool(sql: SqlExpr): Typed {
  return { sql, base: 'bool', nullable: false };
}
