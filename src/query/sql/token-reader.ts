import { QueryTextError } from '../compiled-query.ts';
import { readTokens, type Token } from './lexer.ts';

/** Words that are never columns: they start a construct that is not allowed, or separate operands. */
const reserved = new Set(
  (
    'select from where group order having limit union except intersect join using with settings format into insert ' +
    'drop alter create and or not in is between like ilike null true false case when then else end as on distinct global any all'
  ).split(' '),
);

/** A place in a list of tokens. */
export class TokenReader {
  readonly text: string;
  private readonly tokens: readonly Token[];
  private at = 0;

  constructor(text: string) {
    this.text = text;
    this.tokens = readTokens(text);
  }

  peek(ahead = 0): Token {
    const last = this.tokens.length - 1;
    return this.tokens[Math.min(this.at + ahead, last)] ?? { kind: 'end', value: '', start: 0, end: 0 };
  }

  next(): Token {
    const token = this.peek();
    this.at++;
    return token;
  }

  isSign(sign: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === 'sign' && token.value === sign;
  }

  isWord(word: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === 'name' && token.value.toLowerCase() === word && !this.#beginsPath(ahead);
  }

  isReserved(): boolean {
    const token = this.peek();
    return token.kind === 'name' && reserved.has(token.value.toLowerCase()) && !this.#beginsPath(0);
  }

  /** `order.state`, `limit.cpu`: the first part of an attribute may be a word of SQL. */
  #beginsPath(ahead: number): boolean {
    const [word, dot, part] = [this.peek(ahead), this.peek(ahead + 1), this.peek(ahead + 2)];
    return this.isSign('.', ahead + 1) && word.end === dot.start && dot.end === part.start && part.kind !== 'sign';
  }

  takeSign(sign: string): boolean {
    if (!this.isSign(sign)) return false;
    this.at++;
    return true;
  }

  takeWord(word: string): boolean {
    if (!this.isWord(word)) return false;
    this.at++;
    return true;
  }

  expectSign(sign: string, reason: string): Token {
    if (!this.isSign(sign)) throw this.unexpected(reason);
    return this.next();
  }

  /** An error at the next token: what is there, and what would be right. */
  unexpected(right: string): QueryTextError {
    const { kind, start, end } = this.peek();
    if (kind === 'end') return new QueryTextError(`the text ends too early: ${right}`, start, end);
    return new QueryTextError(`unexpected "${this.text.slice(start, end)}": ${right}`, start, end);
  }
}
