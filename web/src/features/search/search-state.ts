import { useQuery } from '@tanstack/react-query';
import type { SavedSearchRecord } from '../../../../src/contract/saved-search.ts';
import { useUrlState } from '../../url-state.ts';
import { sourcesQuery } from '../where-editor/source-queries.ts';
import type { EventSource } from './event-columns.ts';
import { type ListView, printColumns, readColumns } from './list-columns.ts';
import { savedSearchesQuery } from './saved-search-queries.ts';
import type { WhereLanguage } from './where-clause.ts';

export interface SearchState {
  sources: EventSource[];
  source: EventSource | undefined;
  where: string;
  language: WhereLanguage;
  /** Columns and order of the list. */
  view: ListView;
  saved: SavedSearchRecord | undefined;
  /** What is searched, or how it is shown, is not as it was saved. */
  isChanged: boolean;
  isLoading: boolean;
  error: Error | null;
}

export interface SearchChange {
  source?: string;
  where?: string;
  language?: WhereLanguage;
  columns?: ListView['columns'];
  orderBy?: string;
  wrap?: boolean;
}

/** What is searched: the address first, then the saved search of the path, then the first source. */
export function useSearchState(savedSearchId: string | undefined): [SearchState, (change: SearchChange) => void] {
  const [url, changeUrl] = useUrlState();
  const sources = useQuery(sourcesQuery);
  const savedSearches = useQuery({ ...savedSearchesQuery, enabled: savedSearchId !== undefined });
  const saved = savedSearches.data?.find(({ id }) => id === savedSearchId);
  const searchable = (sources.data ?? []).filter(isSearchable);
  const sourceId = url.source ?? saved?.sourceId;
  const where = (url.where ?? saved?.where ?? '').trim();
  const language = (url.lang ?? saved?.whereLanguage) === 'sql' ? 'sql' : 'lucene';
  const source = searchable.find(({ id }) => id === sourceId) ?? (sourceId === undefined ? searchable[0] : undefined);
  const savedHere = saved?.sourceId === sourceId ? saved : undefined;
  const columns = source ? readColumns(url.select ?? savedHere?.select ?? '', source) : [];
  const select = source ? printColumns(columns, source) : '';
  const orderBy = (url.order ?? savedHere?.orderBy ?? '').trim();
  const state: SearchState = {
    sources: searchable,
    source,
    where,
    language,
    view: { columns, isStandard: select === '', orderBy, wrap: url.wrap === '1' },
    saved,
    isChanged:
      saved !== undefined &&
      (where !== saved.where.trim() ||
        language !== saved.whereLanguage ||
        sourceId !== saved.sourceId ||
        orderBy !== saved.orderBy.trim() ||
        (source !== undefined && select !== printColumns(readColumns(saved.select, source), source))),
    isLoading: sources.isPending || (savedSearchId !== undefined && savedSearches.isPending),
    error: sources.error ?? savedSearches.error,
  };
  // The address drops what is empty; a blank says that what was saved was taken away.
  const orBlank = (text: string) => (text === '' && saved ? ' ' : text);
  const change = (wanted: SearchChange) =>
    changeUrl(
      {
        // Columns and order are those of a source.
        ...(wanted.source === undefined ? {} : { source: wanted.source, select: undefined, order: undefined }),
        ...(wanted.where === undefined ? {} : { where: orBlank(wanted.where) }),
        ...(wanted.language === undefined ? {} : { lang: wanted.language }),
        ...(wanted.columns && source ? { select: orBlank(printColumns(wanted.columns, source)) } : {}),
        ...(wanted.orderBy === undefined ? {} : { order: orBlank(wanted.orderBy) }),
        ...(wanted.wrap === undefined ? {} : { wrap: wanted.wrap ? '1' : undefined }),
      },
      { replace: false },
    );
  return [state, change];
}

function isSearchable(source: { kind: string; disabled: boolean }): source is EventSource {
  return !source.disabled && (source.kind === 'log' || source.kind === 'trace');
}
