import { QueryTextError } from '../compiled-query.ts';
import type { SqlToken } from './sql-token.ts';

const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']' };
const beginnings = new Set(['SELECT', 'WITH', 'FROM']);

/**
 * The tokens of one query, without the semicolon that may end it. What opens has to
 * close, so that it is still one query when it is put in parentheses. Throws `QueryTextError`.
 */
export function checkOutline(all: readonly SqlToken[], textLength: number): readonly SqlToken[] {
  const tokens = isSign(all.at(-1), ';') ? all.slice(0, -1) : all;
  const first = tokens.find(({ kind, value }) => !(kind === 'sign' && value === '('));
  if (!first) throw new QueryTextError('a SELECT statement is missing', 0, textLength);
  if (first.kind !== 'word' || !beginnings.has(first.value.toUpperCase())) {
    throw new QueryTextError('only a SELECT statement is run; it begins with SELECT or WITH', first.start, first.end);
  }
  const open: SqlToken[] = [];
  tokens.forEach((token, index) => {
    rejectOutOfPlace(token, tokens[index + 1]);
    if (token.kind !== 'sign') return;
    if (token.value in closing) open.push(token);
    else if (token.value === ')' || token.value === ']') rejectUnopened(open.pop(), token);
  });
  const unclosed = open.at(-1);
  if (unclosed) throw new QueryTextError(`missing ${closing[unclosed.value]}`, unclosed.start, unclosed.end);
  return tokens;
}

function rejectOutOfPlace({ kind, value, start, end }: SqlToken, next: SqlToken | undefined): void {
  if (kind === 'sign' && value === ';')
    throw new QueryTextError('only one statement is run; nothing may follow ";"', start, end);
  if (kind === 'quotedName' && isSign(next, '(')) {
    throw new QueryTextError('the name of a function must not be in quotes', start, end);
  }
  // Bytes that claim to be the state of an aggregate are not something to feed to an engine.
  if (kind === 'text' && /aggregatefunction/i.test(value)) {
    throw new QueryTextError('states of aggregates are not made from texts', start, end);
  }
}

function rejectUnopened(opened: SqlToken | undefined, { value, start, end }: SqlToken): void {
  if (opened && closing[opened.value] === value) return;
  throw new QueryTextError(`${JSON.stringify(value)} closes nothing`, start, end);
}

export function isSign(token: SqlToken | undefined, value: string): boolean {
  return token?.kind === 'sign' && token.value === value;
}
