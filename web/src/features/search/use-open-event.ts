import { useUrlState } from '../../url-state.ts';
import type { EventSource } from './event-columns.ts';
import { type OpenEvent, openEventOf } from './open-event.ts';
import { useEventByKey, type useEvents } from './search-queries.ts';

/** So many rows before the end the next page is fetched. */
const pagesAheadRows = 20;

/** The open event is in the address, so that it can be sent to someone, and Back closes it. */
export function useOpenEvent(source: EventSource, events: ReturnType<typeof useEvents>): OpenEvent {
  const [{ event: key }, changeUrl] = useUrlState();
  const rows = events.data?.pages.flat() ?? [];
  const open = openEventOf(rows, [key, changeUrl]);
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
