import { describe, expect, it } from 'vitest';
import { appliedFilters, hasSaved, savedFilters } from './saved-filters.ts';

describe('what was saved with a dashboard', () => {
  const saved = savedFilters({
    savedQuery: ' level:error ',
    savedQueryLanguage: 'lucene',
    savedFilterValues: [{ type: 'sql', condition: "ServiceName IN ('web')" }, { condition: ' ' }],
  });

  it('narrows all of its tiles', () => {
    expect(saved).toEqual({
      condition: { where: 'level:error', language: 'lucene' },
      filters: [{ type: 'sql', condition: "ServiceName IN ('web')" }],
    });
    expect(appliedFilters(saved, {})).toBe(saved);
  });

  it('can be left out by the address, and comes back', () => {
    expect(appliedFilters(saved, { saved: 'off' })).toEqual({ condition: undefined, filters: [] });
    expect(appliedFilters(saved, { saved: 'anything' })).toBe(saved);
  });

  it('is nothing where nothing was saved', () => {
    expect(hasSaved(savedFilters({}))).toBe(false);
    expect(hasSaved(savedFilters({ savedQuery: null, savedQueryLanguage: null, savedFilterValues: [] }))).toBe(false);
    expect(hasSaved(saved)).toBe(true);
    expect(savedFilters({ savedQuery: 'a = 1', savedQueryLanguage: 'sql' }).condition?.language).toBe('sql');
  });
});
