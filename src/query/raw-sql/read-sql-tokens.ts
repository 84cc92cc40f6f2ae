import { QueryTextError } from '../compiled-query.ts';
import { matchAt } from '../match-at.ts';
import { readNumber, readQuoted, readVariable, readWord } from './read-sql-token.ts';
import type { SqlToken } from './sql-token.ts';

const signs = [
  ...['<=>', '::', '->', '||', '<=', '>=', '!=', '<>', '=='],
  ...['(', ')', '[', ']', ',', '.', '=', '<', '>', '+', '-', '*', '/', '%', '?', ':', ';'],
];

/**
 * The tokens of a statement that a person wrote, with macros, variables and parameters recognized. It accepts less than
 * the engine: what the two might read differently (here documents, typographic quotes, control characters, bytes
 * beyond ASCII outside of quotes) is rejected. Throws `QueryTextError` with the position.
 */
export function readSqlTokens(text: string): readonly SqlToken[] {
  const tokens: SqlToken[] = [];
  let at = skipBlank(text, 0);
  let from = 0;
  while (at < text.length) {
    const found = readToken(text, at, tokens.at(-1));
    tokens.push({ ...found, glued: tokens.length > 0 && at === from });
    from = found.end;
    at = skipBlank(text, found.end);
  }
  return tokens;
}

/** Past white space and comments. */
function skipBlank(text: string, from: number): number {
  let at = from;
  for (;;) {
    while (' \t\r\n'.includes(text[at] ?? 'x')) at++;
    if (text.startsWith('--', at)) at = endOf(text, '\n', at) ?? text.length;
    else if (text.startsWith('/*', at)) at = endOfComment(text, at);
    else return at;
  }
}

function endOfComment(text: string, at: number): number {
  const end = endOf(text, '*/', at + 2);
  if (end === undefined) throw new QueryTextError('this comment has no end: "*/" is missing', at, text.length);
  const inner = text.indexOf('/*', at + 2);
  if (inner >= 0 && inner < end)
    throw new QueryTextError('a comment must not begin inside a comment', inner, inner + 2);
  return end;
}

function endOf(text: string, mark: string, from: number): number | undefined {
  const found = text.indexOf(mark, from);
  return found < 0 ? undefined : found + mark.length;
}

type Found = Omit<SqlToken, 'glued'>;

function readToken(text: string, start: number, before: SqlToken | undefined): Found {
  const char = text[start] ?? '';
  if (char === "'") return readQuoted(text, start, 'text');
  if (char === '"' || char === '`') return readQuoted(text, start, 'quotedName');
  if (char === '$') return readVariable(text, start);
  if (char === '{') return readParameter(text, start);
  const isAfterPoint = before?.kind === 'sign' && before.value === '.' && before.end === start;
  const found = readNumber(text, start, isAfterPoint) ?? readWord(text, start);
  if (found) return found;
  const sign = signs.find((candidate) => text.startsWith(candidate, start));
  if (sign !== undefined) return { kind: 'sign', value: sign, start, end: start + sign.length };
  throw new QueryTextError(`unexpected character ${JSON.stringify(char)}`, start, start + 1);
}

const parameter = /\{\s*([A-Za-z_]\w*)\s*:\s*([A-Za-z]\w*)\s*\}/y;

function readParameter(text: string, start: number): Found {
  const [whole, value, form] = matchAt(parameter, text, start) ?? [];
  if (whole === undefined || value === undefined || form === undefined) {
    throw new QueryTextError('"{" begins a parameter such as {intervalSeconds:Int64}', start, start + 1);
  }
  return { kind: 'parameter', value, form, start, end: start + whole.length };
}
