import { Skeleton } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { readProblem } from '../features/search/event-text.ts';
import { SavedSearches } from '../features/search/SavedSearches.tsx';
import { SearchBar } from '../features/search/SearchBar.tsx';
import { SearchResults } from '../features/search/SearchResults.tsx';
import { SurroundingEvents } from '../features/search/SurroundingEvents.tsx';
import { type EventSearch, useEvents } from '../features/search/search-queries.ts';
import { type SearchChange, type SearchState, useSearchState } from '../features/search/search-state.ts';
import { useLiveHold } from '../features/search/use-live-hold.ts';
import { TimeRangePicker } from '../features/time-range/TimeRangePicker.tsx';
import { type TimeRangeState, useTimeRange } from '../features/time-range/use-time-range.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorNotice } from '../ui/ErrorNotice.tsx';
import { Page } from '../ui/Page.tsx';
import { useUrlState } from '../url-state.ts';

/** Events of log and trace sources. The search is in the URL. */
export function SearchPage() {
  const { savedSearchId } = useParams({ strict: false });
  const [state, change] = useSearchState(savedSearchId);
  const time = useTimeRange({ from: 'now-15m', to: 'now' });
  return (
    <Page
      title={state.saved?.name ?? 'Search'}
      actions={
        <>
          <SavedSearches state={state} />
          <TimeRangePicker state={time} />
        </>
      }
    >
      <SearchBody state={state} onChange={change} time={time} isSaved={savedSearchId !== undefined} />
    </Page>
  );
}

interface SearchBodyProps {
  state: SearchState;
  onChange: (change: SearchChange) => void;
  time: TimeRangeState;
  isSaved: boolean;
}

function SearchBody({ state, onChange, time, isSaved }: SearchBodyProps) {
  const { source, where, language } = state;
  if (state.error) return <ErrorNotice error={state.error} />;
  if (state.isLoading) return <Skeleton height={320} />;
  if (isSaved && !state.saved) {
    return (
      <EmptyState title="This saved search no longer exists" hint="Someone deleted it, or the link is incomplete." />
    );
  }
  if (!source) {
    return (
      <>
        <SearchBar state={state} onChange={onChange} time={time} problem={undefined} />
        <EmptyState
          title="Choose a source"
          hint="A log or trace source defines where events are stored and what their columns mean."
        />
      </>
    );
  }
  const search = { source, where, language, range: time.resolved };
  return <SearchOfSource search={search} state={state} onChange={onChange} time={time} />;
}

interface SearchOfSourceProps extends Omit<SearchBodyProps, 'isSaved'> {
  search: EventSearch;
}

function SearchOfSource({ search, state, onChange, time }: SearchOfSourceProps) {
  const { view } = state;
  const [{ around }] = useUrlState();
  const hold = useLiveHold(time);
  const shown = { ...search, range: hold.range };
  const events = useEvents(shown, view);
  return (
    <>
      <SearchBar
        state={state}
        onChange={onChange}
        time={time}
        problem={events.error ? readProblem(events.error.message) : undefined}
      />
      {around === undefined ? (
        <SearchResults search={shown} {...{ view, hold, events, time, onChange }} />
      ) : (
        <SurroundingEvents search={shown} view={view} origin={around} onChange={onChange} />
      )}
    </>
  );
}
