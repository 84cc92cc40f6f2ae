import type { Call, Literal, TextExpr } from '../ast/text-expr.ts';
import { checkRegex } from '../check-regex.ts';
import { QueryTextError } from '../compiled-query.ts';
import { textValue } from '../plan/sql-expr.ts';
import type { ArgumentType, LiteralType } from '../sql/allowed-function.ts';
import { unitOf } from '../sql/interval.ts';
import { numberValue, type Typed } from './typed.ts';

/** What must be written out, for the engine wants a constant there, and how it is checked and described. */
const literals: Record<LiteralType, { right: string; read: (literal: Literal) => string | undefined }> = {
  regex: { right: "a quoted regular expression, like '^a.*z$'", read: (literal) => checkRegex(literal.text, literal) },
  token: {
    right: 'a quoted word of letters and digits only',
    read: ({ text }) => (/^(?:[A-Za-z0-9]|[^\p{ASCII}])+$/u.test(text) ? text : undefined),
  },
  unit: { right: "a unit of time, like 'minute'", read: ({ text }) => unitOf(text) },
  zone: { right: "a time zone, like 'Europe/Berlin'", read: ({ text }) => (isZone(text) ? text : undefined) },
  format: {
    right: "a format of times, like '%Y-%m-%d %H:%i:%S'",
    read: ({ text }) => (/^(?:[^%]|%[%aAbcCdDeFgGhHiIjklmMnpQrRsSTuVwWyYz])*$/.test(text) ? text : undefined),
  },
  index: { right: 'a whole number other than 0, like 1 or -1', read: ({ text }) => text },
};

export function isLiteralType(type: ArgumentType): type is LiteralType {
  return type in literals;
}

/** Throws `QueryTextError` for anything but a literal that fits. */
export function lowerLiteralArgument(owner: Call, expr: TextExpr, type: LiteralType): Typed {
  if (type === 'index') return lowerIndex(owner, expr);
  const { right, read } = literals[type];
  const text = expr.kind === 'literal' && expr.type === 'text' ? read(expr) : undefined;
  if (text !== undefined) return { sql: textValue(text), base: 'text', nullable: false };
  throw new QueryTextError(`${owner.name} takes ${right}, here`, ...placeOf(expr, owner));
}

function lowerIndex(owner: Call, expr: TextExpr): Typed {
  const isIndex = expr.kind === 'literal' && expr.type === 'number' && /^-?[1-9][0-9]{0,8}$/.test(expr.text);
  if (isIndex) return { sql: numberValue(expr.text), base: 'integer', nullable: false };
  throw new QueryTextError(`an index is ${literals.index.right}; a key is quoted: Map['key']`, ...placeOf(expr, owner));
}

function placeOf(expr: TextExpr, owner: Call): [number, number] {
  return 'start' in expr ? [expr.start, expr.end] : [owner.start, owner.end];
}

function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return /^[A-Za-z]/.test(name);
  } catch {
    return false;
  }
}
