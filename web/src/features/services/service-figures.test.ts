import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ServiceOperation } from '../../../../src/contract/services.ts';
import { changeOf, printSorting, rateText, readSorting, shareText, sorted } from './service-figures.ts';

const figures = { requests: 100, rate: 2, errors: 1, errorShare: 0.01, p50Ms: 5, p95Ms: 20, p99Ms: 40 };
const cart: ServiceOperation = { name: 'cart', basis: 'entry', ...figures, previous: figures };

describe('figures of services', () => {
  it.each([
    [0, '0'],
    [0.03421, '0.0342'],
    [12.345, '12.3'],
    [1234.5, '1.23k'],
  ])('a rate of %s is written %s', (rate, text) => expect(rateText(rate)).toBe(text));

  it.each([
    [null, '–'],
    [0, '0 %'],
    [0.00001, '<0.01 %'],
    [0.12345, '12.3 %'],
    [1, '100 %'],
  ])('a share of %s is written %s', (share, text) => expect(shareText(share)).toBe(text));

  it.each<[string, Partial<ServiceOperation>, ReturnType<typeof changeOf>]>([
    ['as before', {}, undefined],
    ['a little slower', { p95Ms: 21 }, undefined],
    ['twice as slow', { p95Ms: 40 }, { text: '+100 %', isWorse: true }],
    ['faster', { p95Ms: 10 }, { text: '−50 %', isWorse: false }],
    ['too few to say', { p95Ms: 40, requests: 3 }, undefined],
    ['new', { p95Ms: 40, previous: null }, undefined],
  ])('%s', (_, now, change) => expect(changeOf('p95Ms', { ...cart, ...now })).toEqual(change));

  it('shares differ by percentage points, rates are never worse, and what has stopped is said', () => {
    expect(changeOf('errorShare', { ...cart, errorShare: 0.03 })).toEqual({ text: '+2 pp', isWorse: true });
    expect(changeOf('rate', { ...cart, rate: 4 })).toEqual({ text: '+100 %', isWorse: false });
    expect(changeOf('rate', { ...cart, rate: 0, requests: 0 })).toEqual({ text: '−100 %', isWorse: false });
  });

  it('missing figures are last in both directions, and the order is written as it is read', () => {
    const row = fc.record({ name: fc.string(), p99Ms: fc.option(fc.integer()) });
    fc.assert(
      fc.property(fc.array(row), fc.boolean(), (rows, descending) => {
        const sorting = { key: 'p99Ms', descending } as const;
        expect(readSorting(printSorting(sorting))).toEqual(sorting);
        const found = sorted(
          rows.map((each) => ({ ...cart, ...each })),
          sorting,
        ).map(({ p99Ms }) => p99Ms);
        const present = found.filter((value) => value !== null);
        expect(found.slice(0, present.length)).toEqual(present);
        expect(present).toEqual([...present].sort((a, b) => (descending ? b - a : a - b)));
      }),
    );
  });
});
