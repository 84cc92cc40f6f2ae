import { describe, expect, it } from 'vitest';
import { formatOfMetric, formatOfSpans } from './known-format.ts';

describe('units of metrics', () => {
  it.each([
    ['ms', 'quantile', { output: 'duration', factor: 1e-3 }],
    ['s', 'avg', { output: 'duration' }],
    ['By', 'last_value', { output: 'byte' }],
    ['By', 'rate', { output: 'data_rate' }],
    ['KiBy', 'rate', { output: 'data_rate', factor: 1024 }],
    ['%', 'max', { output: 'number', unit: '%' }],
  ])('%s, %s', (unit, aggFn, expected) => expect(formatOfMetric(unit, aggFn)).toEqual(expected));

  it.each([
    ['ms', 'count', 'is a number of points'],
    ['s', 'rate', 'has no unit'],
    ['1', 'avg', 'may be anything'],
    ['{request}', 'sum', 'is a number of requests'],
    ['constructor', 'sum', 'is no unit'],
  ])('%s, %s: %s', (unit, aggFn, _) => expect(formatOfMetric(unit, aggFn)).toBeUndefined());
});

it('durations of spans have the unit of their source; other fields and counts have none', () => {
  const source = { durationExpression: 'Duration', durationPrecision: 3 };
  expect(formatOfSpans(source, { aggFn: 'max', field: ' Duration ' })).toEqual({ output: 'duration', factor: 1e-3 });
  expect(formatOfSpans(source, { aggFn: 'max', field: 'Size' })).toBeUndefined();
  expect(formatOfSpans(source, { aggFn: 'count', field: 'Duration' })).toBeUndefined();
  expect(formatOfSpans(source, { aggFn: 'max', field: undefined })).toBeUndefined();
});
