import { describe, expect, it } from 'vitest';
import { formatOfMetric } from './known-formats.ts';

const formatOf = (unit: string, aggregate: Parameters<typeof formatOfMetric>[1]['aggregate']) =>
  formatOfMetric({ samplingMs: 0, unit }, { aggregate });

describe('units of metrics', () => {
  it.each([
    ['ms', 'quantile', { output: 'duration', factor: 1e-3 }],
    ['s', 'avg', { output: 'duration' }],
    ['By', 'last_value', { output: 'byte' }],
    ['By', 'rate', { output: 'data_rate' }],
    ['KiBy', 'rate', { output: 'data_rate', factor: 1024 }],
    ['%', 'max', { output: 'number', unit: '%' }],
  ] as const)('%s, %s', (unit, aggregate, expected) => expect(formatOf(unit, aggregate)).toEqual(expected));

  it.each([
    ['ms', 'count', 'is a number of points'],
    ['s', 'rate', 'has no unit'],
    ['1', 'avg', 'may be anything'],
    ['{request}', 'sum', 'is a number of requests'],
    ['constructor', 'sum', 'is no unit'],
  ] as const)('%s, %s: %s', (unit, aggregate, _) => expect(formatOf(unit, aggregate)).toBeUndefined());
});
