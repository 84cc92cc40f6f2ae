import type { Regex } from '../ast/text-expr.ts';
import { QueryTextError } from '../compiled-query.ts';
import { alias, call, type SqlExpr, textValue } from '../plan/sql-expr.ts';
import { columnType } from '../schema/column-type.ts';
import { asText, decided, type Typed } from './typed.ts';

/** Found anywhere in the value, or in any element of an array. Never NULL. Throws `QueryTextError` for a map. */
export function lowerRegex(expr: Regex, value: Typed): SqlExpr {
  if (value.base === 'map') {
    throw new QueryTextError('this column is a map; specify a key, like Column.key', expr.start, expr.end);
  }
  if (value.base !== 'array') return decided(matches(value, expr.regex), value.nullable);
  const { base, nullable } = columnType(value.element ?? 'String');
  const item: Typed = { sql: alias('item'), base, nullable };
  const body = decided(matches(item, expr.regex), nullable);
  return call('arrayExists', { kind: 'lambda', names: ['item'], body }, value.sql);
}

function matches(value: Typed, regex: string): SqlExpr {
  return call('match', asText(value).sql, textValue(regex));
}
