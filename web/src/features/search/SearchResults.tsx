import { Button, Group, Skeleton, Stack, Tabs, Text } from '@mantine/core';
import { useCallback, useState } from 'react';
import { apiUrl } from '../../api/client.ts';
import { curlOf } from '../../api/curl-of.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { AnchorLink } from '../../ui/links.tsx';
import { plainProblem } from '../../ui/plain-problem.ts';
import { Warnings } from '../../ui/Warnings.tsx';
import { useUrlState } from '../../url-state.ts';
import { zoomedOut } from '../time-range/time-range.ts';
import type { TimeRangeState } from '../time-range/use-time-range.ts';
import { Differences } from './Differences.tsx';
import { EventDrawer } from './EventDrawer.tsx';
import { EventHistogram } from './EventHistogram.tsx';
import { EventTable } from './EventTable.tsx';
import type { EventRow } from './event-columns.ts';
import { instantNs, readProblem } from './event-text.ts';
import { FacetList } from './FacetList.tsx';
import { Patterns } from './Patterns.tsx';
import classes from './Search.module.css';
import { type EventSearch, searchBody, type useEvents, useHistogram } from './search-queries.ts';
import { comparisonOf, type EventSelection, noSelection, selectionUrl } from './search-selection.ts';
import type { SearchChange } from './search-state.ts';
import { type ClauseTest, clauseOf, toggleClause } from './where-clause.ts';

const contextMs = 30_000;

export interface SearchResultsProps {
  search: EventSearch;
  events: ReturnType<typeof useEvents>;
  time: TimeRangeState;
  onChange: (change: SearchChange) => void;
}

/** Histogram, facets and list of one search, and the event that is looked at. */
export function SearchResults({ search, events, time, onChange }: SearchResultsProps) {
  const [row, setRow] = useState<EventRow>();
  const [url, changeUrl] = useUrlState();
  const view = views.find(({ id }) => id === url.view)?.id ?? 'events';
  const toggle = (test: ClauseTest) => onChange({ where: toggleClause(search.where, test, search.language) });
  const zoom = (fromMs: number, toMs: number) =>
    time.setRange({ from: String(Math.floor(fromMs)), to: String(Math.ceil(toMs)) });
  const showContext = (event: EventRow) => {
    const ms = Number((instantNs(event.time) ?? 0n) / 1_000_000n);
    const [field] = search.source.serviceNameExpression ? [search.source.serviceNameExpression] : [];
    const same = {
      field: { name: field ?? '', sql: field ?? '', type: 'string' as const },
      value: event.service,
      mode: 'include' as const,
    };
    setRow(undefined);
    onChange({ where: field ? clauseOf(same, search.language) : '' });
    time.setRange({ from: String(ms - contextMs), to: String(ms + contextMs) });
  };
  const showSelected = ({ where, language, range }: EventSelection, test?: ClauseTest) =>
    changeUrl(
      {
        ...noSelection,
        view: undefined,
        where: test ? toggleClause(where, test, language) : where,
        lang: language,
        from: String(range.startMs),
        to: String(range.endMs),
      },
      { replace: false },
    );
  const compare = (selection: EventSelection) =>
    changeUrl({ ...selectionUrl(selection), view: 'differences' }, { replace: false });
  return (
    <>
      {events.error ? null : (
        <EventHistogram search={search} onZoom={zoom} onEvents={showSelected} onCompare={compare} />
      )}
      {events.error ? null : <ViewTabs view={view} onChange={(id) => changeUrl({ ...noSelection, view: id })} />}
      {view === 'patterns' && !events.error ? <Patterns search={search} /> : null}
      {view === 'differences' && !events.error ? (
        <Differences comparison={comparisonOf(search, url)} onEvents={showSelected} />
      ) : null}
      {view === 'events' || events.error ? (
        <div className={events.error ? '' : classes.body}>
          {events.error ? null : <FacetList key={search.source.id} search={search} onToggle={toggle} />}
          <EventList search={search} events={events} time={time} selected={row} onSelect={setRow} onChange={onChange} />
        </div>
      ) : null}
      <EventDrawer
        search={search}
        row={row}
        onClose={() => setRow(undefined)}
        onFilter={toggle}
        onShowContext={showContext}
      />
    </>
  );
}

const views = [
  { id: 'events', label: 'Events' },
  { id: 'patterns', label: 'Patterns' },
  { id: 'differences', label: 'Differences' },
] as const;
type View = (typeof views)[number]['id'];

/** Three ways to look at what was found. */
function ViewTabs({ view, onChange }: { view: View; onChange: (view: View | undefined) => void }) {
  return (
    <Tabs value={view} onChange={(id) => onChange(views.find((each) => each.id === id && id !== 'events')?.id)} mb={10}>
      <Tabs.List>
        {views.map(({ id, label }) => (
          <Tabs.Tab key={id} value={id} fz="xs" py={6}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
    </Tabs>
  );
}

interface EventListProps extends SearchResultsProps {
  selected: EventRow | undefined;
  onSelect: (row: EventRow) => void;
}

function EventList({ search, events, time, selected, onSelect, onChange }: EventListProps) {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = events;
  const rows = data?.pages.flat() ?? [];
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  return (
    <section className={classes.list} aria-label="Events found">
      <Group className={classes.listHead ?? ''}>
        <Text size="xs" c="var(--sb-muted)" role="status">
          {countText(rows.length, hasNextPage)}
        </Text>
        <CopyButton value={curlOf('POST', apiUrl('search'), searchBody(search))} label="Copy as curl" />
      </Group>
      {error && !readProblem(error.message) ? <ErrorNotice error={error} onRetry={() => void refetch()} /> : null}
      {error && readProblem(error.message) ? (
        <EmptyState title="This filter can’t be read" hint={plainProblem(error.message)} />
      ) : null}
      {!data && !error ? <ListSkeleton /> : null}
      {data && !error && rows.length === 0 ? <NothingFound search={search} time={time} onChange={onChange} /> : null}
      {rows.length > 0 && !error ? (
        <EventTable
          rows={rows}
          kind={search.source.kind}
          selected={selected}
          onSelect={onSelect}
          onEnd={loadMore}
          isLoadingMore={isFetchingNextPage}
        />
      ) : null}
    </section>
  );
}

function countText(count: number, hasMore: boolean): string {
  if (count === 0) return '';
  const shown = `${count.toLocaleString('en-US')} events`;
  if (hasMore) return `Newest ${shown}; more below`;
  return count >= 10_000 ? `Newest ${shown}: narrow the range or the filter to see older ones` : shown;
}

function ListSkeleton() {
  return (
    <Stack gap={6} p={12} aria-label="Loading events">
      {[90, 75, 82, 60, 88, 70].map((width) => (
        <Skeleton key={width} height={16} width={`${width}%`} />
      ))}
    </Stack>
  );
}

function NothingFound({ search, time, onChange }: Omit<SearchResultsProps, 'events'>) {
  const hasFilter = search.where !== '';
  const { data } = useHistogram(search);
  return (
    <EmptyState
      title="Nothing found"
      hint={
        hasFilter ? (
          <>
            <Warnings warnings={data?.meta?.warnings} />
            No event of {search.source.name} in this range matches. Words are searched in the message; a field is
            written <code>ServiceName:"cart"</code>, its absence{' '}
            <code style={{ whiteSpace: 'nowrap' }}>-ServiceName:*</code>, several words <code>"as a phrase"</code>.
          </>
        ) : (
          <>
            {search.source.name} has no events in this range. Look further back, or send some: any OpenTelemetry
            exporter works, its address and key are under{' '}
            <AnchorLink to="/settings" size="sm" underline="always">
              Team Settings
            </AnchorLink>
            .
          </>
        )
      }
      action={
        <Group gap={8} justify="center">
          <Button variant="default" onClick={() => time.setRange(zoomedOut(time.resolved, Date.now()))}>
            Look further
          </Button>
          {hasFilter ? (
            <Button variant="default" onClick={() => onChange({ where: '' })}>
              Clear the filter
            </Button>
          ) : null}
        </Group>
      }
    />
  );
}
