import { describe, expect, it } from 'vitest';
import { NotTaken } from '../import-context.ts';
import { type StatementVariable, statementHere, tablesOf } from './grafana-sql.ts';

const variables = new Map<string, StatementVariable>([
  ['svc', { kind: 'variable', name: 'svc' }],
  ['limit', { kind: 'fixed', values: ['10'] }],
  ['levels', { kind: 'fixed', values: ['a', "o'clock"] }],
]);
const tableText = (table: string) => (table.endsWith('otel_logs') ? '$__sourceTable' : table);
const here = (sql: string) => statementHere(sql, { variables, tableText });

/** `§` is a dollar sign before braces. */
const written = (text: string) => text.replaceAll('§', '$');

describe('a statement of Grafana', () => {
  it.each([
    ['a list', 'S IN (§{svc:sqlstring}) AND x IN ($svc)', '$__filter(S, §{svc}) AND $__filter(x, §{svc})'],
    ['a map', "A['k.v'] IN (§{svc:singlequote})", "$__filter(A['k.v'], §{svc})"],
    ['a function', "lower(t.S) = '$svc'", '$__filter(lower(t.S), §{svc})'],
    ['brackets of old', "S = '[[svc]]'", '$__filter(S, §{svc})'],
    ['what is not compared', "S != '$svc' OR S NOT IN (§{svc})", "S != '§{svc}' OR S NOT IN (§{svc})"],
    ['a part of a text', "S LIKE '%$svc%'", "S LIKE '%§{svc}%'"],
    ['a pattern', "match(S, '§{svc:regex}')", 'match(S, §{svc:regex})'],
    ['names', 'GROUP BY §{svc:csv}', 'GROUP BY §{svc:csv}'],
    ['a value', "LIMIT $limit, '§{levels}'", "LIMIT 10, 'a', 'o\\'clock'"],
    ['another dollar sign', "'$other' $1", "'$other' $1"],
    ['ad-hoc filters', "$__adHocFilters('otel_logs')", '$__filters'],
    ['the same macros', '$__timeFilter(t) $__interval_s', '$__timeFilter(t) $__interval_s'],
    ['milliseconds', '$__interval_ms §{__from}', '($__interval_s * 1000) toUnixTimestamp64Milli($__fromTime_ms)'],
    ['tables', 'FROM default.otel_logs JOIN `x`.`y` ON 1', 'FROM $__sourceTable JOIN x.y ON 1'],
    ['a table function', 'FROM numbers(10) AS n', 'FROM numbers(10) AS n'],
    ['a subquery', 'FROM (SELECT 1 FROM "otel_logs")', 'FROM (SELECT 1 FROM $__sourceTable)'],
  ])('with %s', (_title, sql, expected) => {
    expect(here(written(sql))).toBe(written(expected));
  });

  it.each(['$__rate_interval', '§{__from:date:iso}', '$__unknown(a)'])('with %s is not taken', (sql) => {
    expect(() => here(written(sql))).toThrow(NotTaken);
  });

  it('names its tables once', () => {
    expect(tablesOf('SELECT 1 FROM a.b JOIN c USING x UNION ALL SELECT f(1) FROM a.b, numbers(1)')).toEqual([
      'a.b',
      'c',
    ]);
  });
});
