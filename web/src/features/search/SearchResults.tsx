import { Tabs } from '@mantine/core';
import { useUrlState } from '../../url-state.ts';
import type { TimeRangeState } from '../time-range/use-time-range.ts';
import { Differences } from './Differences.tsx';
import { EventDrawer } from './EventDrawer.tsx';
import { EventHistogram } from './EventHistogram.tsx';
import { EventList } from './EventList.tsx';
import { FacetList } from './FacetList.tsx';
import type { ListView } from './list-columns.ts';
import { Patterns } from './Patterns.tsx';
import classes from './Search.module.css';
import type { EventSearch, useEvents } from './search-queries.ts';
import { comparisonOf, type EventSelection, noSelection, selectionUrl } from './search-selection.ts';
import type { SearchChange } from './search-state.ts';
import type { LiveHold } from './use-live-hold.ts';
import { useOpenEvent } from './use-open-event.ts';
import { type ClauseTest, toggleClause } from './where-clause.ts';

export interface SearchResultsProps {
  search: EventSearch;
  view: ListView;
  hold: LiveHold;
  events: ReturnType<typeof useEvents>;
  time: TimeRangeState;
  onChange: (change: SearchChange) => void;
}

/** Histogram, facets and list of one search, and the event that is looked at. */
export function SearchResults({ search, view, hold, events, time, onChange }: SearchResultsProps) {
  const open = useOpenEvent(search.source, events);
  const [url, changeUrl] = useUrlState();
  const tab = tabs.find(({ id }) => id === url.view)?.id ?? 'events';
  const toggle = (test: ClauseTest) => onChange({ where: toggleClause(search.where, test, search.language) });
  const zoom = (fromMs: number, toMs: number) =>
    time.setRange({ from: String(Math.floor(fromMs)), to: String(Math.ceil(toMs)) });
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
  const showFound = ({ where, language }: Pick<EventSelection, 'where' | 'language'>) =>
    changeUrl({ ...noSelection, view: undefined, where, lang: language }, { replace: false });
  const compare = (selection: EventSelection) =>
    changeUrl({ ...selectionUrl(selection), view: 'differences' }, { replace: false });
  return (
    <>
      {events.error ? null : (
        <EventHistogram search={search} onZoom={zoom} onEvents={showSelected} onCompare={compare} />
      )}
      {events.error ? null : <ViewTabs tab={tab} onChange={(id) => changeUrl({ ...noSelection, view: id })} />}
      {tab === 'patterns' && !events.error ? <Patterns search={search} onEvents={showFound} /> : null}
      {tab === 'differences' && !events.error ? (
        <Differences comparison={comparisonOf(search, url)} onEvents={showSelected} />
      ) : null}
      {tab === 'events' || events.error ? (
        <div className={events.error ? '' : classes.body}>
          {events.error ? null : <FacetList key={search.source.id} search={search} onToggle={toggle} />}
          <EventList
            {...{ search, view, hold, events, time, onChange }}
            selected={open.listed}
            onSelect={open.onOpen}
          />
        </div>
      ) : null}
      <EventDrawer
        search={search}
        open={open}
        columns={view.columns}
        onFilter={toggle}
        onColumns={(columns) => onChange({ columns })}
      />
    </>
  );
}

const tabs = [
  { id: 'events', label: 'Events' },
  { id: 'patterns', label: 'Patterns' },
  { id: 'differences', label: 'Differences' },
] as const;
type Tab = (typeof tabs)[number]['id'];

/** Three ways to look at what was found. */
function ViewTabs({ tab, onChange }: { tab: Tab; onChange: (tab: Tab | undefined) => void }) {
  return (
    <Tabs value={tab} onChange={(id) => onChange(tabs.find((each) => each.id === id && id !== 'events')?.id)} mb={10}>
      <Tabs.List>
        {tabs.map(({ id, label }) => (
          <Tabs.Tab key={id} value={id} fz="xs" py={6}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
    </Tabs>
  );
}
