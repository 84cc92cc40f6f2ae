import { useUrlState } from '../../url-state.ts';
import type { EventRow, EventSource } from './event-columns.ts';
import { eventKey, findByKey } from './event-key.ts';
import { type ListRow, useEventByKey, type useEvents } from './search-queries.ts';

/** The event that the address names. */
export interface OpenEvent {
  isOpen: boolean;
  /** Its row in the list, as far as that is loaded. */
  listed: ListRow | undefined;
  /** From the list, or found again by the link. */
  row: EventRow | undefined;
  error: Error | null;
  /** `12 of 200`; absent where it is not in the list. */
  place: string | undefined;
  onOpen: (row: EventRow) => void;
  onClose: () => void;
  /** To the next event in the list or the one before; absent where there is none. */
  onNext: (() => void) | undefined;
  onPrevious: (() => void) | undefined;
}

type Opening = [key: string | undefined, change: (key: string | undefined, options?: { replace: boolean }) => void];

/** So many rows before the end the next page is fetched. */
const pagesAheadRows = 20;

/** The open event is in the address, so that it can be sent to someone, and Back closes it. */
export function useOpenEvent(source: EventSource, events: ReturnType<typeof useEvents>): OpenEvent {
  const [{ event: key }, changeUrl] = useUrlState();
  const rows = events.data?.pages.flat() ?? [];
  const open = openEventOf(rows, [key, (event, options) => changeUrl({ event }, options)]);
  const isLinked = key !== undefined && open.listed === undefined && (events.isFetched || events.isError);
  const linked = useEventByKey(source, isLinked ? key : undefined);
  const at = open.listed ? rows.indexOf(open.listed) : -1;
  const fetchAhead = () => {
    const isNearEnd = at >= rows.length - pagesAheadRows;
    if (isNearEnd && events.hasNextPage && !events.isFetchingNextPage) void events.fetchNextPage();
    open.onNext?.();
  };
  return {
    ...open,
    row: open.row ?? linked.data,
    error: isLinked ? linked.error : null,
    onNext: open.onNext && fetchAhead,
  };
}

/** An event of these rows. */
export function openEventOf(rows: readonly ListRow[], [key, change]: Opening): OpenEvent {
  const listed = key === undefined ? undefined : findByKey(rows, key);
  const at = listed ? rows.indexOf(listed) : -1;
  const goTo = (row: EventRow | undefined) => (listed && row ? () => change(eventKey(row)) : undefined);
  return {
    isOpen: key !== undefined,
    listed,
    row: listed,
    error: null,
    place: listed && `${(at + 1).toLocaleString('en-US')} of ${rows.length.toLocaleString('en-US')}`,
    onOpen: (row) => change(eventKey(row), { replace: false }),
    onClose: () => change(undefined),
    onNext: goTo(rows[at + 1]),
    onPrevious: goTo(rows[at - 1]),
  };
}
