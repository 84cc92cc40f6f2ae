import { describe, expect, it } from 'vitest';
import type { EventSearch } from './search-queries.ts';
import { comparisonOf, noSelection, selectionUrl } from './search-selection.ts';

const search: EventSearch = {
  // Only handed on.
  source: { id: 's' } as EventSearch['source'],
  where: 'ServiceName:cart',
  language: 'lucene',
  range: { startMs: 1000, endMs: 9000 },
};

describe('what is compared', () => {
  it('is what the search finds with everything else in its range', () => {
    expect(comparisonOf(search, noSelection)).toEqual({
      all: { ...search, where: '' },
      selection: { where: search.where, language: 'lucene', range: search.range },
      isChosen: false,
    });
  });

  it('is a selection of a chart with the rest of what the search finds', () => {
    const selection = { where: 'Duration > 5', language: 'sql' as const, range: { startMs: 2000, endMs: 3000 } };
    expect(comparisonOf(search, selectionUrl(selection))).toEqual({ all: search, selection, isChosen: true });
  });

  it('lies within the range', () => {
    const wide = { where: '', language: 'lucene' as const, range: { startMs: 500, endMs: 99_000 } };
    expect(comparisonOf(search, selectionUrl(wide))?.selection.range).toEqual(search.range);
    const outside = { ...wide, range: { startMs: 10_000, endMs: 11_000 } };
    expect(comparisonOf(search, selectionUrl(outside))).toBeUndefined();
  });

  it('is nothing without a filter or a selection', () => {
    expect(comparisonOf({ ...search, where: ' ' }, noSelection)).toBeUndefined();
  });
});
