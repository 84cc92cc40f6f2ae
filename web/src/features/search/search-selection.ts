import type { UrlState } from '../../url-state.ts';
import type { ResolvedRange } from '../time-range/time-range.ts';
import type { EventSearch } from './search-queries.ts';
import type { WhereLanguage } from './where-clause.ts';

/** Events that are compared with the rest of a range. */
export interface EventSelection {
  where: string;
  language: WhereLanguage;
  range: ResolvedRange;
}

/** What is compared with what: all events of `all`, those of the selection apart. */
export interface Comparison {
  all: EventSearch;
  selection: EventSelection;
  /** It was made in a chart, and is not the search itself. */
  isChosen: boolean;
}

type SelectionNames = Pick<UrlState, 'selected' | 'selectedLang' | 'selectedFrom' | 'selectedTo'>;

/** The address of a selection. */
export function selectionUrl({ where, language, range }: EventSelection) {
  return {
    selected: where,
    selectedLang: language,
    selectedFrom: String(range.startMs),
    selectedTo: String(range.endMs),
  };
}

export const noSelection: Readonly<Record<keyof SelectionNames, undefined>> = {
  selected: undefined,
  selectedLang: undefined,
  selectedFrom: undefined,
  selectedTo: undefined,
};

/**
 * The selection of the address against the events of the search; without one what the search finds against all other
 * events of its range. `undefined` where neither says which events are meant.
 */
export function comparisonOf(search: EventSearch, url: SelectionNames): Comparison | undefined {
  const { where, language, range } = search;
  const [startMs, endMs] = [Number(url.selectedFrom), Number(url.selectedTo)];
  if (startMs > 0 && endMs > startMs) {
    // The range of the search may have moved on, or have been changed.
    const selected = { startMs: Math.max(startMs, range.startMs), endMs: Math.min(endMs, range.endMs) };
    if (selected.startMs >= selected.endMs) return undefined;
    const selection = {
      where: url.selected ?? '',
      language: url.selectedLang === 'sql' ? ('sql' as const) : ('lucene' as const),
      range: selected,
    };
    return { all: search, selection, isChosen: true };
  }
  if (where.trim() === '') return undefined;
  return { all: { ...search, where: '' }, selection: { where, language, range }, isChosen: false };
}
