import { Button, Group, SegmentedControl, Skeleton, Text } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { useUrlState } from '../../url-state.ts';
import { EventDrawer } from './EventDrawer.tsx';
import { EventTable } from './EventTable.tsx';
import { findByKey } from './event-key.ts';
import { formatEventTime } from './event-text.ts';
import type { ListView } from './list-columns.ts';
import { openEventOf } from './open-event.ts';
import classes from './Search.module.css';
import { type EventSearch, useEventByKey, useEventDetail } from './search-queries.ts';
import type { SearchChange } from './search-state.ts';
import { type Scope, type Span, scopes, scopeWhere, spans, usualSpan } from './surrounding.ts';
import { useColumnWidths } from './use-column-widths.ts';
import { sideRows, useSurrounding } from './use-surrounding.ts';
import { toggleClause } from './where-clause.ts';

export interface SurroundingEventsProps {
  search: EventSearch;
  view: ListView;
  /** Key of the event in the middle. */
  origin: string;
  onChange: (change: SearchChange) => void;
}

/** What happened around one event, before and after it, whatever the search asked for. */
export function SurroundingEvents({ search, view, origin, onChange }: SurroundingEventsProps) {
  const { source } = search;
  const [url, changeUrl] = useUrlState();
  const [widths] = useColumnWidths(source.id);
  const event = useEventByKey(source, origin);
  const row = event.data;
  const detail = useEventDetail(source, row).data;
  const whereOf = (scope: Scope) => (row ? scopeWhere(scope, row, source, detail) : undefined);
  const wanted = scopes.find(({ id }) => id === url.scope)?.id ?? 'service';
  // Resources are known a moment later; until then the choice stands.
  const scope: Scope = whereOf(wanted) === undefined && detail ? 'all' : wanted;
  const span = spans.find(({ id }) => id === url.within) ?? usualSpan;
  const { columns } = view;
  const found = useSurrounding({ source, columns, row, origin, where: whereOf(scope), span });
  const rows = found.data?.rows ?? [];
  const open = openEventOf(rows, [url.event, changeUrl]);
  const back = () =>
    changeUrl({ around: undefined, scope: undefined, within: undefined, event: undefined }, { replace: false });
  const error = event.error ?? found.error;
  return (
    <>
      <section className={classes.list} aria-label="Surrounding events">
        <Group className={classes.listHead ?? ''} py={6}>
          <Group gap={8}>
            <Button size="compact-sm" variant="default" leftSection={<IconArrowLeft size={14} />} onClick={back}>
              Back to the search
            </Button>
            <Text size="sm" fw={600}>
              {row ? `Around ${formatEventTime(row.time)}` : 'Surrounding events'}
            </Text>
            <Text size="xs" c="var(--sb-muted)" role="status">
              {found.data ? countText(rows.length, found.data.isCutOff, span) : ''}
            </Text>
          </Group>
          <Group gap={8}>
            <ScopeChoice
              scope={scope}
              hasValue={(each) => whereOf(each) !== undefined}
              onChange={(next) => changeUrl({ scope: next })}
            />
            <SegmentedControl
              size="xs"
              aria-label="Before and after"
              value={span.id}
              data={spans.map(({ id, label }) => ({ value: id, label }))}
              onChange={(within) => changeUrl({ within })}
            />
          </Group>
        </Group>
        {error ? <ErrorNotice error={error} onRetry={() => void event.refetch()} /> : null}
        {!found.data && !error ? <Skeleton height={240} m={12} /> : null}
        {found.data && rows.length === 0 ? <EmptyState title="Nothing found" hint="" /> : null}
        {rows.length > 0 ? (
          <EventTable
            key={`${scope} ${span.id}`}
            {...{ rows, view, widths }}
            selected={findByKey(rows, origin)}
            selectedLabel="Origin:"
            onSelect={open.onOpen}
          />
        ) : null}
      </section>
      <EventDrawer
        search={search}
        open={open}
        columns={columns}
        onFilter={(test) => {
          back();
          onChange({ where: toggleClause(search.where, test, search.language) });
        }}
        onColumns={(next) => onChange({ columns: next })}
      />
    </>
  );
}

interface ScopeChoiceProps {
  scope: Scope;
  hasValue: (scope: Scope) => boolean;
  onChange: (scope: Scope) => void;
}

function ScopeChoice({ scope, hasValue, onChange }: ScopeChoiceProps) {
  return (
    <SegmentedControl
      size="xs"
      aria-label="Events of the same"
      value={scope}
      data={scopes.map(({ id, label }) => ({ value: id, label, disabled: !hasValue(id) }))}
      onChange={(next) => onChange(scopes.find(({ id }) => id === next)?.id ?? 'all')}
    />
  );
}

function countText(count: number, isCutOff: boolean, { label }: Span): string {
  const events = `${count.toLocaleString('en-US')} ${count === 1 ? 'event' : 'events'} within ${label}`;
  return isCutOff ? `${events}: the nearest ${sideRows} on each side` : events;
}
