import { allOf, anyOf, everything, type FieldName, type Pattern, type TextExpr } from '../ast/text-expr.ts';
import { QueryTextError } from '../compiled-query.ts';
import { depthMax, textLengthMax } from '../text-limits.ts';
import { readFieldName } from './field-name.ts';
import { readComparison, readRange } from './field-tests.ts';
import { readRegex } from './read-regex.ts';
import { Scanner } from './scanner.ts';

/**
 * Lucene text to a tree; `docs/lucene.md` is its table of meanings. Adjacent terms are ANDed; NOT binds tighter than
 * AND, AND tighter than OR. Blank text matches everything. Throws `QueryTextError` with the offending part.
 */
export function parseLucene(text: string): TextExpr {
  if (text.length > textLengthMax) {
    throw new QueryTextError(`the condition is longer than ${textLengthMax} characters`, textLengthMax, text.length);
  }
  return new LuceneParser(new Scanner(text)).parse();
}

class LuceneParser {
  private readonly scanner: Scanner;
  private depth = 0;
  /** The field of the enclosing `field:( … )`. */
  private groupField: FieldName | undefined;

  constructor(scanner: Scanner) {
    this.scanner = scanner;
  }

  parse(): TextExpr {
    const { scanner } = this;
    scanner.skipSpace();
    if (scanner.ended) return everything;
    const tree = this.either();
    if (!scanner.ended) throw new QueryTextError('")" without an opening parenthesis', scanner.at, scanner.at + 1);
    return tree;
  }

  private either(): TextExpr {
    const first = this.both();
    const more: TextExpr[] = [];
    for (let operator = this.takeOperator('OR', '||'); operator; operator = this.takeOperator('OR', '||')) {
      this.expectOperand(operator);
      more.push(this.both());
    }
    return anyOf([first, ...more]);
  }

  private both(): TextExpr {
    const items = [this.negatable()];
    for (;;) {
      const operator = this.takeOperator('AND', '&&');
      if (operator) this.expectOperand(operator);
      else if (this.atEndOfOperands()) return allOf(items);
      items.push(this.negatable());
    }
  }

  private negatable(): TextExpr {
    const { scanner } = this;
    scanner.skipSpace();
    const start = scanner.at;
    const word = scanner.isKeyword('NOT') ? 'NOT' : this.prefix();
    if (word === '') return this.operand();
    scanner.at += word.length;
    this.expectOperand({ word, start });
    const item = this.nested(start, () => this.negatable());
    return word === '+' ? item : { kind: 'not', item };
  }

  /** A sign directly before its term; alone it is a word. */
  private prefix(): string {
    const sign = this.scanner.peek();
    const next = this.scanner.peek(1);
    return '-!+'.includes(sign) && next !== '' && !' \t\n\r)'.includes(next) ? sign : '';
  }

  private operand(): TextExpr {
    const { scanner } = this;
    this.rejectOperator();
    if (scanner.peek() === '(') return this.group();
    const start = scanner.at;
    const field = readFieldName(scanner);
    if (field) return this.fieldTest(field);
    return this.term(start);
  }

  private rejectOperator(): void {
    const { scanner } = this;
    for (const word of ['AND', 'OR', '&&', '||']) {
      if (scanner.startsWith(word) && (/\W/.test(word) || scanner.isKeyword(word))) {
        throw new QueryTextError(`a condition is missing before ${word}`, scanner.at, scanner.at + word.length);
      }
    }
  }

  private group(): TextExpr {
    const { scanner } = this;
    const start = scanner.at++;
    scanner.skipSpace();
    if (scanner.take(')')) return everything;
    const tree = this.nested(start, () => this.either());
    scanner.skipSpace();
    if (!scanner.take(')')) throw new QueryTextError('missing ")" for this parenthesis', start, start + 1);
    return tree;
  }

  private fieldTest(field: FieldName): TextExpr {
    const { scanner } = this;
    scanner.skipSpace();
    const { start } = field;
    if (scanner.ended || scanner.peek() === ')') {
      throw new QueryTextError(`a value is missing after "${field.name}:"`, start, scanner.at);
    }
    if (scanner.peek() === '(') return this.fieldGroup(field);
    const test = readRange(scanner) ?? readComparison(scanner);
    if (test) return { kind: 'match', field, test, start, end: scanner.at };
    return this.regex(start, field) ?? this.pattern(field, false, start);
  }

  private fieldGroup(field: FieldName): TextExpr {
    const outer = this.groupField;
    this.groupField = field;
    const tree = this.group();
    this.groupField = outer;
    return tree;
  }

  private term(start: number): TextExpr {
    const field = this.groupField;
    if (field) {
      const test = readComparison(this.scanner);
      if (test) return { kind: 'match', field, test, start, end: this.scanner.at };
      return this.regex(start, field) ?? this.pattern(field, true, start);
    }
    return this.regex(start) ?? { kind: 'words', pattern: this.readPattern(), start, end: this.scanner.at };
  }

  private regex(start: number, item?: FieldName): TextExpr | undefined {
    const regex = readRegex(this.scanner);
    if (regex === undefined) return undefined;
    return { kind: 'regex', regex, ...(item && { item }), start, end: this.scanner.at };
  }

  private pattern(field: FieldName, grouped: boolean, start: number): TextExpr {
    const pattern = this.readPattern();
    const { end } = { end: this.scanner.at };
    const onlyStars = !pattern.quoted && pattern.pieces.length > 1 && pattern.pieces.every((piece) => piece === '');
    if (onlyStars) return { kind: 'match', field, test: { test: 'exists' }, start, end };
    return { kind: 'match', field, test: { test: 'pattern', pattern, grouped }, start, end };
  }

  private readPattern(): Pattern {
    const { scanner } = this;
    if (scanner.peek() === '"') {
      const piece = scanner.quoted();
      skipFuzzyAndBoost(scanner);
      return { pieces: [piece], quoted: true };
    }
    return { pieces: withoutFuzzyAndBoost(scanner.pieces()), quoted: false };
  }

  /** AND and OR between conditions; the words need a blank or parenthesis on both sides. */
  private takeOperator(word: string, symbol: string): { word: string; start: number } | undefined {
    const { scanner } = this;
    scanner.skipSpace();
    const start = scanner.at;
    if (scanner.isKeyword(word) && scanner.take(word)) return { word, start };
    return scanner.take(symbol) ? { word: symbol, start } : undefined;
  }

  private expectOperand(operator: { word: string; start: number }): void {
    this.scanner.skipSpace();
    if (!this.scanner.ended && this.scanner.peek() !== ')') return;
    throw new QueryTextError(
      `a condition is missing after ${operator.word}`,
      operator.start,
      operator.start + operator.word.length,
    );
  }

  private atEndOfOperands(): boolean {
    const { scanner } = this;
    return scanner.ended || scanner.peek() === ')' || scanner.isKeyword('OR') || scanner.startsWith('||');
  }

  private nested<T>(start: number, read: () => T): T {
    if (++this.depth > depthMax) {
      throw new QueryTextError(`nested deeper than ${depthMax} levels`, start, this.scanner.text.length);
    }
    const result = read();
    this.depth--;
    return result;
  }
}

/** `term~2` and `term^3` are accepted for the sake of other Lucene dialects; they change nothing. */
function withoutFuzzyAndBoost(pieces: string[]): string[] {
  const last = pieces.at(-1) ?? '';
  const bare = last.replace(/[~^][0-9.]*$/, '');
  const nothingLeft = pieces.length === 1 && bare === '';
  return nothingLeft ? pieces : [...pieces.slice(0, -1), bare];
}

function skipFuzzyAndBoost(scanner: Scanner): void {
  if (scanner.peek() !== '~' && scanner.peek() !== '^') return;
  do scanner.at++;
  while (/[0-9.]/.test(scanner.peek()));
}
