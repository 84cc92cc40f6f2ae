import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { pagesUrlOf } from '../../../src/access/pages-url.ts';
import { composeMessage } from '../../../src/notify/render/message.ts';
import { resolveRange } from '../../../web/src/features/time-range/time-range.ts';
import { servicePlaceOf } from '../../../web/src/service-place.ts';
import { messageOf, minuteMs } from '../../support/alert-fixtures.ts';

const publicUrl = 'https://obs.example.com/hx';
const service = {
  id: '66666666-7777-4888-8999-aaaaaaaaaaaa',
  organizationId: '11111111-2222-4333-8444-555555555555',
};
/** The link does not depend on the clock of the person who opens it later. */
const laterMs = Date.UTC(2030, 0, 1);
const router = readFileSync(new URL('../../../web/src/routes/telemetry-pages.ts', import.meta.url), 'utf8');

const windows = fc.record({
  interval: fc.constantFrom('1m', '5m', '15m', '1h', '1d', '7d'),
  startMs: fc.integer({ min: 20_000_000, max: 40_000_000 }).map((minutes) => minutes * minuteMs),
});
const lengthMs = { '1m': 1, '5m': 5, '15m': 15, '1h': 60, '1d': 1_440, '7d': 10_080 } as const;

function linkOf(
  interval: string,
  [startMs, endMs]: [number, number],
  { savedSearch, pagesUrl = publicUrl }: { savedSearch?: { id: string }; pagesUrl?: string } = {},
): URL {
  const outgoing = messageOf('tenant');
  const { dashboard, tile, ...notification } = outgoing.notification;
  const watched = savedSearch ? { savedSearch } : { ...(dashboard && { dashboard }), ...(tile && { tile }) };
  const alert = { ...notification.alert, interval };
  const window = { startMs, endMs };
  return new URL(
    composeMessage({ ...outgoing, notification: { ...notification, ...watched, alert, window } }, { pagesUrl }).link,
  );
}

function rangeOf(link: URL) {
  const { from = '', to = '' } = Object.fromEntries(link.searchParams);
  return resolveRange({ from, to }, laterMs);
}

it('U-51: the link of a message opens the dashboard, as the pages read addresses, on the window and some around it', () => {
  expect(router).toContain("'/dashboards/$dashboardId'");
  fc.assert(
    fc.property(windows, ({ interval, startMs }) => {
      const windowMs = lengthMs[interval] * minuteMs;
      const link = linkOf(interval, [startMs, startMs + windowMs]);
      expect(link.pathname).toBe('/hx/dashboards/d00000000000000000000001');
      expect(Object.fromEntries(link.searchParams)).toMatchObject({ granularity: interval, highlightedTileId: 't1' });
      expect(rangeOf(link)).toEqual({ startMs: startMs - 7 * windowMs, endMs: startMs + 8 * windowMs });
    }),
  );
});

it('U-51: that of a saved search opens the search on the window itself, standing still', () => {
  expect(router).toContain("'/search/$savedSearchId'");
  const link = linkOf('5m', [1_736_935_200_000, 1_736_935_500_000], { savedSearch: { id: 'f1' } });
  expect(link.pathname).toBe('/hx/search/f1');
  expect(rangeOf(link)).toEqual({ startMs: 1_736_935_200_000, endMs: 1_736_935_500_000 });
});

it('in the managed flavour, links lead to the pages of the alert’s service', () => {
  const pagesUrl = pagesUrlOf(`${publicUrl}/`, service);
  const window: [number, number] = [1_736_935_200_000, 1_736_935_500_000];
  for (const savedSearch of [undefined, { id: 'f1' }]) {
    const { pathname } = linkOf('5m', window, { pagesUrl, ...(savedSearch && { savedSearch }) });
    const place = servicePlaceOf(pathname, '/hx/');
    expect(place).toMatchObject({ organizationId: service.organizationId, serviceId: service.id });
    const page = pathname.slice(place?.pagesPath.length);
    expect(page).toBe(savedSearch ? '/search/f1' : '/dashboards/d00000000000000000000001');
  }
});
