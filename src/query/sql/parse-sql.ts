import {
  type Arithmetic,
  allOf,
  anyOf,
  type Compare,
  everything,
  type Field,
  type Literal,
  type TextExpr,
} from '../ast/text-expr.ts';
import { checkRegex } from '../check-regex.ts';
import { QueryTextError } from '../compiled-query.ts';
import { sqlDepthMax, wildcardsMax } from '../text-limits.ts';
import { readCastType } from './casts.ts';
import { findFunction } from './functions.ts';
import { readInterval } from './interval.ts';
import { TokenReader } from './token-reader.ts';

/** One boolean SQL expression to a tree; blank text matches everything. Throws `QueryTextError` with the position. */
export function parseSqlCondition(text: string): TextExpr {
  return text.trim() === '' ? everything : new SqlParser(new TokenReader(text)).parse();
}

/** The text of a `field` or `groupBy`: a column, a map path or an allowed function of these. */
export function parseSqlValue(text: string): TextExpr {
  if (text.trim() === '')
    throw new QueryTextError('a column, an attribute or a function call is missing', 0, text.length);
  return new SqlParser(new TokenReader(text)).parse();
}

const comparisons = new Map<string, Compare['operator']>([
  ['=', '='],
  ['==', '='],
  ['!=', '!='],
  ['<>', '!='],
  ['<', '<'],
  ['<=', '<='],
  ['>', '>'],
  ['>=', '>='],
]);
class SqlParser {
  private readonly tokens: TokenReader;
  private depth = 0;
  /** How many forms were read that name their operand several times. */
  private repeats = 0;

  constructor(tokens: TokenReader) {
    this.tokens = tokens;
  }

  parse(): TextExpr {
    const tree = this.either();
    if (this.tokens.peek().kind !== 'end') throw this.tokens.unexpected('the expression is expected to end here');
    return tree;
  }

  private either(): TextExpr {
    const first = this.both();
    const more: TextExpr[] = [];
    while (this.tokens.takeWord('or')) more.push(this.both());
    return anyOf([first, ...more]);
  }

  private both(): TextExpr {
    const items = [this.negatable()];
    while (this.tokens.takeWord('and')) items.push(this.negatable());
    return allOf(items);
  }

  private negatable(): TextExpr {
    if (!this.tokens.takeWord('not')) return this.condition();
    return { kind: 'not', item: this.nested(() => this.negatable()) };
  }

  private condition(): TextExpr {
    const { tokens, repeats } = this;
    const left = this.value();
    const isNested = this.repeats !== repeats;
    const { kind, value } = tokens.peek();
    const operator = kind === 'sign' ? comparisons.get(value) : undefined;
    if (operator) {
      tokens.next();
      const right = this.value();
      return { kind: 'compare', operator, left, right, ...this.span(left) };
    }
    if (tokens.takeWord('is')) return this.isNull(left);
    const negated = tokens.isWord('not');
    if (negated) tokens.next();
    const condition = this.wordCondition(left, isNested);
    if (condition) return negated ? { kind: 'not', item: condition } : condition;
    if (negated) throw tokens.unexpected('NOT must be followed by IN, BETWEEN, LIKE, ILIKE or REGEXP here');
    return left;
  }

  private wordCondition(left: TextExpr, isNested: boolean): TextExpr | undefined {
    const { tokens } = this;
    if (tokens.takeWord('in')) return this.inList(left);
    if (tokens.isWord('between')) {
      // It names its operand twice, so that nesting would double the statement at each level.
      if (isNested) throw tokens.unexpected('nested BETWEEN is not supported');
      tokens.next();
      return this.between(left);
    }
    if (tokens.takeWord('regexp') || tokens.takeWord('rlike')) return this.regex(left);
    const ignoreCase = tokens.isWord('ilike');
    if (!tokens.takeWord('like') && !tokens.takeWord('ilike')) return undefined;
    if (tokens.peek().kind !== 'text') throw tokens.unexpected("LIKE needs a quoted pattern, like 'a%'");
    const { value: pattern, start, end } = tokens.next();
    if (pattern.split('%').length - 1 > wildcardsMax) {
      throw new QueryTextError(`more than ${wildcardsMax} wildcards in one pattern`, start, end);
    }
    return { kind: 'like', item: left, pattern, ignoreCase, ...this.span(left) };
  }

  private regex(left: TextExpr): TextExpr {
    const { tokens } = this;
    if (tokens.peek().kind !== 'text') throw tokens.unexpected("REGEXP needs a quoted pattern, like '^a.*z$'");
    const pattern = tokens.next();
    return { kind: 'regex', item: left, regex: checkRegex(pattern.value, pattern), ...this.span(left) };
  }

  private isNull(left: TextExpr): TextExpr {
    const negated = this.tokens.takeWord('not');
    if (!this.tokens.takeWord('null')) throw this.tokens.unexpected('IS must be followed by NULL or NOT NULL');
    const test: TextExpr = { kind: 'isNull', item: left, ...this.span(left) };
    return negated ? { kind: 'not', item: test } : test;
  }

  private inList(left: TextExpr): TextExpr {
    const { tokens } = this;
    tokens.expectSign('(', "IN needs a list, like ('a', 'b')");
    const options = this.list(')', () => this.literal());
    if (options.length === 0) throw tokens.unexpected('the list of IN is empty');
    return { kind: 'in', item: left, options, ...this.span(left) };
  }

  private literal(): TextExpr {
    const negative = this.tokens.isSign('-') && this.tokens.peek(1).kind === 'number';
    const value = negative ? this.unary() : this.primary();
    if (value.kind === 'literal') return value;
    throw new QueryTextError('the list of IN may contain only strings and numbers', ...this.range(value));
  }

  private between(item: TextExpr): TextExpr {
    this.repeats++;
    const low = this.value();
    if (!this.tokens.takeWord('and')) throw this.tokens.unexpected('BETWEEN needs "low AND high"');
    const high = this.value();
    const span = this.span(item);
    return allOf([
      { kind: 'compare', operator: '>=', left: item, right: low, ...span },
      { kind: 'compare', operator: '<=', left: item, right: high, ...span },
    ]);
  }

  /** `a || b` is `concat(a, b)`. */
  private value(): TextExpr {
    const first = this.sum();
    const args = [first];
    while (this.tokens.takeSign('||')) args.push(this.sum());
    return args.length === 1 ? first : { kind: 'call', name: 'concat', args, ...this.span(first) };
  }

  private sum(): TextExpr {
    return this.arithmetic(['+', '-'], () => this.product());
  }

  private product(): TextExpr {
    return this.arithmetic(['*', '/', '%'], () => this.unary());
  }

  private arithmetic(operators: readonly Arithmetic['operator'][], operand: () => TextExpr): TextExpr {
    let left = operand();
    for (let length = 0; ; length++) {
      const operator = operators.find((sign) => this.tokens.isSign(sign));
      if (!operator) return left;
      if (length >= sqlDepthMax) throw this.tooDeep();
      this.tokens.next();
      const right = operand();
      left = { kind: 'arithmetic', operator, left, right, ...this.span(left) };
    }
  }

  private unary(): TextExpr {
    const sign = this.tokens.peek();
    if (!this.tokens.takeSign('-')) return this.cast();
    const item = this.nested(() => this.unary());
    const end = this.tokens.peek(-1).end;
    if (item.kind === 'literal' && item.type === 'number')
      return { ...item, text: negated(item.text), start: sign.start };
    const zero: Literal = { kind: 'literal', type: 'number', text: '0', start: sign.start, end };
    return { kind: 'arithmetic', operator: '-', left: zero, right: item, start: sign.start, end };
  }

  /** `x::Float64` and `x[1]`, any number of them. */
  private cast(): TextExpr {
    const { tokens } = this;
    let item = this.primary();
    for (let length = 0; tokens.isSign('::') || tokens.isSign('['); length++) {
      if (length >= sqlDepthMax) throw this.tooDeep();
      item = tokens.takeSign('::') ? this.converted(item, readCastType(tokens)) : this.element(item);
    }
    return item;
  }

  private converted(item: TextExpr, name: string): TextExpr {
    return { kind: 'call', name, args: [item], ...this.span(item) };
  }

  private element(array: TextExpr): TextExpr {
    const { tokens } = this;
    tokens.expectSign('[', 'an index is expected here');
    const index = this.unary();
    tokens.expectSign(']', 'a "]" is missing');
    return { kind: 'call', name: 'arrayElement', args: [array, index], ...this.span(array) };
  }

  private primary(): TextExpr {
    const { tokens } = this;
    const { kind, value, start, end } = tokens.peek();
    if (kind === 'number' || kind === 'text') {
      tokens.next();
      return { kind: 'literal', type: kind, text: value, start, end };
    }
    if (tokens.takeSign('(')) {
      const inner = this.nested(() => this.either());
      tokens.expectSign(')', 'a ")" is missing');
      return inner;
    }
    if (tokens.takeWord('case')) return this.choice(start);
    const isCall = kind === 'name' && tokens.isSign('(', 1);
    // `like(a, 'b%')` and `any(a)` are calls, though LIKE and ANY are words between operands.
    const isFunction = isCall && (findFunction(value) !== undefined || value.toLowerCase() === 'any');
    if (tokens.isReserved() && !isFunction) return this.reservedWord();
    const interval = readInterval(tokens);
    if (interval) return interval;
    if (isCall) return tokens.isWord('cast') ? this.castCall() : this.call();
    if (kind === 'name' || kind === 'quotedName') return this.field();
    throw tokens.unexpected('a column, a value or a function is expected here');
  }

  private reservedWord(): TextExpr {
    const { value, start, end } = this.tokens.peek();
    const word = value.toLowerCase();
    if (word !== 'true' && word !== 'false' && word !== 'null') {
      throw this.tokens.unexpected('only one expression over columns is allowed');
    }
    this.tokens.next();
    return { kind: 'literal', type: word === 'null' ? 'null' : 'bool', text: word, start, end };
  }

  /** `CASE WHEN … THEN … END` is `multiIf`; `CASE x WHEN 1 …` compares each time. Without ELSE it is NULL. */
  private choice(start: number): TextExpr {
    const { tokens } = this;
    const subject = this.caseSubject();
    const args: TextExpr[] = [];
    while (tokens.takeWord('when')) {
      const test = this.nested(() => this.either());
      if (!tokens.takeWord('then')) throw tokens.unexpected('WHEN needs THEN');
      const equals = subject && ({ kind: 'compare', operator: '=', left: subject, right: test } as const);
      args.push(
        equals ? { ...equals, ...this.span(test) } : test,
        this.nested(() => this.either()),
      );
    }
    if (args.length === 0) throw tokens.unexpected('CASE needs WHEN … THEN …');
    const rest = tokens.takeWord('else') ? this.nested(() => this.either()) : undefined;
    if (!tokens.takeWord('end')) throw tokens.unexpected('CASE ends with END');
    const { end } = tokens.peek(-1);
    args.push(rest ?? { kind: 'literal', type: 'null', text: 'null', start: end, end });
    return { kind: 'call', name: 'multiIf', args, start, end };
  }

  private caseSubject(): TextExpr | undefined {
    const { tokens, repeats } = this;
    if (tokens.isWord('when')) return undefined;
    const subject = this.nested(() => this.value());
    if (this.repeats !== repeats) throw tokens.unexpected('CASE of another CASE or of BETWEEN is not supported');
    this.repeats++;
    return subject;
  }

  private castCall(): TextExpr {
    const { tokens } = this;
    const { start } = tokens.next();
    tokens.next();
    const item = this.nested(() => this.either());
    if (!tokens.takeWord('as') && !tokens.takeSign(','))
      throw tokens.unexpected('CAST has the form CAST(x AS Float64)');
    const name = readCastType(tokens);
    tokens.expectSign(')', 'a ")" is missing');
    return { kind: 'call', name, args: [item], start, end: tokens.peek(-1).end };
  }

  private call(): TextExpr {
    const { value: name, start } = this.tokens.next();
    this.tokens.next();
    const args = this.list(')', () => this.either());
    if (!this.tokens.takeSign('(')) return { kind: 'call', name, args, start, end: this.tokens.peek(-1).end };
    const own = this.list(')', () => this.either());
    return { kind: 'call', name, parameters: args, args: own, start, end: this.tokens.peek(-1).end };
  }

  private field(): Field {
    const { tokens } = this;
    const first = tokens.next();
    let name = first.value;
    while (tokens.isSign('.') && this.isNamePart(1)) {
      tokens.next();
      name += `.${tokens.next().value}`;
      name += this.hyphenated();
    }
    const key = tokens.isSign('[') && tokens.peek(1).kind === 'text' ? this.key() : undefined;
    const end = tokens.peek(-1).end;
    return { kind: 'name', name, ...(key === undefined ? {} : { key }), start: first.start, end };
  }

  private isNamePart(ahead: number): boolean {
    const { kind } = this.tokens.peek(ahead);
    return kind === 'name' || kind === 'quotedName' || kind === 'number';
  }

  /** In a dotted path `a.b-c` is one key; a difference is written with blanks. */
  private hyphenated(): string {
    const { tokens } = this;
    let rest = '';
    while (tokens.isSign('-') && tokens.peek(1).kind === 'name' && this.touches(0) && this.touches(1)) {
      tokens.next();
      rest += `-${tokens.next().value}`;
    }
    return rest;
  }

  private touches(ahead: number): boolean {
    return this.tokens.peek(ahead - 1).end === this.tokens.peek(ahead).start;
  }

  private key(): string {
    this.tokens.next();
    const key = this.tokens.next().value;
    this.tokens.expectSign(']', 'a "]" is missing');
    return key;
  }

  private list(close: string, read: () => TextExpr): TextExpr[] {
    const items: TextExpr[] = [];
    if (this.tokens.takeSign(close)) return items;
    do items.push(this.nested(read));
    while (this.tokens.takeSign(','));
    this.tokens.expectSign(close, `a "${close}" is missing`);
    return items;
  }

  /** From the start of `first` to the last token that was read. */
  private span(first: TextExpr): { start: number; end: number } {
    return { start: this.range(first)[0], end: this.tokens.peek(-1).end };
  }

  private range(expr: TextExpr): [number, number] {
    if ('start' in expr) return [expr.start, expr.end];
    const inner = expr.kind === 'not' ? expr.item : 'items' in expr ? expr.items[0] : undefined;
    return inner ? this.range(inner) : [0, this.tokens.text.length];
  }

  /** A long chain is a deep tree, for us and for the engine. */
  private tooDeep(): QueryTextError {
    return this.tokens.unexpected(`nested deeper than ${sqlDepthMax} levels`);
  }

  private nested<T>(read: () => T): T {
    if (++this.depth > sqlDepthMax) throw this.tooDeep();
    const result = read();
    this.depth--;
    return result;
  }
}

function negated(number: string): string {
  return number.startsWith('-') ? number.slice(1) : `-${number}`;
}
