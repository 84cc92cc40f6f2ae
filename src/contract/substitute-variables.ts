import type { TileVariable } from './variables.ts';

/** A text with the values of its variables, and where each part of it was written. */
export interface Substituted {
  text: string;
  /** The place in the written text that a place in `text` comes from. */
  originOf(at: number): number;
}

/** What the text is read as: a condition or expression, or a text for people. */
export type VariableLanguage = 'lucene' | 'sql' | 'text' | 'markdown';

interface Piece {
  text: string;
  start: number;
  /** Written as it is; otherwise all of it comes from `start`. */
  isOwn: boolean;
}

const reference = /\$(?:([A-Za-z]\w*)|\{\s*([A-Za-z]\w*)\s*(?::\s*([A-Za-z]+)\s*)?\})/y;

/**
 * Replaces `$name`, `${name}` and `${name:csv}` by the values of the variables that there are; other dollar signs stay.
 * Where a value stands, it becomes a quoted literal of the language; inside quotes it stays inside of them. So no value
 * becomes an operator, a field or the end of a text. In SQL also `$__filter(expression, $name)` and
 * `$__conditionalAll(condition, $name)`.
 */
export function substituteVariables(
  text: string,
  language: VariableLanguage,
  variables: readonly TileVariable[],
): Substituted {
  const pieces =
    text.includes('$') && variables.length > 0 ? new Substitution(language, variables).pieces(text, 0) : [own(text, 0)];
  return { text: pieces.map((piece) => piece.text).join(''), originOf: (at) => originIn(pieces, at) };
}

function originIn(pieces: readonly Piece[], at: number): number {
  let passed = 0;
  for (const { text, start, isOwn } of pieces) {
    if (at < passed + text.length) return isOwn ? start + at - passed : start;
    passed += text.length;
  }
  const last = pieces.at(-1);
  return last ? last.start + (last.isOwn ? last.text.length : 0) : 0;
}

function own(text: string, start: number): Piece {
  return { text, start, isOwn: true };
}

const quotes: Readonly<Record<VariableLanguage, string>> = { lucene: '"', sql: `'"\``, text: '', markdown: '' };

class Substitution {
  readonly #language: VariableLanguage;
  readonly #byName: ReadonlyMap<string, TileVariable>;

  constructor(language: VariableLanguage, variables: readonly TileVariable[]) {
    this.#language = language;
    this.#byName = new Map(variables.map((variable) => [variable.name, variable]));
  }

  pieces(text: string, offset: number): Piece[] {
    const pieces: Piece[] = [];
    let quote = '';
    let from = 0;
    const put = (written: string, at: number, end: number) => {
      if (at > from) pieces.push(own(text.slice(from, at), offset + from));
      pieces.push({ text: written, start: offset + at, isOwn: false });
      from = end;
    };
    for (let at = 0; at < text.length; at++) {
      const char = text[at] ?? '';
      if (char === '\\' && this.#language !== 'text') at++;
      else if (quote === '' && quotes[this.#language].includes(char)) {
        const whole = this.#wholePhrase(text, at);
        if (whole) {
          put(whole.text, whole.start, whole.end);
          at = whole.end - 1;
        } else quote = char;
      } else if (char === quote) quote = '';
      else if (char === '$') {
        const found = this.#macro(text, at, quote) ?? this.#reference(text, at, quote);
        if (!found) continue;
        put(found.text, at, found.end);
        at = found.end - 1;
      }
    }
    if (from < text.length) pieces.push(own(text.slice(from), offset + from));
    return pieces;
  }

  #reference(text: string, at: number, quote: string): { text: string; end: number } | undefined {
    const found = this.#variableAt(text, at);
    if (!found) return undefined;
    const { variable, form, end } = found;
    return { text: quote === '' ? this.#value(variable, form) : inQuotes(variable.values, quote), end };
  }

  #variableAt(text: string, at: number) {
    reference.lastIndex = at;
    const found = reference.exec(text);
    const variable = this.#byName.get(found?.[1] ?? found?.[2] ?? '');
    return found && variable && { variable, form: found[3], end: at + found[0].length };
  }

  #value({ values }: TileVariable, form: string | undefined): string {
    if (this.#language === 'markdown') return values.length === 0 ? 'any' : values.map(plainMarkdown).join(', ');
    if (this.#language === 'text') return values.length === 0 ? 'any' : values.join(', ');
    if (form === 'csv') return values.every(isName) ? values.join(', ') : listOf(values, this.#language);
    return listOf(values, this.#language);
  }

  /** `field:"$name"` equals one of the values: several are compared one by one. */
  #wholePhrase(text: string, at: number): { text: string; start: number; end: number } | undefined {
    if (this.#language !== 'lucene') return undefined;
    const found = this.#variableAt(text, at + 1);
    if (!found || text[found.end] !== '"' || found.variable.values.length === 1) return undefined;
    const start = startOfField(text, at);
    const isNegated = text[start] === '-';
    const field = text.slice(isNegated ? start + 1 : start, at);
    const { values } = found.variable;
    if (values.length === 0) return { text: '()', start, end: found.end + 1 };
    const any = values.map((value) => `${field}${quoted(value, '"')}`).join(' OR ');
    return { text: `${isNegated ? 'NOT ' : ''}(${any})`, start, end: found.end + 1 };
  }

  #macro(text: string, at: number, quote: string): { text: string; end: number } | undefined {
    if (this.#language !== 'sql' || quote !== '') return undefined;
    const name = /^\$__(filter|conditionalAll)\(/.exec(text.slice(at, at + 20))?.[1];
    const args = name && argumentsAt(text, at + name.length + '$__'.length);
    const last = args && this.#variableAt(args.parts.at(-1)?.trim() ?? '', 0);
    if (!args || !last) return undefined;
    const [first = ''] = args.parts;
    const { values, expression = '' } = last.variable;
    const compared = args.parts.length > 1 ? first : expression;
    if (args.parts.length > 2 || compared.trim() === '') return undefined;
    if (values.length === 0) return { text: '(1 = 1)', end: args.end };
    const inner = this.pieces(compared, 0)
      .map((piece) => piece.text)
      .join('');
    const sql = name === 'filter' ? `(toString(${inner}) IN (${listOf(values, 'sql')}))` : `(${inner})`;
    return { text: sql, end: args.end };
  }
}

/** Where `field:` begins that ends at `at`, its minus sign included; `at` if there is none. */
function startOfField(text: string, at: number): number {
  let start = at;
  if (text[at - 1] === ':') while (start > 0 && !' \t\r\n()"'.includes(text[start - 1] ?? '')) start--;
  else if (text[at - 1] === '-') start--;
  return start;
}

/** The arguments in the parentheses that open at `open`; `undefined` if they do not close. */
function argumentsAt(text: string, open: number): { parts: string[]; end: number } | undefined {
  const parts: string[] = [];
  let depth = 0;
  let quote = '';
  let from = open + 1;
  for (let at = open; at < text.length; at++) {
    const char = text[at] ?? '';
    if (char === '\\') at++;
    else if (quote !== '') quote = char === quote ? '' : quote;
    else if (`'"\``.includes(char)) quote = char;
    else if (char === '(' || char === '[') depth++;
    else if (char === ')' || char === ']') depth--;
    if (quote === '' && (depth === 0 || (depth === 1 && char === ',')) && at > open) {
      parts.push(text.slice(from, at));
      from = at + 1;
      if (depth === 0) return { parts, end: at + 1 };
    }
  }
  return undefined;
}

/** A value stays text, whatever it looks like. */
function plainMarkdown(value: string): string {
  return value.replaceAll(/\s+/g, ' ').replaceAll(/[!-/:-@[-`{-~]/g, '\\$&');
}

function listOf(values: readonly string[], language: VariableLanguage): string {
  if (language === 'sql') return values.length === 0 ? 'NULL' : values.map((value) => quoted(value, "'")).join(', ');
  return values.length === 0 ? '()' : `(${values.map((value) => quoted(value, '"')).join(' OR ')})`;
}

function inQuotes(values: readonly string[], quote: string): string {
  return values.map((value) => quoted(value, quote).slice(1, -1)).join(',');
}

function quoted(value: string, quote: string): string {
  return `${quote}${value.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`)}${quote}`;
}

/** A column, an attribute path or a number. */
function isName(value: string): boolean {
  return /^[A-Za-z_][\w.]*$|^-?\d{1,19}(\.\d{1,19})?$/.test(value);
}
