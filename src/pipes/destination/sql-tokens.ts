/** One piece of a short SQL text: a name, a number, a quoted text, or a sign. */
export interface SqlToken {
  kind: 'name' | 'number' | 'text' | 'sign' | 'end';
  /** A name without its quotes, a text with its escapes resolved. */
  value: string;
}

/** What is wrong with a type or an expression, to follow its path. */
export class SqlTextError extends Error {}

const pattern = /\s*(?:([A-Za-z_][A-Za-z0-9_]*)|(\d+(?:\.\d+)?)|'((?:[^'\\]|\\.|'')*)'|`([^`\\]+)`|([(),=+.]))/y;

/** @throws {SqlTextError} for anything but names, numbers, texts, brackets, commas, `=`, `+` and `.` */
export function sqlTokens(text: string): SqlToken[] {
  const tokens: SqlToken[] = [];
  const source = text.trimEnd();
  pattern.lastIndex = 0;
  while (pattern.lastIndex < source.length) {
    const from = pattern.lastIndex;
    const match = pattern.exec(source);
    if (!match) throw new SqlTextError(`is not readable at position ${from}`);
    const [, name, number, quoted, quotedName, sign] = match;
    if (name !== undefined) tokens.push({ kind: 'name', value: name });
    else if (number !== undefined) tokens.push({ kind: 'number', value: number });
    else if (quoted !== undefined) tokens.push({ kind: 'text', value: unescaped(quoted) });
    else if (quotedName !== undefined) tokens.push({ kind: 'name', value: quotedName });
    else tokens.push({ kind: 'sign', value: sign ?? '' });
  }
  return tokens;
}

function unescaped(quoted: string): string {
  return quoted.replaceAll("''", "'").replaceAll(/\\(.)/gs, '$1');
}

const end: SqlToken = { kind: 'end', value: '' };

/** Reads tokens one after another. */
export class SqlTokenReader {
  readonly #tokens: readonly SqlToken[];
  #at = 0;

  constructor(text: string) {
    this.#tokens = sqlTokens(text);
  }

  peek(ahead = 0): SqlToken {
    return this.#tokens[this.#at + ahead] ?? end;
  }

  next(): SqlToken {
    const token = this.peek();
    this.#at++;
    return token;
  }

  /** Takes the sign if it comes next. */
  takes(sign: string): boolean {
    const { kind, value } = this.peek();
    const isNext = kind === 'sign' && value === sign;
    if (isNext) this.#at++;
    return isNext;
  }

  expect(sign: string): void {
    if (!this.takes(sign)) throw new SqlTextError(`must have ${sign} where it has ${describe(this.peek())}`);
  }

  expectEnd(): void {
    if (this.peek().kind !== 'end') throw new SqlTextError(`must end before ${describe(this.peek())}`);
  }
}

function describe({ kind, value }: SqlToken): string {
  return kind === 'end' ? 'its end' : JSON.stringify(value);
}
