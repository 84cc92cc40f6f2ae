import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SeriesQuery } from '../chart-query.ts';
import { quantileDecoders } from './quantile-decoders.ts';

const quantile = (level?: number): SeriesQuery => ({
  aggregate: 'quantile',
  ...(level === undefined ? {} : { level }),
  where: '',
  whereLanguage: 'lucene',
  metric: { name: 'latency', kind: 'histogram' },
});

/** The quantile of what the engine says of a bucket and group. */
function quantileIn(text: unknown, level?: number): number | null | undefined {
  return quantileDecoders([quantile(level)])?.get('v0')?.(text);
}

describe('decisions C9: quantiles by linear interpolation inside the bucket, as in PromQL', () => {
  it.each<[string, string, number, number | null]>([
    ['the first bucket begins at 0', '{"[10,30]":[10,10,10]}', 0.25, 7.5],
    ['between two bounds', '{"[10,30]":[10,10,10]}', 0.5, 20],
    ['beyond the last bound the quantile is that bound', '{"[10,30]":[10,10,10]}', 0.9, 30],
    ['a rank that ends a bucket is its upper edge', '{"[10,30]":[1,0,3]}', 0.25, 10],
    ['a lower edge stays known when its bucket is empty', '{"[10,30]":[0,10,0]}', 0.5, 20],
    ['level 0 is the lower edge of the first bucket that holds something', '{"[10,30]":[0,4,0]}', 0, 10],
    ['the first bucket has no lower edge when its bound is negative', '{"[-20,0,20]":[4,4,4,0]}', 0.25, -20],
    ['its bound may be 0', '{"[0,5]":[4,0,0]}', 0.5, 0],
    ['bounds below 0 have both edges', '{"[-20,0,20]":[4,4,4,0]}', 0.5, -10],
    ['layouts are laid over each other by their upper edges', '{"[10,30]":[2,2,0],"[20]":[4,0]}', 0.5, 15],
    ['a layout that nothing was counted in still has its edges', '{"[10,30]":[0,4,0],"[20]":[0,0]}', 0.5, 25],
    ['without a finite bound there is none', '{"[]":[5]}', 0.5, null],
    ['nor of nothing', '{"[10,30]":[0,0,0]}', 0.5, null],
    ['nor of a layout whose points say only where counting starts', '{"[10,30]":[]}', 0.5, null],
    ['nor where there is no layout', '{}', 0.5, null],
    ['numbers of 64 bits may come as text', '{"[10,30]":["10","10","10"]}', 0.5, 20],
    ['the last bound may be infinity itself', '{"[10,inf]":[1,3,0]}', 0.5, 10],
  ])('%s', (_, text, level, expected) => {
    expect(quantileIn(text, level)).toBe(expected);
  });

  it('is the median unless a level is named; a cell without an answer stays without', () => {
    expect(quantileIn('{"[10,30]":[10,10,10]}')).toBe(20);
    expect(quantileIn(null)).toBeNull();
  });

  it('is left to the engine for other aggregates and kinds of metric', () => {
    const summary: SeriesQuery = { ...quantile(), metric: { name: 'latency', kind: 'summary' } };
    expect(quantileDecoders([{ ...quantile(), aggregate: 'count' }, summary])).toBeUndefined();
    expect([...(quantileDecoders([summary, quantile(), quantile(0.9)])?.keys() ?? [])]).toEqual(['v1', 'v2']);
  });

  it('lies in the bucket in which the sorted observations reach the rank, never goes down with the level', () => {
    const bounds = fc.uniqueArray(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 8 });
    const request = fc.record({ bounds, counts: fc.array(fc.nat(9), { minLength: 9, maxLength: 9 }) });
    fc.assert(
      fc.property(request, fc.double({ min: 0, max: 1, noNaN: true }), ({ bounds, counts }, level) => {
        const edges = bounds.toSorted((a, b) => a - b);
        const own = counts.slice(0, edges.length + 1);
        const text = JSON.stringify({ [JSON.stringify(edges)]: own });
        const observed = own.flatMap((count, place) => Array<number>(count).fill(place));
        const found = quantileIn(text, level);
        if (observed.length === 0) {
          expect(found).toBeNull();
          return;
        }
        const place = observed[Math.max(0, Math.ceil(observed.length * level) - 1)] ?? 0;
        const last = edges.at(-1) ?? 0;
        expect(found).toBeGreaterThanOrEqual((edges[place - 1] ?? 0) - 1e-9);
        expect(found).toBeLessThanOrEqual((edges[place] ?? last) + 1e-9);
        expect(quantileIn(text, 1)).toBeGreaterThanOrEqual((found ?? 0) - 1e-9);
      }),
    );
  });
});
