// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are variables of statements
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sqlMacros } from '../../contract/sql-macros.ts';
import { QueryTextError } from '../compiled-query.ts';
import { expandTemplate, macroNames } from './expand-template.ts';
import type { TemplateScope } from './template-scope.ts';

const scope: TemplateScope = {
  range: { startMs: 1_000, endMs: 61_000 },
  intervalMs: 60_000,
  originMs: 0,
  tableOf: () => ({ database: 'otel', table: 'a`b' }),
  filters: () => ({ sql: '`a` = {p1:String}', params: { p1: 'x' } }),
  variables: new Map([
    ['one', { values: ["it's"] }],
    ['two', { values: ['a.b', 'c'] }],
    ['none', { values: [] }],
    ['name', { values: ['otel_logs'] }],
    ['path', { values: ['otel.otel_logs'] }],
  ]),
  variableFilter: (name) => ({ sql: `own_${name} = {q1_1:String}`, params: { q1_1: 'x' } }),
};
const expand = (template: string, change: Partial<TemplateScope> = {}) =>
  expandTemplate(template, { ...scope, ...change });
const sqlOf = (template: string) => expand(template).written.sql;

function problemOf(template: string): QueryTextError {
  try {
    expand(template);
  } catch (error) {
    if (error instanceof QueryTextError) return error;
  }
  throw new Error(`${template} was accepted`);
}

describe('a statement is written again from its tokens', () => {
  it.each([
    ['SELECT  1 -- x\n , /* y */ 2 ;', 'SELECT 1 , 2'],
    ["SELECT 'it''s', 'it\\'s', 'a\\d\\/\\n'", "SELECT 'it\\'s', 'it\\'s', 'a\\\\d/\n'"],
    ['SELECT "a b", `c``d`', 'SELECT `a b`, `c\\`d`'],
    ['SELECT a.1.2, 1.5e-3, .5, 0xFf, 1_000, x::Int8, a->b', 'SELECT a.1.2, 1.5e-3, .5, 0xFf, 1_000, x::Int8, a->b'],
    ["SELECT '$__timeFilter(x) -- y'", "SELECT '$__timeFilter(x) -- y'"],
    ['SELECT `$__timeFilter`', 'SELECT `$__timeFilter`'],
    ["SELECT 'é€😀'", "SELECT 'é€😀'"],
  ])('%s', (template, sql) => {
    expect(sqlOf(template)).toBe(sql);
  });

  it('any text in quotes stays that text, whatever is in it', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }).filter((text) => !/\0|aggregatefunction/i.test(text)),
        (text) => {
          const quoted = `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
          expect(sqlOf(`SELECT ${quoted}, 1`)).toBe(`SELECT ${quoted}, 1`);
        },
      ),
    );
  });

  it('each character of what is sent knows where it comes from', () => {
    const template = 'SELECT $__timeFilter(Timestamp), wrong FROM t';
    const { written } = expand(template);
    const origin = written.originOf(written.sql.indexOf('wrong'));
    expect(origin && template.slice(origin.start, origin.end)).toBe('wrong');
    const macro = written.originOf(written.sql.indexOf('fromUnixTimestamp64Milli'));
    expect(macro && template.slice(macro.start, macro.end)).toBe('$__timeFilter(Timestamp)');
  });
});

describe('macros', () => {
  it.each([
    ['$__fromTime', 'toDateTime(fromUnixTimestamp64Milli({startDateMilliseconds:Int64}))'],
    ['$__timeInterval(t)', 'toStartOfInterval(toDateTime(t), toIntervalSecond({intervalSeconds:Int64}))'],
    ['$__timeInterval(a + b)', 'toStartOfInterval(toDateTime((a + b)), toIntervalSecond({intervalSeconds:Int64}))'],
    ['$__interval_s', '{intervalSeconds:Int64}'],
    ['$__filters', '(`a` = {p1:String})'],
    ['$__sourceTable', '`otel`.`a\\`b`'],
    ['$__filter(upper(x), $two)', '((upper(x)) IN ({v1:String}, {v2:String}))'],
    ['$__filter(x, $none)', '(1 = 1)'],
    ['$__filter($two)', '(own_two = {q1_1:String})'],
    ['$__conditionalAll(x NOT IN ($two), $two)', '((x NOT IN ({v1:String}, {v2:String})))'],
    ['$__conditionalAll(x = 1, $none)', '(1 = 1)'],
    [
      '$__timeFilter($__fromTime_ms)',
      '(fromUnixTimestamp64Milli({startDateMilliseconds:Int64}) >= fromUnixTimestamp64Milli({startDateMilliseconds:Int64}) AND fromUnixTimestamp64Milli({startDateMilliseconds:Int64}) < fromUnixTimestamp64Milli({endDateMilliseconds:Int64}))',
    ],
  ])('%s', (template, sql) => {
    expect(sqlOf(`SELECT ${template}`)).toBe(`SELECT ${sql}`);
  });

  it('the values are parameters', () => {
    const { params } = expand('SELECT $__timeFilter(t), $__interval_s, $__filters, $one');
    expect(params).toEqual({
      startDateMilliseconds: '1000',
      endDateMilliseconds: '61000',
      intervalSeconds: '60',
      p1: 'x',
      v1: "it's",
    });
  });

  it('buckets that begin elsewhere are shifted, also before the epoch', () => {
    const { params, written } = expand('SELECT $__timeInterval(t), $__timeInterval_ms(t)', { originMs: -30_000 });
    expect(written.sql).toContain('{bucketOffsetSeconds:Int64}');
    expect(params).toMatchObject({ bucketOffsetSeconds: '30', bucketOffsetMilliseconds: '30000' });
  });

  it('are all known to the editor', () => {
    expect(new Set(macroNames)).toEqual(new Set(sqlMacros.map(({ name }) => name.slice('$__'.length))));
  });
});

describe('variables', () => {
  it.each([
    ['$one', '{v1:String}', { v1: "it's" }],
    ['($two)', '({v1:String}, {v2:String})', { v1: 'a.b', v2: 'c' }],
    ['${two:sqlstring}', '{v1:String}, {v2:String}', { v1: 'a.b', v2: 'c' }],
    ['$none', 'NULL', {}],
    ['${two:regex}', '{v1:String}', { v1: '(a\\.b|c)' }],
    ['${none:regex}', '{v1:String}', { v1: '.*' }],
    ['${name:csv}', '`otel_logs`', {}],
    ['${path:csv}', '`otel`.`otel_logs`', {}],
    ["'%${one:csv}%'", "'%it\\'s%'", {}],
    ["'^${two:regex}$'", "'^(a\\\\.b|c)$'", {}],
    ["'$other ${other} $'", "'$other ${other} $'", {}],
  ])('%s', (template, sql, params) => {
    const expanded = expand(`SELECT ${template}`);
    expect([expanded.written.sql, expanded.params]).toEqual([`SELECT ${sql}`, params]);
  });

  it('no value becomes SQL, a macro or another variable', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.constantFrom('$two', '$__fromTime', "'; DROP", '${two}')), (value) => {
        const variables = new Map([...scope.variables, ['v', { values: [value] }]]);
        const { written, params } = expand('SELECT $v', { variables });
        expect([written.sql, params]).toEqual(['SELECT {v1:String}', { v1: value }]);
      }),
    );
  });
});

describe('what is wrong is said with its position', () => {
  it.each([
    ['SELECT $nothing', 7, 'there is no variable $nothing; the dashboard has $one, $two'],
    ['SELECT $__nothing(1)', 7, 'there is no macro $__nothing'],
    ['SELECT 1, $__timeFilter(a, b)', 10, '$__timeFilter takes 1 argument, not 2'],
    ['SELECT $__fromTime(1)', 7, 'takes no arguments, not 1'],
    ['SELECT $__filter(a, b)', 7, 'must be a variable'],
    ['SELECT ${one:markdown}', 7, 'is not known in SQL'],
    ['SELECT ${one:csv}', 7, 'names of columns and numbers'],
    ['SELECT {x:Int64}', 7, 'there is no parameter {x:Int64}'],
    ['SELECT {intervalSeconds:Identifier}', 7, 'there is no parameter'],
    ['DELETE FROM t', 0, 'only a SELECT'],
    ['SELECT 1; SELECT 2', 8, 'only one statement'],
    ['SELECT (1', 7, 'missing )'],
    ['SELECT 1)', 8, 'closes nothing'],
    ["SELECT 'a", 7, 'missing closing'],
    ['SELECT é', 7, 'unexpected character'],
  ])('%s', (template, position, message) => {
    const problem = problemOf(template);
    expect([problem.position, problem.message]).toEqual([position, expect.stringContaining(message)]);
  });
});
