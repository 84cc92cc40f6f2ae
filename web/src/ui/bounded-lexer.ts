import { Lexer, type Token } from 'marked';

/** Characters of a paragraph, a heading or a cell: about 500 words. */
export const markedUpMax = 3_000;

/**
 * GitHub's Markdown, in which what is longer than any paragraph that people write stays as it was written: the library
 * looks for addresses and emphasis in time that grows with the square of the length, 19 s for 50 kB.
 */
export class BoundedLexer extends Lexer {
  constructor() {
    super({ gfm: true });
  }

  override inlineTokens(src: string, tokens: Token[] = []): Token[] {
    if (src.length <= markedUpMax) return super.inlineTokens(src, tokens);
    tokens.push({ type: 'text', raw: src, text: src, escaped: false });
    return tokens;
  }
}
