import { describe, expect, it } from 'vitest';
import type { TextExpr } from '../ast/text-expr.ts';
import { QueryTextError } from '../compiled-query.ts';
import { sqlDepthMax, wildcardsMax } from '../text-limits.ts';
import { parseSqlCondition, parseSqlValue } from './parse-sql.ts';

/** The tree with every pair of parentheses. */
function show(expr: TextExpr): string {
  switch (expr.kind) {
    case 'everything':
      return 'everything';
    case 'allOf':
      return `(${expr.items.map(show).join(' AND ')})`;
    case 'anyOf':
      return `(${expr.items.map(show).join(' OR ')})`;
    case 'not':
      return `NOT ${show(expr.item)}`;
    case 'compare':
    case 'arithmetic':
      return `(${show(expr.left)} ${expr.operator} ${show(expr.right)})`;
    case 'in':
      return `${show(expr.item)} IN [${expr.options.map(show).join(', ')}]`;
    case 'like':
      return `${show(expr.item)} ${expr.ignoreCase ? 'ILIKE' : 'LIKE'} '${expr.pattern}'`;
    case 'regex':
      return `${expr.item && show(expr.item)} REGEXP '${expr.regex}'`;
    case 'isNull':
      return `${show(expr.item)} IS NULL`;
    case 'call':
      return `${expr.name}(${expr.args.map(show).join(', ')})`;
    case 'literal':
      return expr.type === 'text' ? `'${expr.text}'` : expr.text;
    case 'name':
      return `<${expr.name}${expr.key === undefined ? '' : `|${expr.key}`}>`;
    default:
      return expr.kind;
  }
}

describe('conditions', () => {
  it.each([
    ['  ', 'everything'],
    ["a = 'x' OR b = 1 AND NOT c < 2.5", "((<a> = 'x') OR ((<b> = 1) AND NOT (<c> < 2.5)))"],
    ['(a = 1 OR b <> 2) AND c', '(((<a> = 1) OR (<b> != 2)) AND <c>)'],
    ["Body LIKE '%x%' and b not ilike 'y_'", "(<Body> LIKE '%x%' AND NOT <b> ILIKE 'y_')"],
    ["a IN ('x', 'y', -1) OR a NOT IN (2)", "(<a> IN ['x', 'y', -1] OR NOT <a> IN [2])"],
    ['a BETWEEN 1 AND 5 AND b = 2', '(((<a> >= 1) AND (<a> <= 5)) AND (<b> = 2))'],
    ['a NOT BETWEEN 1 AND 5', 'NOT ((<a> >= 1) AND (<a> <= 5))'],
    ['a IS NULL OR b IS NOT NULL', '(<a> IS NULL OR NOT <b> IS NULL)'],
    ['a + b * -2 - 1 >= c / 3 % 2', '(((<a> + (<b> * -2)) - 1) >= ((<c> / 3) % 2))'],
    ["Map['k'] = 'it''s' AND M.a.b = 'c\\'d'", "((<Map|k> = 'it's') AND (<M.a.b> = 'c'd'))"],
    ['http.status.5 = 1', '(<http.status.5> = 1)'],
    ['k8s.0.name = 1', '(<k8s.0.name> = 1)'],
    ['a.0.5.6 = .5', '(<a.0.5.6> = .5)'],
    ['http.5xx.1e3 = 1', '(<http.5xx.1e3> = 1)'],
    ['"a b".7."c d" = 1', '(<a b.7.c d> = 1)'],
    ['http.status_code = 200 AND k8s.pod-name = 1', '((<http.status_code> = 200) AND (<k8s.pod-name> = 1))'],
    ["startsWith(lower(Body), 'a')", "startsWith(lower(<Body>), 'a')"],
    ['x::Float64 > 1', '(toFloat64OrNull(<x>) > 1)'],
    [
      "order.state = 'x' AND not.found = 1 AND NOT and.y",
      "((<order.state> = 'x') AND (<not.found> = 1) AND NOT <and.y>)",
    ],
    ['limit.cpu > 1 OR case.id = 2 OR a.group = 3', '((<limit.cpu> > 1) OR (<case.id> = 2) OR (<a.group> = 3))'],
    ["a REGEXP '^x' AND b NOT REGEXP 'y'", "(<a> REGEXP '^x' AND NOT <b> REGEXP 'y')"],
    ["a || 'b' || c = 'x'", "(concat(<a>, 'b', <c>) = 'x')"],
    ['a + INTERVAL 5 MINUTE > now()', '((<a> + toIntervalMinute(5)) > now())'],
    ["a - INTERVAL '2 days' < b", '((<a> - toIntervalDay(2)) < <b>)'],
    ['interval > 5 AND interval.ms = 1', '((<interval> > 5) AND (<interval.ms> = 1))'],
    ['CAST(a AS Nullable(Int64)) = 1', '(toInt64OrNull(<a>) = 1)'],
    ["splitByChar(',', a)[-1]::Float64 = 1", "(toFloat64OrNull(arrayElement(splitByChar(',', <a>), -1)) = 1)"],
    ['CASE WHEN a THEN 1 WHEN b THEN 2 ELSE 3 END = 1', '(multiIf(<a>, 1, <b>, 2, 3) = 1)'],
    ['CASE a WHEN 1 THEN x END = 1', '(multiIf((<a> = 1), <x>, null) = 1)'],
    ["like(a, 'b%') AND a LIKE 'b%'", "(like(<a>, 'b%') AND <a> LIKE 'b%')"],
    ['"a b" = 1 AND `c` = true', '((<a b> = 1) AND (<c> = true))'],
  ])('%s', (text, tree) => expect(show(parseSqlCondition(text))).toBe(tree));
});

describe('what is wrong, and where', () => {
  it.each([
    ['a = 1; DROP', 5, 6, '";" is not'],
    ['a = 1 -- x', 6, 8, 'comments'],
    ['a = 1 /* x', 6, 8, 'comments'],
    ['a = (SELECT 1)', 5, 11, 'only one expression'],
    ['a = 1 SETTINGS x = 1', 6, 14, 'expected to end here'],
    ['a = 1) OR (1', 5, 6, 'expected to end here'],
    ["a = 'x", 4, 6, 'missing closing'],
    ['a IN b', 5, 6, 'IN needs a list'],
    ['a IN ()', 7, 7, 'empty'],
    ['a IN (b)', 6, 7, 'only strings and numbers'],
    ['a LIKE b', 7, 8, 'quoted pattern'],
    [`a LIKE '${'%a'.repeat(wildcardsMax + 1)}'`, 7, 2 * wildcardsMax + 11, 'wildcards'],
    ['a = ', 4, 4, 'ends too early'],
    ['x::Array(String)', 3, 8, 'a type is expected'],
    ['x -> x', 2, 4, 'lambdas'],
    ['a REGEXP b', 9, 10, 'quoted pattern'],
    ["a REGEXP '(x'", 9, 13, 'missing closing'],
    ["a REGEXP ''", 9, 11, 'empty'],
    ["a REGEXP 'x(?=y)'", 9, 17, 'RE2'],
    [`a REGEXP '${'x'.repeat(1_001)}'`, 9, 1_012, 'longer than 1000'],
    ['a > INTERVAL 5 PARSECS', 15, 22, 'an interval is expected'],
    ['a > INTERVAL 5', 14, 14, 'an interval is expected'],
    ['CASE WHEN a THEN 1', 18, 18, 'CASE ends with END'],
    ['CASE a END', 7, 10, 'CASE needs WHEN'],
    ['CASE CASE a WHEN 1 THEN 2 END WHEN 1 THEN 2 END', 30, 34, 'CASE of another CASE'],
    ['CASE (a BETWEEN 1 AND 2) WHEN 1 THEN 2 END', 25, 29, 'CASE of another CASE'],
    ['CASE a WHEN 1 THEN 2 END BETWEEN 1 AND 2', 25, 32, 'nested'],
    ['CAST(a, Array)', 8, 13, 'a type is expected'],
    ["order = 'x'", 0, 5, 'only one expression'],
    ['a = 12abc', 4, 5, 'unexpected character'],
  ])('%s', (text, start, end, reason) => {
    const error = errorOf(() => parseSqlCondition(text));
    expect(error.message).toContain(reason);
    expect([error.position, error.end]).toEqual([start, end]);
  });

  it('a value is not optional, and nesting is bounded', () => {
    expect(errorOf(() => parseSqlValue(' ')).message).toContain('missing');
    expect(errorOf(() => parseSqlCondition('('.repeat(sqlDepthMax + 1))).message).toContain('nested deeper');
    expect(errorOf(() => parseSqlCondition(`${'- '.repeat(sqlDepthMax + 1)}a`)).message).toContain('nested deeper');
    expect(errorOf(() => parseSqlCondition(`1${'+1'.repeat(sqlDepthMax + 1)}`)).message).toContain('nested deeper');
    expect(errorOf(() => parseSqlCondition(`x${'::String'.repeat(sqlDepthMax + 1)}`)).message).toContain(
      'nested deeper',
    );
    expect(errorOf(() => parseSqlCondition(`${'abs('.repeat(sqlDepthMax + 1)}a`)).message).toContain('nested deeper');
  });
});

function errorOf(parse: () => unknown): QueryTextError {
  try {
    parse();
  } catch (error) {
    if (error instanceof QueryTextError) return error;
    throw error;
  }
  throw new Error('the text was accepted');
}
