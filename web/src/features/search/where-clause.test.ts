import { describe, expect, it } from 'vitest';
import { parseLucene } from '../../../../src/query/lucene/parse-lucene.ts';
import { clauseOf, type FilterField, fieldOf, sqlText, stateOfValue, toggleClause, withRegex } from './where-clause.ts';

const service: FilterField = { name: 'ServiceName', sql: 'ServiceName', type: 'string' };
const route: FilterField = {
  name: 'LogAttributes.http.route',
  sql: "LogAttributes['http.route']",
  type: 'string',
};
const severity: FilterField = { name: 'SeverityNumber', sql: 'SeverityNumber', type: 'number' };

describe('clauseOf', () => {
  it.each([
    [service, 'cart', 'include', 'lucene', 'ServiceName:"cart"'],
    [service, 'cart', 'exclude', 'lucene', '-ServiceName:"cart"'],
    [service, 'cart', 'include', 'sql', "ServiceName = 'cart'"],
    [service, 'cart', 'exclude', 'sql', "ServiceName != 'cart'"],
    [route, '/a', 'include', 'sql', "LogAttributes['http.route'] = '/a'"],
    [route, '/a', 'include', 'lucene', 'LogAttributes.http.route:"/a"'],
    [severity, '9', 'include', 'sql', 'SeverityNumber = 9'],
    [severity, 'x', 'include', 'sql', "SeverityNumber = 'x'"],
    [{ ...route, name: 'Map.a b:c' }, 'v', 'include', 'lucene', 'Map.a\\ b\\:c:"v"'],
  ] as const)('%o = %s, %s, in %s', (field, value, mode, language, text) => {
    expect(clauseOf({ field, value, mode }, language)).toBe(text);
  });

  it.each(['it\'s "so"', 'C:\\dir\\', "\\'; DROP", 'a\nb', '*', ''])('quotes %j so that it is one value', (value) => {
    expect(parseLucene(clauseOf({ field: service, value, mode: 'include' }, 'lucene'))).toMatchObject({
      test: { pattern: { pieces: [value], quoted: true } },
    });
    expect(sqlText(value).slice(1, -1).replace(/\\./gs, '')).not.toContain("'");
  });
});

describe('toggleClause', () => {
  const include = (value: string) => ({ field: service, value, mode: 'include' as const });
  const exclude = (value: string) => ({ field: service, value, mode: 'exclude' as const });

  it('adds to what is there', () => {
    expect(toggleClause('', include('a'), 'lucene')).toBe('ServiceName:"a"');
    expect(toggleClause('error', include('a'), 'lucene')).toBe('error ServiceName:"a"');
    expect(toggleClause("Body LIKE '%x%'", include('a'), 'sql')).toBe("Body LIKE '%x%' AND ServiceName = 'a'");
  });

  it('takes away what is said again', () => {
    expect(toggleClause('error ServiceName:"a b" x', include('a b'), 'lucene')).toBe('error x');
    expect(toggleClause("Body = 'x' AND ServiceName = 'a b'", include('a b'), 'sql')).toBe("Body = 'x'");
  });

  it('puts an opposite in its place', () => {
    expect(toggleClause('ServiceName:"a"', exclude('a'), 'lucene')).toBe('-ServiceName:"a"');
  });

  it('keeps the meaning of an OR', () => {
    expect(toggleClause('a OR b', include('s'), 'lucene')).toBe('(a OR b) ServiceName:"s"');
    expect(toggleClause("x = 'a or b'", include('s'), 'sql')).toBe("x = 'a or b' AND ServiceName = 's'");
    expect(toggleClause('x = 1 or y = 2', include('s'), 'sql')).toBe("(x = 1 or y = 2) AND ServiceName = 's'");
  });

  it('keeps BETWEEN and NOT whole', () => {
    expect(toggleClause('x BETWEEN 1 AND 2', include('s'), 'sql')).toBe("x BETWEEN 1 AND 2 AND ServiceName = 's'");
    expect(toggleClause('NOT a', include('s'), 'lucene')).toBe('NOT a ServiceName:"s"');
  });

  it('knows what is said', () => {
    expect(stateOfValue('x ServiceName:"a"', service, 'a', 'lucene')).toBe('include');
    expect(stateOfValue("ServiceName != 'a'", service, 'a', 'sql')).toBe('exclude');
    expect(stateOfValue('ServiceName:"a"', service, 'b', 'lucene')).toBeUndefined();
  });
});

describe('a filter narrowed to a regular expression', () => {
  const body = fieldOf('Body');
  const upper = fieldOf('upper(Body)');

  it.each([
    ['', 'lucene', body, 'Body:/^a\\/b$/', 'lucene'],
    ['x OR y', 'lucene', body, '(x OR y) Body:/^a\\/b$/', 'lucene'],
    ['', 'sql', body, "match(Body, '^a/b$')", 'sql'],
    ['n = 1', 'sql', upper, "(n = 1) AND match(upper(Body), '^a/b$')", 'sql'],
    ['', 'lucene', upper, "match(upper(Body), '^a/b$')", 'sql'],
  ] as const)('%j in %s', (where, language, field, expected, used) => {
    expect(withRegex({ where, language }, field, '^a/b$')).toEqual({ where: expected, language: used });
  });

  it('is none in Lucene where the text has no name there', () => {
    expect(withRegex({ where: 'x', language: 'lucene' }, upper, '^a$')).toBeUndefined();
  });

  it('keeps backslashes', () => {
    expect(withRegex({ where: '', language: 'sql' }, body, '^a\\s$')?.where).toBe("match(Body, '^a\\\\s$')");
    expect(withRegex({ where: '', language: 'lucene' }, body, '^a\\s$')?.where).toBe('Body:/^a\\s$/');
  });
});
