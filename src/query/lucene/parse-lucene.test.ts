import { describe, expect, it } from 'vitest';
import type { MatchTest, TextExpr } from '../ast/text-expr.ts';
import { QueryTextError } from '../compiled-query.ts';
import { depthMax, textLengthMax, wildcardsMax } from '../text-limits.ts';
import { parseLucene } from './parse-lucene.ts';

/** The tree in few characters: `(a & b)`, `(a | b)`, `!a`, `field=test`. */
function show(expr: TextExpr): string {
  switch (expr.kind) {
    case 'everything':
      return 'everything';
    case 'allOf':
      return `(${expr.items.map(show).join(' & ')})`;
    case 'anyOf':
      return `(${expr.items.map(show).join(' | ')})`;
    case 'not':
      return `!${show(expr.item)}`;
    case 'words':
      return showPattern(expr.pattern);
    case 'match': {
      const { field } = expr;
      const name = field.kind === 'name' ? `${field.name}${field.key === undefined ? '' : `[${field.key}]`}` : '?';
      return `${name}=${showTest(expr.test)}`;
    }
    case 'regex':
      return `${expr.item?.kind === 'name' ? `${expr.item.name}=` : ''}~${expr.regex}~`;
    default:
      return expr.kind;
  }
}

function showPattern({ pieces, quoted }: { pieces: readonly string[]; quoted: boolean }): string {
  return quoted ? JSON.stringify(pieces.join('*')) : pieces.join('*');
}

function showTest(test: MatchTest): string {
  switch (test.test) {
    case 'exists':
      return 'exists';
    case 'pattern':
      return `${test.grouped ? 'in ' : ''}${showPattern(test.pattern)}`;
    case 'compare':
      return `${test.operator}${test.bound.text}`;
    case 'range':
      return `${test.low?.inclusive ? '[' : '{'}${test.low?.bound.text ?? '*'}..${test.high?.bound.text ?? '*'}${test.high?.inclusive ? ']' : '}'}`;
  }
}

describe('structure', () => {
  it.each([
    ['', 'everything'],
    ['  \n ', 'everything'],
    ['()', 'everything'],
    ['a', 'a'],
    ['a b', '(a & b)'],
    ['a AND b && c', '(a & b & c)'],
    ['a OR b || c', '(a | b | c)'],
    ['a AND b OR c', '((a & b) | c)'],
    ['a OR b c', '(a | (b & c))'],
    ['NOT a', '!a'],
    ['/a b/ c', '(~a b~ & c)'],
    ['-f:/a/ (g:(/b/ OR x))', '(!f=~a~ & (g=~b~ | g=in x))'],
    ['/a\\/b/', '~a/b~'],
    ['/a/b /a/b/ /a //', '(/a/b & /a/b/ & /a & //)'],
    ['f:/api/v1', 'f=/api/v1'],
    ['a AND NOT b', '(a & !b)'],
    ['a NOT b', '(a & !b)'],
    ['a OR NOT b', '(a | !b)'],
    ['-a', '!a'],
    ['!a', '!a'],
    ['+a', 'a'],
    ['!!a', '!!a'],
    ['NOT(a)', '!a'],
    ['-(a OR b)', '!(a | b)'],
    ['a and b', '(a & and & b)'],
    ['ANDROID ORACLE NOTE', '(ANDROID & ORACLE & NOTE)'],
    ['a - b', '(a & - & b)'],
    ['foo(bar)', '(foo & bar)'],
    ['a~2 b^3 "c d"~4', '(a & b & "c d")'],
  ])('%s', (text, tree) => expect(show(parseLucene(text))).toBe(tree));
});

describe('fields and values', () => {
  it.each([
    ['f:v', 'f=v'],
    ['f: v', 'f=v'],
    ['f:"a b"', 'f="a b"'],
    ['f:a:b:c', 'f=a:b:c'],
    ['f:-5', 'f=-5'],
    ['-f:-5', '!f=-5'],
    ['f:*', 'f=exists'],
    ['f:[* TO *]', 'f=exists'],
    ['f:x*', 'f=x*'],
    ['f:\\*', 'f=*'],
    ['f:a\\ b', 'f=a b'],
    ['f:C:\\temp', 'f=C:\\temp'],
    ['a\\:b', 'a:b'],
    ['f:"a\\"b\\\\c"', 'f="a\\"b\\\\c"'],
    ['f:>=-5', 'f=>=-5'],
    ['f:> 5', 'f=>5'],
    ['f:[1 TO 5}', 'f=[1..5}'],
    ['f:{* TO "b c"]', 'f={*..b c]'],
    ['ts:[2025-01-01T00:00:00Z TO *]', 'ts=[2025-01-01T00:00:00Z..*}'],
    ['f:(a OR g:b "c d" >5)', '(f=in a | (g=b & f=in "c d" & f=>5))'],
    ['f:((x*))', 'f=in x*'],
    ["Log['a.b']:1", 'Log[a.b]=1'],
    ['attrs["a b"]:x', 'attrs[a b]=x'],
    ['Map.a.b:x', 'Map.a.b=x'],
    ['größe:"ä ö"', 'größe="ä ö"'],
    ['http://a.example/x?y=1', 'http://a.example/x?y=1'],
    ['url:https://a.example', 'url=https://a.example'],
    ['localhost:3000', 'localhost:3000'],
    ['10.0.0.1:8080', '10.0.0.1:8080'],
    ['[error]', '[error]'],
    ['path:/api/v1/*', 'path=/api/v1/*'],
    ['f:OR', 'f=OR'],
  ])('%s', (text, tree) => expect(show(parseLucene(text))).toBe(tree));
});

describe('what is wrong, and where', () => {
  it.each([
    ['(a OR b', 0, 1, 'missing ")"'],
    ['a AND (b', 6, 7, 'missing ")"'],
    ['a)', 1, 2, 'without an opening parenthesis'],
    ['"unb', 0, 4, 'missing closing "'],
    ['a AND', 2, 5, 'missing after AND'],
    ['a OR )', 2, 4, 'missing after OR'],
    ['AND a', 0, 3, 'missing before AND'],
    ['a AND OR b', 6, 8, 'missing before OR'],
    ['|| a', 0, 2, 'missing before ||'],
    ['NOT', 0, 3, 'missing after NOT'],
    ['a f:', 2, 4, 'a value is missing after "f:"'],
    ['(f:)', 1, 3, 'a value is missing after "f:"'],
    ['f:>', 2, 3, 'a value is missing after >'],
    ['f:[1 5]', 2, 7, 'a range has the form [low TO high]'],
    ['f:[1 TO 5', 2, 9, 'missing "]"'],
    ['f:[1 TO', 2, 7, 'a range has the form'],
  ])('%s', (text, start, end, reason) => {
    const error = errorOf(text);
    expect(error.message).toContain(reason);
    expect([error.position, error.end]).toEqual([start, end]);
  });

  it('is bounded in depth, length and wildcards', () => {
    expect(errorOf(`Body:${'*a'.repeat(wildcardsMax + 1)}`).message).toContain('wildcards');
    expect(errorOf('*'.repeat(wildcardsMax + 1)).message).toContain('wildcards');
    expect(show(parseLucene('*a'.repeat(wildcardsMax)))).toBe('*a'.repeat(wildcardsMax));
    expect(errorOf('('.repeat(depthMax + 1)).message).toContain('nested deeper');
    expect(errorOf(`${'!'.repeat(depthMax + 1)}a`).message).toContain('nested deeper');
    expect(errorOf('a'.repeat(textLengthMax + 1)).message).toContain('longer than');
    expect(show(parseLucene(`${'('.repeat(depthMax)}a${')'.repeat(depthMax)}`))).toBe('a');
  });
});

function errorOf(text: string): QueryTextError {
  try {
    parseLucene(text);
  } catch (error) {
    if (error instanceof QueryTextError) return error;
    throw error;
  }
  throw new Error(`${text} was accepted`);
}
