import { Button, Group, Skeleton, Text } from '@mantine/core';
import { useCallback } from 'react';
import { curlCommand } from '../../api/curl-command.ts';
import { service } from '../../boot.ts';
import { CopyCurl } from '../../ui/CopyCurl.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { AnchorLink } from '../../ui/links.tsx';
import { plainProblem } from '../../ui/plain-problem.ts';
import { Warnings } from '../../ui/Warnings.tsx';
import { zoomedOut } from '../time-range/time-range.ts';
import type { TimeRangeState } from '../time-range/use-time-range.ts';
import type { ColumnActions } from './ColumnHeader.tsx';
import { ColumnPicker } from './ColumnPicker.tsx';
import { isSortable, nextOrderBy, orderByColumn, sortOf } from './column-sort.ts';
import { widthOf } from './column-template.ts';
import { EventTable } from './EventTable.tsx';
import { ExportButton } from './ExportDialog.tsx';
import { readProblem } from './event-text.ts';
import { type ListColumn, type ListView, movedColumn, withoutColumn } from './list-columns.ts';
import classes from './Search.module.css';
import { type EventSearch, type ListRow, listBody, totalOf, type useEvents, useHistogram } from './search-queries.ts';
import type { SearchChange } from './search-state.ts';
import { useColumnWidths } from './use-column-widths.ts';
import type { LiveHold } from './use-live-hold.ts';
import { WaitingEvents } from './WaitingEvents.tsx';

export interface EventListProps {
  search: EventSearch;
  view: ListView;
  hold: LiveHold;
  events: ReturnType<typeof useEvents>;
  time: TimeRangeState;
  selected: ListRow | undefined;
  onSelect: (row: ListRow) => void;
  onChange: (change: SearchChange) => void;
}

/** What was found, with what can be done to the list as a whole. */
export function EventList({ search, view, hold, events, time, selected, onSelect, onChange }: EventListProps) {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = events;
  const [widths, setWidth] = useColumnWidths(search.source.id);
  const rows = data?.pages.flat() ?? [];
  const total = totalOf(useHistogram(search).data);
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const actionsOf = (column: ListColumn): ColumnActions => ({
    ...actionsOfColumn(column, view, search.source, onChange),
    onWidth: (px) => setWidth(column, px),
    hasOwnWidth: widths[column.expression] !== undefined,
    widthPx: widthOf(column, widths),
  });
  return (
    <section className={classes.list} aria-label="Events found">
      <Group className={classes.listHead ?? ''}>
        <Text size="xs" c="var(--sb-muted)" role="status">
          {countText(rows.length, hasNextPage, total, view.orderBy === '')}
        </Text>
        <Group gap={4}>
          <WaitingEvents search={search} hold={hold} />
          <ColumnPicker source={search.source} view={view} onChange={onChange} />
          <ExportButton search={search} view={view} total={total} disabled={rows.length === 0} />
          <CopyCurl value={curlCommand('POST', 'search', listBody(search, view))} />
        </Group>
      </Group>
      {error && !readProblem(error.message) ? <ErrorNotice error={error} onRetry={() => void refetch()} /> : null}
      {error && readProblem(error.message) ? <UnreadableSearch message={error.message} onChange={onChange} /> : null}
      {!data && !error ? <ListSkeleton /> : null}
      {data && !error && rows.length === 0 ? <NothingFound search={search} time={time} onChange={onChange} /> : null}
      {rows.length > 0 && !error ? (
        <EventTable
          key={hold.releases}
          {...{ rows, view, widths, actionsOf, selected, onSelect }}
          onEnd={loadMore}
          isLoadingMore={isFetchingNextPage}
          onScrolled={hold.onScrolled}
        />
      ) : null}
    </section>
  );
}

function actionsOfColumn(
  column: ListColumn,
  { columns, orderBy }: ListView,
  source: EventSearch['source'],
  onChange: EventListProps['onChange'],
) {
  const sortBy = (direction: 'ascending' | 'descending' | 'next') =>
    onChange({
      orderBy: direction === 'next' ? nextOrderBy(column, orderBy, source) : orderByColumn(column, direction, source),
    });
  return {
    sort: sortOf(column, orderBy, source),
    onSort: isSortable(column) ? sortBy : undefined,
    onMove: (by: -1 | 1) => onChange({ columns: movedColumn(columns, column.expression, by) }),
    onRemove: () => onChange({ columns: withoutColumn(columns, column.expression) }),
    isFirst: columns[0]?.expression === column.expression,
    isLast: columns.at(-1)?.expression === column.expression,
  };
}

function countText(loaded: number, hasMore: boolean, total: number | undefined, isNewestFirst: boolean): string {
  if (loaded === 0) return '';
  const number = (value: number) => value.toLocaleString('en-US');
  const which = isNewestFirst ? 'newest' : 'first';
  const isCutOff = loaded >= 10_000 && !hasMore;
  const hint = isCutOff ? ': narrow the range or the filter to see others' : '';
  if (!hasMore && !isCutOff) return `${number(loaded)} ${loaded === 1 ? 'event' : 'events'}`;
  if (total === undefined || total < loaded) return `${number(loaded)} events${hasMore ? '; more below' : hint}`;
  return `${number(total)} events, ${which} ${number(loaded)} shown${hint}`;
}

/** The filter, a column or the order is not what the API reads; the first two have a way out here. */
function UnreadableSearch({ message, onChange }: { message: string; onChange: EventListProps['onChange'] }) {
  const path = readProblem(message)?.path ?? '';
  const isFilter = path === 'where';
  return (
    <EmptyState
      title={isFilter ? 'This filter can’t be read' : 'These columns can’t be read'}
      hint={plainProblem(message)}
      {...(isFilter
        ? {}
        : {
            action: (
              <Button variant="default" onClick={() => onChange({ columns: [], orderBy: '' })}>
                Reset columns
              </Button>
            ),
          })}
    />
  );
}

function ListSkeleton() {
  return (
    <div className={classes.loading} role="status" aria-label="Loading events">
      {[90, 75, 82, 60, 88, 70, 79, 93, 66, 85].map((width) => (
        <div key={width} className={classes.loadingRow}>
          <Skeleton height={10} width={128} />
          <Skeleton height={10} width={`${width - 30}%`} />
        </div>
      ))}
    </div>
  );
}

function NothingFound({ search, time, onChange }: Pick<EventListProps, 'search' | 'time' | 'onChange'>) {
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
            {service ? (
              <AnchorLink to="/start" size="sm" underline="always">
                Send data
              </AnchorLink>
            ) : (
              <AnchorLink to="/settings" size="sm" underline="always">
                Team Settings
              </AnchorLink>
            )}
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
