import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DashboardFilter } from '../../../../src/contract/dashboard-filter.ts';
import { parseUrlState, printUrlState } from '../../url-state.ts';
import {
  choiceInUrl,
  choicesAfterSave,
  chosenValues,
  narrowing,
  parseValues,
  printValues,
  tileFilters,
  tileVariables,
} from './filter-state.ts';

const filter = (id: string, patch: Partial<DashboardFilter> = {}): DashboardFilter => ({
  id,
  type: 'QUERY_EXPRESSION',
  name: id,
  expression: 'ServiceName',
  sourceId: 's1',
  ...patch,
});

describe('the chosen values in the address', () => {
  it('come back as they were, whatever is in them', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ unit: 'grapheme' }), { minLength: 1 }), (values) => {
        const url = parseUrlState(printUrlState(choiceInUrl('f1', values)));
        expect([...chosenValues([filter('f1')], url)]).toEqual([['f1', values]]);
      }),
    );
  });

  it('are readable for usual values', () => {
    expect(printValues(['cart', 'check out'])).toBe('cart,check out');
  });

  it.each([undefined, ''])('none is no choice (%j)', (text) => {
    expect(parseValues(text)).toEqual([]);
    expect(choiceInUrl('f1', [])).toEqual({ 'filter-f1': undefined });
  });

  it('of filters that the dashboard does not have are not looked at', () => {
    expect(chosenValues([filter('f1')], { 'filter-f2': 'a', from: 'now-1h' }).size).toBe(0);
  });
});

describe('new filters are saved', () => {
  it('and what was chosen of them stays chosen under the ids that they were given', () => {
    const chosen = new Map([
      ['f1', ['a']],
      ['draft', ['b', 'c']],
    ]);
    const saved = [filter('f1'), filter('f9')];
    expect(choicesAfterSave([filter('f1'), filter('draft')], saved, chosen)).toEqual({
      'filter-draft': undefined,
      'filter-f9': 'b,c',
    });
    expect(choicesAfterSave(saved, saved, chosen)).toEqual({});
  });
});

describe('parameters of the API request', () => {
  it('a filter without values narrows nothing', () => {
    expect(tileFilters([filter('f1')], new Map())).toEqual([]);
  });

  it('contract §2.4: it narrows every tile, or those of the sources that it is limited to', () => {
    const filters = [filter('f1'), filter('f2', { expression: 'SpanName', appliesToSourceIds: ['a', 'b'] })];
    const chosen = new Map([
      ['f1', ['cart']],
      ['f2', ['GET /']],
    ]);
    expect(tileFilters(filters, chosen)).toEqual([
      { expression: 'ServiceName', values: ['cart'] },
      { expression: 'SpanName', values: ['GET /'], sourceId: 'a' },
      { expression: 'SpanName', values: ['GET /'], sourceId: 'b' },
    ]);
  });

  it('contract §2.4: variables have the values that are chosen, or none', () => {
    const filters = [
      filter('f1', { name: 'The service', isVariableEnabled: true }),
      filter('f2', { name: 'x', isVariableEnabled: true, variableName: 'env', isBroadcastEnabled: false }),
      filter('f3'),
    ];
    expect(tileVariables(filters, new Map([['f1', ['cart', 'web']]]))).toEqual([
      { name: 'The_service', values: ['cart', 'web'], expression: filters[0]?.expression },
      { name: 'env', values: [], expression: filters[1]?.expression },
    ]);
  });

  it('contract §2.4: a variable that is not broadcast narrows no tile', () => {
    const variable = filter('f1', { isBroadcastEnabled: false, isVariableEnabled: true });
    expect(narrowing([variable])).toEqual([]);
    expect(tileFilters([variable], new Map([['f1', ['cart']]]))).toEqual([]);
  });
});
