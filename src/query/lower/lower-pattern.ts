import type { Pattern, Words } from '../ast/text-expr.ts';
import { and, binary, call, constant, type SqlExpr, textValue } from '../plan/sql-expr.ts';
import { escapeLike } from './escape-like.ts';
import { asText, decided, type Typed } from './typed.ts';

const ascii = /^\p{ASCII}*$/u;

/** `value` contains the text, case-insensitively. */
export function contains(value: SqlExpr, text: string): SqlExpr {
  if (text === '') return constant(1);
  const position = ascii.test(text) ? 'positionCaseInsensitive' : 'positionCaseInsensitiveUTF8';
  return binary(call(position, value, textValue(text)), '>', constant(0));
}

/**
 * A Lucene pattern on a value, without regard to case. Outside a field group wildcards are not anchored: `f:x*` and
 * `f:*x` mean "contains x". Inside `f:(x*)` the ends without `*` are.
 */
export function patternMatches(value: SqlExpr, pattern: Pattern, anchored: boolean): SqlExpr {
  const { pieces } = pattern;
  const inner = pieces.filter((piece) => piece !== '');
  const [only] = inner;
  const plain = pieces.length === 1;
  if (inner.length === 1 && only !== undefined && (plain || !anchored || (pieces[0] === '' && pieces.at(-1) === ''))) {
    return contains(value, only);
  }
  const escaped = pieces.map(escapeLike).join('%');
  const text = anchored && !plain ? escaped : `%${escaped}%`;
  return binary(value, 'ILIKE', textValue(text.replace(/%{2,}/g, '%')));
}

/**
 * Words without a field, searched in the implicit column: whole tokens (runs of letters and digits), without regard
 * to case. Several tokens, or separators in the text, also ask for the text itself as a substring. Wildcards are
 * anchored and search the text as a whole.
 */
export function lowerWords(words: Words, implicit: Typed): SqlExpr {
  const { pieces } = words.pattern;
  const value = asText(implicit).sql;
  const text = pieces[0] ?? '';
  const condition = pieces.length > 1 ? patternMatches(value, words.pattern, true) : hasWords(value, text);
  return decided(condition, implicit.nullable);
}

function hasWords(value: SqlExpr, text: string): SqlExpr {
  // The engine's tokens end at ASCII characters only; all others belong to the token.
  const tokens = text.match(/(?:[A-Za-z0-9]|[^\p{ASCII}])+/gu) ?? [];
  const conditions = [...new Set(tokens.map((token) => token.toLowerCase()))].map((token) => hasToken(value, token));
  const isOneToken = tokens.length === 1 && tokens[0] === text;
  return and(isOneToken ? conditions : [...conditions, contains(value, text)]);
}

/** `lower(column)` is what the text index is built on; it folds ASCII only. */
function hasToken(value: SqlExpr, token: string): SqlExpr {
  return call('hasToken', call(ascii.test(token) ? 'lower' : 'lowerUTF8', value), textValue(token));
}
