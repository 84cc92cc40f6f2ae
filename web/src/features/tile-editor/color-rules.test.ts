import { describe, expect, it } from 'vitest';
import { ruleWith, valueText } from './color-rules.ts';

const rule = { operator: 'gt', value: 5, color: 'chart-error', label: 'Slow' } as const;

describe('a colour rule', () => {
  it.each([
    [{ text: '7.5' }, { ...rule, value: 7.5 }],
    [{ text: 'many' }, { ...rule, value: 0 }],
    [{ operator: 'between' }, { ...rule, operator: 'between', value: [5, 5] }],
    [
      { operator: 'between', text: '9, 3' },
      { ...rule, operator: 'between', value: [3, 9] },
    ],
    [
      { operator: 'eq', text: 'open ' },
      { ...rule, operator: 'eq', value: 'open' },
    ],
    [
      { operator: 'neq', text: '12' },
      { ...rule, operator: 'neq', value: 12 },
    ],
    [
      { operator: 'eq', text: '' },
      { ...rule, operator: 'eq', value: '' },
    ],
    [{ color: 'chart-green' }, { ...rule, color: 'chart-green' }],
  ])('with %j', (change, expected) => {
    expect(ruleWith(rule, change)).toEqual(expected);
  });

  it('shows both ends of a range, and keeps them', () => {
    const between = ruleWith(rule, { operator: 'between', text: '1,2' });
    expect(valueText(between)).toBe('1, 2');
    expect(ruleWith(between, {})).toEqual(between);
    expect(ruleWith(between, { operator: 'lt' })).toEqual({ ...rule, operator: 'lt', value: 1 });
  });
});
