import { QueryTextError } from '../compiled-query.ts';
import { matchAt } from '../match-at.ts';
import type { SqlToken } from './sql-token.ts';

type Found = Omit<SqlToken, 'glued'>;

const wordPattern = /[A-Za-z_][A-Za-z0-9_]*/y;
const numberPattern = /0[xX][0-9A-Fa-f]+|0[bB][01]+|(?:[0-9][0-9_]*(?:\.[0-9_]*)?|\.[0-9][0-9_]*)(?:[eE][+-]?[0-9]+)?/y;
const digits = /[0-9]+/y;
const macroPattern = /\$__([A-Za-z]\w*)/y;
const variablePattern = /\$([A-Za-z]\w*)|\$\{\s*([A-Za-z]\w*)\s*(?::\s*([A-Za-z]+)\s*)?\}/y;

/** `undefined` if there is none. A letter directly after it, as in `x'41'`, would make it a literal of another kind. */
export function readWord(text: string, start: number): Found | undefined {
  const value = matchAt(wordPattern, text, start)?.[0];
  if (value === undefined) return undefined;
  const end = start + value.length;
  if (/^[xXbBnN]$/.test(value) && text[end] === "'") {
    throw new QueryTextError(`${value}'…' literals are not supported; use unhex() or char()`, start, end);
  }
  return { kind: 'word', value, start, end };
}

/** After a point only digits, as in `pairs.1.2`. */
export function readNumber(text: string, start: number, isAfterPoint: boolean): Found | undefined {
  const value = matchAt(isAfterPoint ? digits : numberPattern, text, start)?.[0];
  if (value === undefined) return undefined;
  const end = start + value.length;
  if (/[A-Za-z_$]/.test(text[end] ?? '')) {
    throw new QueryTextError(
      `${JSON.stringify(value + text[end])} is no number; quote names that begin with a digit`,
      start,
      end,
    );
  }
  return { kind: 'number', value, start, end };
}

/** `$__name` is a macro, `$name`, `${name}` and `${name:form}` are variables. */
export function readVariable(text: string, start: number): Found {
  const macro = matchAt(macroPattern, text, start);
  if (macro) return { kind: 'macro', value: macro[1] ?? '', start, end: start + macro[0].length };
  const variable = matchAt(variablePattern, text, start);
  const end = start + (variable?.[0].length ?? 1);
  if (!variable || text[end] === '$') {
    throw new QueryTextError('"$" begins a macro such as $__timeFilter(Timestamp) or a variable', start, start + 1);
  }
  const [, bare, braced, form] = variable;
  return { kind: 'variable', value: bare ?? braced ?? '', ...(form !== undefined && { form }), start, end };
}

const escapes: Readonly<Record<string, string>> = {
  ...{ a: '\x07', b: '\b', e: '\x1b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' },
  ...{ '\\': '\\', "'": "'", '"': '"', '`': '`', '/': '/', '=': '=' },
};

/** `'it''s'` and `'it\'s'` are the same text; an escape that means nothing keeps its backslash, as in the engine. */
export function readQuoted(text: string, start: number, kind: 'text' | 'quotedName'): Found {
  const quote = text[start];
  let value = '';
  for (let at = start + 1; at < text.length; at++) {
    const char = text[at] ?? '';
    if (char === '\\' && at + 1 < text.length) {
      at++;
      const escaped = text[at] ?? '';
      if ('xN0'.includes(escaped)) {
        throw new QueryTextError(`the escape \\${escaped} is not supported; use unhex() or char()`, at - 1, at + 1);
      }
      value += escapes[escaped] ?? `\\${escaped}`;
    } else if (char !== quote) {
      value += char;
    } else if (text[at + 1] === quote) {
      at++;
      value += char;
    } else {
      const found: Found = { kind, value, start, end: at + 1 };
      if (kind === 'quotedName') rejectOddName(found);
      return found;
    }
  }
  throw new QueryTextError(`missing closing ${quote}`, start, text.length);
}

/** Names that could be mistaken for something else where the engine describes a statement line by line. */
function rejectOddName({ value, start, end }: Found): void {
  if (value === '') throw new QueryTextError('a name must not be empty', start, end);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that a name must not contain
  if (/[\x00-\x1f\x7f]|\((?:alias|children) |, \w+: /.test(value)) {
    throw new QueryTextError('this name contains characters that are not allowed in names', start, end);
  }
}
