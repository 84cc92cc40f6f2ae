import { RE2JS } from 're2js';
import type { Span } from './ast/text-expr.ts';
import { QueryTextError } from './compiled-query.ts';
import { regexCost } from './regex-cost.ts';
import { regexCostMax, regexLengthMax } from './text-limits.ts';

/**
 * The regular expression, if it is RE2 as the engine reads it: its time is linear in the text. Throws `QueryTextError`
 * with the place `at` for anything else, such as a look-ahead or a back reference.
 */
export function checkRegex(regex: string, at: Span): string {
  if (regex === '') throw new QueryTextError('the regular expression is empty', at.start, at.end);
  if (regex.length > regexLengthMax) {
    throw new QueryTextError(`the regular expression is longer than ${regexLengthMax} characters`, at.start, at.end);
  }
  if (regexCost(regex) > regexCostMax) {
    throw new QueryTextError('the regular expression repeats too much; use fewer or smaller {n,m}', at.start, at.end);
  }
  const wrong = errorIn(regex);
  if (wrong === undefined) return regex;
  throw new QueryTextError(`the regular expression can't be read (RE2 syntax): ${wrong}`, at.start, at.end);
}

function errorIn(regex: string): string | undefined {
  try {
    RE2JS.compile(regex);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : 'a syntax error';
  }
}
