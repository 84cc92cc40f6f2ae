import { QueryTextError } from '../compiled-query.ts';
import { wildcardsMax } from '../text-limits.ts';

/** A backslash escapes these characters; before any other it is literal. */
const escapable = new Set([...' \t"\\:()[]{}*?+-!^~/&|\'<>=']);
const isSpace = (char: string): boolean => char === ' ' || char === '\t' || char === '\n' || char === '\r';

/** Reads Lucene text from left to right and knows its place. */
export class Scanner {
  readonly text: string;
  at = 0;

  constructor(text: string) {
    this.text = text;
  }

  get ended(): boolean {
    return this.at >= this.text.length;
  }

  peek(ahead = 0): string {
    return this.text[this.at + ahead] ?? '';
  }

  startsWith(part: string): boolean {
    return this.text.startsWith(part, this.at);
  }

  skipSpace(): void {
    while (!this.ended && isSpace(this.peek())) this.at++;
  }

  /** Takes `part` if it comes next. */
  take(part: string): boolean {
    if (!this.startsWith(part)) return false;
    this.at += part.length;
    return true;
  }

  /** Whether `word` is next, as a whole word. */
  isKeyword(word: string): boolean {
    if (!this.startsWith(word)) return false;
    const next = this.peek(word.length);
    return next === '' || isSpace(next) || next === '(' || next === ')';
  }

  /** Reads `"…"`; the opening quote comes next. `\"` and `\\` are decoded, other backslashes stay. */
  quoted(): string {
    const start = this.at;
    const quote = this.peek();
    let value = '';
    for (this.at++; !this.ended; this.at++) {
      const char = this.peek();
      if (char === quote) {
        this.at++;
        return value;
      }
      if (char === '\\' && (this.peek(1) === quote || this.peek(1) === '\\' || this.peek(1) === ':')) this.at++;
      value += this.peek();
    }
    throw new QueryTextError(`missing closing ${quote}`, start, this.text.length);
  }

  /** Reads an unquoted word: literal pieces between unescaped `*`, up to a blank, a parenthesis or one of `stops`. */
  pieces(stops = ''): string[] {
    const start = this.at;
    const pieces: string[] = [];
    let piece = '';
    for (; !this.ended; this.at++) {
      const char = this.peek();
      if (isSpace(char) || char === '(' || char === ')' || stops.includes(char)) break;
      if (char === '*') {
        pieces.push(piece);
        piece = '';
      } else {
        piece += this.character();
      }
    }
    if (pieces.length > wildcardsMax) {
      throw new QueryTextError(`more than ${wildcardsMax} wildcards in one word`, start, this.at);
    }
    return [...pieces, piece];
  }

  /** The character at this place, an escape decoded; leaves the place on its last character. */
  private character(): string {
    if (this.peek() === '\\' && escapable.has(this.peek(1))) this.at++;
    return this.peek();
  }
}
