import type { Span } from '../ast/text-expr.ts';
import { QueryTextError } from '../compiled-query.ts';
import { matchAt } from '../match-at.ts';
import { textLengthMax } from '../text-limits.ts';

export interface Token extends Span {
  readonly kind: 'name' | 'quotedName' | 'text' | 'number' | 'sign' | 'end';
  /** Decoded: a name without its quotes, a text without its escapes. */
  readonly value: string;
}

const signs = [
  '<=',
  '>=',
  '!=',
  '<>',
  '==',
  '::',
  '||',
  '(',
  ')',
  '[',
  ']',
  ',',
  '.',
  '=',
  '<',
  '>',
  '+',
  '-',
  '*',
  '/',
  '%',
];
const rejected = Object.entries({
  ';': 'only one expression is allowed, ";" is not',
  '--': 'comments are not allowed',
  '/*': 'comments are not allowed',
  '#': 'comments are not allowed',
  '->': 'lambdas are not allowed',
});
const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '0': '\0', b: '\b', f: '\f' };

/** SQL text to tokens, the last of kind `end`. Throws `QueryTextError` at the first character that has no place here. */
export function readTokens(text: string): readonly Token[] {
  if (text.length > textLengthMax) {
    throw new QueryTextError(`the expression is longer than ${textLengthMax} characters`, textLengthMax, text.length);
  }
  const tokens: Token[] = [];
  for (let at = skipSpace(text, 0); at < text.length; ) {
    const found = readPathPart(text, at, tokens) ?? readToken(text, at);
    tokens.push(found);
    at = skipSpace(text, found.end);
  }
  return [...tokens, { kind: 'end', value: '', start: text.length, end: text.length }];
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (' \t\r\n'.includes(text[at] ?? 'x')) at++;
  return at;
}

/**
 * No number begins inside `http.status.5` or `k8s.0.name`: a point directly after a name continues it, and so do the
 * digits after that point.
 */
function readPathPart(text: string, at: number, tokens: readonly Token[]): Token | undefined {
  const last = tokens.at(-1);
  if (last?.end !== at) return undefined;
  if (isName(last)) return text[at] === '.' && text[at + 1] !== '.' ? token('sign', '.', at, 1) : undefined;
  const before = tokens.at(-2);
  if (last.value !== '.' || !before || !isName(before) || before.end !== last.start) return undefined;
  const part = matchAt(/[\p{L}\p{N}_]+/uy, text, at)?.[0];
  return part === undefined ? undefined : token('name', part, at, part.length);
}

function isName({ kind }: Token): boolean {
  return kind === 'name' || kind === 'quotedName';
}

function readToken(text: string, start: number): Token {
  for (const [part, reason] of rejected) {
    if (text.startsWith(part, start)) throw new QueryTextError(reason, start, start + part.length);
  }
  const char = text[start] ?? '';
  if (char === "'") return readQuoted(text, start, 'text');
  if (char === '"' || char === '`') return readQuoted(text, start, 'quotedName');
  const number = matchAt(/[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|\.[0-9]+/y, text, start)?.[0];
  if (number && !/[A-Za-z_]/.test(text[start + number.length] ?? ''))
    return token('number', number, start, number.length);
  const name = matchAt(/[\p{L}_][\p{L}\p{N}_]*/uy, text, start)?.[0];
  if (name) return token('name', name, start, name.length);
  const sign = signs.find((candidate) => text.startsWith(candidate, start));
  if (sign) return token('sign', sign, start, sign.length);
  throw new QueryTextError(`unexpected character "${char}"`, start, start + 1);
}

function token(kind: Token['kind'], value: string, start: number, length: number): Token {
  return { kind, value, start, end: start + length };
}

/** `'it''s'` and `'it\'s'` are the same text. */
function readQuoted(text: string, start: number, kind: 'text' | 'quotedName'): Token {
  const quote = text[start];
  let value = '';
  for (let at = start + 1; at < text.length; at++) {
    const char = text[at] ?? '';
    if (char === '\\' && at + 1 < text.length) {
      at++;
      const escaped = text[at] ?? '';
      value += escapes[escaped] ?? (`\\'"\``.includes(escaped) ? escaped : `\\${escaped}`);
    } else if (char !== quote) {
      value += char;
    } else if (text[at + 1] === quote) {
      at++;
      value += char;
    } else {
      return { kind, value, start, end: at + 1 };
    }
  }
  throw new QueryTextError(`missing closing ${quote}`, start, text.length);
}
