import { useQuery } from '@tanstack/react-query';
import type { SavedSearchRecord } from '../../../../src/contract/saved-search.ts';
import { useUrlState } from '../../url-state.ts';
import { sourcesQuery } from '../where-editor/source-queries.ts';
import type { EventSource } from './event-columns.ts';
import { savedSearchesQuery } from './saved-search-queries.ts';
import type { WhereLanguage } from './where-clause.ts';

export interface SearchState {
  sources: EventSource[];
  source: EventSource | undefined;
  where: string;
  language: WhereLanguage;
  saved: SavedSearchRecord | undefined;
  /** The filter or source is not the one that was saved. */
  isChanged: boolean;
  isLoading: boolean;
  error: Error | null;
}

export interface SearchChange {
  source?: string;
  where?: string;
  language?: WhereLanguage;
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
  const state: SearchState = {
    sources: searchable,
    source: searchable.find(({ id }) => id === sourceId) ?? (sourceId === undefined ? searchable[0] : undefined),
    where,
    language,
    saved,
    isChanged:
      saved !== undefined &&
      (where !== saved.where.trim() || language !== saved.whereLanguage || sourceId !== saved.sourceId),
    isLoading: sources.isPending || (savedSearchId !== undefined && savedSearches.isPending),
    error: sources.error ?? savedSearches.error,
  };
  const change = ({ source, where: text, language: lang }: SearchChange) =>
    changeUrl(
      {
        ...(source === undefined ? {} : { source }),
        // The address drops what is empty; a blank says that the saved filter was taken away.
        ...(text === undefined ? {} : { where: text === '' && saved ? ' ' : text }),
        ...(lang === undefined ? {} : { lang }),
      },
      { replace: false },
    );
  return [state, change];
}

function isSearchable(source: { kind: string; disabled: boolean }): source is EventSource {
  return !source.disabled && (source.kind === 'log' || source.kind === 'trace');
}
