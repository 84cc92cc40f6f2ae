import type { Bound, Match, Order, Pattern, RangeEnd } from '../ast/text-expr.ts';
import { QueryTextError } from '../compiled-query.ts';
import { and, binary, call, constant, emptyText, type SqlExpr, textValue } from '../plan/sql-expr.ts';
import type { Scope } from '../schema/scope.ts';
import { arrayMatches } from './lower-array-match.ts';
import { itemCondition, lowerField } from './lower-field.ts';
import { contains, patternMatches } from './lower-pattern.ts';
import { asNumber, asText, decided, isNumber, numberValue, type Typed, timeValue } from './typed.ts';

/** Lucene `field:test` by the type of the field (`docs/lucene.md`). Never NULL, so negation is the complement. */
export function lowerMatch(match: Match, scope: Scope): SqlExpr {
  const field = lowerField(match.field, scope);
  if (field.base === 'map' && match.test.test !== 'exists') {
    throw new QueryTextError('this column is a map; specify a key, like Column.key:value', match.start, match.end);
  }
  switch (match.test.test) {
    case 'exists':
      return exists(field);
    case 'compare':
      return bounded(match, field, [[match.test.operator, match.test.bound]]);
    case 'range':
      return bounded(match, field, rangeBounds(match.test.low, match.test.high));
    case 'pattern':
      return decided(lowerPattern(match, match.test.pattern, match.test.grouped, field), field.nullable);
  }
}

function exists(field: Typed): SqlExpr {
  if (field.base === 'text') return decided(binary(field.sql, '!=', emptyText), field.nullable);
  if (field.base === 'map' || field.base === 'array') return call('notEmpty', field.sql);
  return field.nullable ? call('isNotNull', field.sql) : constant(1);
}

function lowerPattern(match: Match, pattern: Pattern, grouped: boolean, field: Typed): SqlExpr {
  const whole = pattern.pieces.length === 1 ? (pattern.pieces[0] ?? '') : undefined;
  if (field.base === 'array') return arrayMatches(field, pattern, grouped);
  if (whole !== undefined && field.base !== 'text') return equalsTyped(match, whole, field);
  if (whole !== undefined && pattern.quoted && !grouped) return equalsText(match, whole, field);
  return patternMatches(asText(field).sql, pattern, grouped);
}

function equalsText(match: Match, value: string, field: Typed): SqlExpr {
  const equals = binary(field.sql, '=', textValue(value));
  if (match.field.kind === 'attribute' && value === '') return and([hasKey(match), equals]);
  const item = itemCondition(match.field, value);
  if (!item) return equals;
  return item.isExact ? item.sql : and([item.sql, equals]);
}

/** A missing key reads as '' too; only a key that is there equals ''. */
function hasKey(match: Match): SqlExpr {
  const { field } = match;
  const places = field.kind === 'attribute' ? field.places : [];
  const key = field.kind === 'attribute' ? field.key : '';
  return {
    kind: 'or',
    items: places.map(({ map }) => call('mapContains', { kind: 'column', name: map }, textValue(key))),
  };
}

function equalsTyped(match: Match, value: string, field: Typed): SqlExpr {
  if (field.base === 'bool') {
    if (value === 'true' || value === 'false')
      return binary(field.sql, '=', { kind: 'value', type: 'Bool', text: value });
    throw new QueryTextError(`this column is true or false, not "${value}"`, match.start, match.end);
  }
  if (field.base === 'integer' || field.base === 'float') {
    if (isNumber(value)) return binary(field.sql, '=', numberValue(value));
    throw new QueryTextError(`this column is a number, not "${value}"`, match.start, match.end);
  }
  return contains(asText(field).sql, value);
}

function rangeBounds(low: RangeEnd | undefined, high: RangeEnd | undefined): [Order, Bound][] {
  const bounds: [Order, Bound][] = [];
  if (low) bounds.push([low.inclusive ? '>=' : '>', low.bound]);
  if (high) bounds.push([high.inclusive ? '<=' : '<', high.bound]);
  return bounds;
}

/** Numeric when every bound is an unquoted number; else as time or text. */
function bounded(match: Match, field: Typed, bounds: readonly [Order, Bound][]): SqlExpr {
  if (field.base === 'time')
    return decided(and(bounds.map(([order, bound]) => compareTime(field, order, bound))), field.nullable);
  const numeric = bounds.every(([, bound]) => !bound.quoted && isNumber(bound.text));
  if (numeric && field.base !== 'other' && field.base !== 'array') {
    const number = asNumber(field);
    return decided(
      and(bounds.map(([order, bound]) => binary(number.sql, order, numberValue(bound.text)))),
      number.nullable,
    );
  }
  if (field.base !== 'text') {
    const wrong = bounds.map(([, bound]) => bound).find((bound) => bound.quoted || !isNumber(bound.text));
    throw new QueryTextError(
      `this column can be compared only with numbers, not "${wrong?.text ?? ''}"`,
      wrong?.start ?? match.start,
      wrong?.end ?? match.end,
    );
  }
  const conditions = bounds.map(([order, bound]) => binary(field.sql, order, textValue(bound.text)));
  const present = match.field.kind === 'attribute' ? [exists(field)] : [];
  return decided(and([...present, ...conditions]), field.nullable);
}

function compareTime(field: Typed, order: Order, bound: Bound): SqlExpr {
  const time = timeValue(bound.text);
  if (time) return binary(field.sql, order, time);
  throw new QueryTextError(
    `"${bound.text}" is not a date; use the form "2026-01-31T12:00:00Z"`,
    bound.start,
    bound.end,
  );
}
