import { describe, expect, it } from 'vitest';
import { QueryTextError } from './compiled-query.ts';
import { scaleOfSum } from './metric-value.ts';

describe('what can be calculated of a sum', () => {
  it.each([
    'Value',
    '"Value"',
    'Value / 1024',
    'Value * 100',
    '8 * Value',
    '-Value',
    '-(Value / 2)',
    'toFloat64(Value) * 2',
    'Value + Value / 4',
    "Value * Attributes['weight'] / 3",
    '(Value - Value / 2) / length(ServiceName)',
  ])('%s is a multiple of the value', (text) => {
    expect(scaleOfSum(text)).toBeDefined();
  });

  it.each([
    'Value + 1',
    '1 - Value',
    'Value * Value',
    '1 / Value',
    'Value / Value',
    'Value % 2',
    'abs(Value)',
    'Attributes.weight',
    '5',
    'Value > 1',
    'value * 2',
    "Value['a'] * 2",
    'if(Value > 1, Value, Value)',
  ])('%s is none, and a formula is proposed', (text) => {
    expect(() => scaleOfSum(text)).toThrow(QueryTextError);
    expect(() => scaleOfSum(text)).toThrow('use a formula');
  });
});
