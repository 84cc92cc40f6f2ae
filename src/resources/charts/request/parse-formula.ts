import { QueryTextError } from '../../../query/compiled-query.ts';

/** Arithmetic over the select items of a tile; `operand` 0 is A, 1 is B, … */
export type Formula =
  | { kind: 'number'; value: number }
  | { kind: 'operand'; index: number }
  | { kind: 'negative'; item: Formula }
  | { kind: 'binary'; operator: FormulaOperator; left: Formula; right: Formula };
export type FormulaOperator = '+' | '-' | '*' | '/';

/** Parentheses and signs inside each other (contract §2.3). */
const depthMax = 64;
const token = /\s*(?:(\d+(?:\.\d+)?|\.\d+)|([A-Z])(?![A-Za-z0-9_])|([-+*/()]))/y;

/**
 * Reads `(A + B) * 100 / C`: `+ - * /`, parentheses, decimals, unary minus and the letters of the `operands` select
 * items. Throws `QueryTextError` with the position.
 */
export function parseFormula(text: string, operands: number): Formula {
  return new FormulaParser(text, operands).parse();
}

class FormulaParser {
  readonly #text: string;
  readonly #operands: number;
  #at = 0;
  #depth = 0;

  constructor(text: string, operands: number) {
    this.#text = text;
    this.#operands = operands;
  }

  parse(): Formula {
    const formula = this.#sum();
    const rest = this.#skipBlanks();
    if (rest < this.#text.length) throw this.#unexpected('an operator or the end');
    return formula;
  }

  #sum(): Formula {
    let left = this.#product();
    for (;;) {
      const operator = this.#take('+', '-');
      if (!operator) return left;
      left = { kind: 'binary', operator, left, right: this.#product() };
    }
  }

  #product(): Formula {
    let left = this.#factor();
    for (;;) {
      const operator = this.#take('*', '/');
      if (!operator) return left;
      left = { kind: 'binary', operator, left, right: this.#factor() };
    }
  }

  #factor(): Formula {
    const start = this.#skipBlanks();
    if (this.#take('-')) return { kind: 'negative', item: this.#nested(start, () => this.#factor()) };
    if (this.#take('(')) {
      const inner = this.#nested(start, () => this.#sum());
      if (!this.#take(')')) throw this.#unexpected('")"');
      return inner;
    }
    token.lastIndex = start;
    const [, digits, letter] = token.exec(this.#text) ?? [];
    if (digits === undefined && letter === undefined) throw this.#unexpected('a number, a letter or "("');
    this.#at = token.lastIndex;
    return digits === undefined ? this.#operand(letter ?? '', start) : { kind: 'number', value: Number(digits) };
  }

  #operand(letter: string, start: number): Formula {
    const index = letter.charCodeAt(0) - 65;
    if (index < this.#operands) return { kind: 'operand', index };
    const last = String.fromCharCode(64 + this.#operands);
    const known = this.#operands === 1 ? 'there is only A' : `the select items are A to ${last}`;
    throw new QueryTextError(`there is no ${letter}; ${known}`, start, start + 1);
  }

  #nested(start: number, read: () => Formula): Formula {
    if (++this.#depth > depthMax) {
      throw new QueryTextError(`is nested more than ${depthMax} deep`, start, start + 1);
    }
    const formula = read();
    this.#depth--;
    return formula;
  }

  /** Takes one of these characters if it is next. */
  #take<C extends string>(...characters: readonly C[]): C | undefined {
    const start = this.#skipBlanks();
    const found = characters.find((character) => character === this.#text[start]);
    if (found !== undefined) this.#at = start + 1;
    return found;
  }

  #skipBlanks(): number {
    while (/\s/.test(this.#text[this.#at] ?? '')) this.#at++;
    return this.#at;
  }

  #unexpected(expected: string): QueryTextError {
    const start = this.#skipBlanks();
    const found = start < this.#text.length ? `"${this.#text[start]}"` : 'the end';
    return new QueryTextError(`expected ${expected}, found ${found}`, start, start + 1);
  }
}
