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
import { QueryTextError } from '../compiled-query.ts';
import { sqlDepthMax, wildcardsMax } from '../text-limits.ts';
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
/** `x::Float64` is the only cast; each target is a function of the allow-list. */
const casts = new Map([
  ['float64', 'toFloat64OrNull'],
  ['int64', 'toInt64OrNull'],
  ['uint64', 'toUInt64OrNull'],
  ['string', 'toString'],
]);

class SqlParser {
  private readonly tokens: TokenReader;
  private depth = 0;
  private betweens = 0;

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
    const { tokens, betweens } = this;
    const left = this.sum();
    const isNested = this.betweens !== betweens;
    const { kind, value } = tokens.peek();
    const operator = kind === 'sign' ? comparisons.get(value) : undefined;
    if (operator) {
      tokens.next();
      const right = this.sum();
      return { kind: 'compare', operator, left, right, ...this.span(left) };
    }
    if (tokens.takeWord('is')) return this.isNull(left);
    const negated = tokens.isWord('not');
    if (negated) tokens.next();
    const condition = this.wordCondition(left, isNested);
    if (condition) return negated ? { kind: 'not', item: condition } : condition;
    if (negated) throw tokens.unexpected('NOT must be followed by IN, BETWEEN, LIKE or ILIKE here');
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
    const ignoreCase = tokens.isWord('ilike');
    if (!tokens.takeWord('like') && !tokens.takeWord('ilike')) return undefined;
    if (tokens.peek().kind !== 'text') throw tokens.unexpected("LIKE needs a quoted pattern, like 'a%'");
    const { value: pattern, start, end } = tokens.next();
    if (pattern.split('%').length - 1 > wildcardsMax) {
      throw new QueryTextError(`more than ${wildcardsMax} wildcards in one pattern`, start, end);
    }
    return { kind: 'like', item: left, pattern, ignoreCase, ...this.span(left) };
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
    this.betweens++;
    const low = this.sum();
    if (!this.tokens.takeWord('and')) throw this.tokens.unexpected('BETWEEN needs "low AND high"');
    const high = this.sum();
    const span = this.span(item);
    return allOf([
      { kind: 'compare', operator: '>=', left: item, right: low, ...span },
      { kind: 'compare', operator: '<=', left: item, right: high, ...span },
    ]);
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

  private cast(): TextExpr {
    let item = this.primary();
    for (let length = 0; this.tokens.takeSign('::'); length++) {
      if (length >= sqlDepthMax) throw this.tooDeep();
      const type = this.tokens.peek();
      const name = casts.get(type.value.toLowerCase());
      if (!name) throw this.tokens.unexpected('a cast must be one of ::Float64, ::Int64, ::UInt64, ::String');
      this.tokens.next();
      item = { kind: 'call', name, args: [item], ...this.span(item) };
    }
    return item;
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
    if (tokens.isReserved()) return this.reservedWord();
    if (kind === 'name' && tokens.isSign('(', 1)) return this.call();
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

  private call(): TextExpr {
    const { value: name, start } = this.tokens.next();
    this.tokens.next();
    const args = this.list(')', () => this.either());
    return { kind: 'call', name, args, start, end: this.tokens.peek(-1).end };
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
    const key = tokens.takeSign('[') ? this.key() : undefined;
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
    if (this.tokens.peek().kind !== 'text')
      throw this.tokens.unexpected("a key must be quoted, like Attributes['key']");
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
