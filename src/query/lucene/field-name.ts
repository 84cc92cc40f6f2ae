import type { FieldName } from '../ast/text-expr.ts';
import type { Scanner } from './scanner.ts';

const endsName = new Set([...' \t\n\r()"{}*<>=']);

/**
 * Reads `name:` if that comes next: the first unescaped colon splits a field from its value. Leaves the scanner where
 * it was and answers nothing when there is no field: `http://…` (a colon before `//`), `localhost:3000`, `12:30` and
 * `10.0.0.1:8080` (a name does not begin with a digit) are words.
 */
export function readFieldName(scanner: Scanner): FieldName | undefined {
  const start = scanner.at;
  const field = scanName(scanner, start);
  if (!field) scanner.at = start;
  return field;
}

function scanName(scanner: Scanner, start: number): FieldName | undefined {
  let name = '';
  let key: string | undefined;
  for (; !scanner.ended; scanner.at++) {
    const char = scanner.peek();
    if (char === ':')
      return endName(scanner, { kind: 'name', name, ...(key === undefined ? {} : { key }), start, end: scanner.at });
    if (endsName.has(char) || key !== undefined) return undefined;
    if (char === '[') {
      key = bracketKey(scanner);
      if (key === undefined) return undefined;
      scanner.at--;
    } else {
      if (char === '\\' && scanner.peek(1) !== '') scanner.at++;
      name += scanner.peek();
    }
  }
  return undefined;
}

function endName(scanner: Scanner, field: FieldName): FieldName | undefined {
  scanner.at++;
  if (field.name === '' || /^[0-9]/.test(field.name)) return undefined;
  if (scanner.startsWith('//') && field.key === undefined) return undefined;
  if (field.name === 'localhost' && /[0-9]/.test(scanner.peek())) return undefined;
  return field;
}

/** `['key']` or `["key"]`; the scanner is at the bracket, and afterwards after the closing one. */
function bracketKey(scanner: Scanner): string | undefined {
  scanner.at++;
  const quote = scanner.peek();
  if (quote !== "'" && quote !== '"') return undefined;
  if (scanner.text.indexOf(quote, scanner.at + 1) < 0) return undefined;
  const key = scanner.quoted();
  return scanner.take(']') ? key : undefined;
}
