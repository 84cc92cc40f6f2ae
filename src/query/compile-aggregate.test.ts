import { describe, expect, it } from 'vitest';
import { compileChart } from './compile-chart.ts';
import { QueryTextError } from './compiled-query.ts';
import { testChart, testGuards, testTraces } from './testing.ts';

function compiled(field: string) {
  return compileChart(testChart([{ aggregate: 'expression', field }]), testTraces, testGuards);
}

describe('expressions of aggregates', () => {
  it.each([
    'count()',
    'COUNT() / 60',
    'sum(Duration) / countIf(Duration > 5)',
    'quantile(0.98)(Duration) / 1e6',
    "quantileTDigestIf(0.5)(Duration, ServiceName = 'api')",
    'any(Duration)',
    'median(Duration)',
    'round(avg(Duration), 2)',
    'if(count() > 3 AND NOT (max(Duration) IS NULL), min(Duration), 0)',
    'greatest(max(Duration), uniq(TraceId))',
    'sum(Duration * 2 + length(SpanName))',
  ])('%s', (field) => {
    expect(compiled(field).sql).toContain('AS v0');
  });

  it.each([
    ['Duration', 'outside of an aggregate; use any(Duration)'],
    ['count() + Duration', 'outside of an aggregate'],
    ['5', 'an aggregate is missing'],
    ['sum()', 'sum takes one argument'],
    ['count(Duration)', 'count takes no argument'],
    ['quantile(2)(Duration)', 'a level from 0 to 1'],
    ['quantile(Duration)(Duration)', 'a level from 0 to 1'],
    ['sum(0.5)(Duration)', 'only quantile has a parameter'],
    ['round(0.5)(count())', 'takes no parameters'],
    ['sum(count())', 'not an allowed function'],
    ['groupArray(Duration)', 'not an allowed function'],
    ["file('/etc/passwd')", 'not an allowed function'],
    ['count() / (SELECT 1)', 'only one expression over columns'],
    ['any(SELECT 1)', 'only one expression over columns'],
    [Array(22).fill('count()').join(' + '), 'more than 20 aggregates'],
  ])('%s is rejected: %s', (field, reason) => {
    expect(() => compiled(field)).toThrow(QueryTextError);
    expect(() => compiled(field)).toThrow(reason);
  });
});
