import { expect, it } from 'vitest';
import type { UrlState } from '../../url-state.ts';
import { eventKey } from './event-key.ts';
import { openEventOf } from './open-event.ts';
import type { ListRow } from './search-queries.ts';

const rest = { level: '', service: '', durationNs: undefined, traceId: '', spanId: '', cells: {} };
const rows = ['a', 'b', 'c', 'd'].map(
  (text, at): ListRow => ({ ...rest, time: `2026-01-01T00:00:0${9 - at}.000000000Z`, text }),
);
const keyAt = (at: number) => {
  const row = rows[at];
  return row && eventKey(row);
};

it('steps that are asked for before the page has drawn the last one all count', () => {
  let url: UrlState = { event: keyAt(1) };
  // As drawn once: the second and third step know only the first address.
  const drawn = openEventOf(rows, [
    url.event,
    (patch) => {
      url = { ...url, ...(typeof patch === 'function' ? patch(url) : patch) };
    },
  ]);
  drawn.onNext?.();
  drawn.onNext?.();
  expect(url.event).toBe(keyAt(3));
  drawn.onNext?.();
  expect(url.event).toBe(keyAt(3));
  for (let at = 2; at >= 0; at--) {
    drawn.onPrevious?.();
    expect(url.event).toBe(keyAt(at));
  }
});

it('there is no step beyond the ends of the list, nor from an event that is not in it', () => {
  const open = (event: string | undefined) => openEventOf(rows, [event, () => undefined]);
  expect(open(keyAt(0)).onPrevious).toBeUndefined();
  expect(open(keyAt(3)).onNext).toBeUndefined();
  expect(open('elsewhere').onNext).toBeUndefined();
});
