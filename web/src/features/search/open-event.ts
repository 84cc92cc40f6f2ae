import type { UrlPatch, UrlState } from '../../url-state.ts';
import type { EventRow } from './event-columns.ts';
import { eventKey, findByKey } from './event-key.ts';
import type { ListRow } from './search-queries.ts';

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

type Opening = [key: string | undefined, change: (patch: UrlPatch, options?: { replace: boolean }) => void];

/** An event of these rows. */
export function openEventOf(rows: readonly ListRow[], [key, change]: Opening): OpenEvent {
  const listed = key === undefined ? undefined : findByKey(rows, key);
  const at = listed ? rows.indexOf(listed) : -1;
  // From where the last key press led: keys that are pressed faster than the page draws all count.
  const step = (by: number) => change(({ event }) => neighbourOf(rows, event, by));
  const stepTo = (by: number) => (listed && rows[at + by] ? () => step(by) : undefined);
  return {
    isOpen: key !== undefined,
    listed,
    row: listed,
    error: null,
    place: listed && `${(at + 1).toLocaleString('en-US')} of ${rows.length.toLocaleString('en-US')}`,
    onOpen: (row) => change({ event: eventKey(row) }, { replace: false }),
    onClose: () => change({ event: undefined }),
    onNext: stepTo(1),
    onPrevious: stepTo(-1),
  };
}

/** Nothing to change where the list ends. */
function neighbourOf(rows: readonly ListRow[], key: string | undefined, by: number): UrlState {
  const listed = key === undefined ? undefined : findByKey(rows, key);
  const row = listed && rows[rows.indexOf(listed) + by];
  return row ? { event: eventKey(row) } : {};
}
