import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { HistoryEntry } from '../../src/evaluator/alert-state.ts';
import { openEmbedded } from '../../src/metadata/embedded/open-embedded.ts';
import { insertHistoryRows } from '../support/alert-rows.ts';
import { accessibilityViolations, describeInBrowser, logIn, visit } from '../support/browser.ts';
import { acme, type RunningProgram, startProgram } from '../support/start-program.ts';

const [ada] = acme.teams[0]?.users ?? [];
/** More than one answer of the API holds. */
const silencesTotal = 1003;

describeInBrowser('long lists', () => {
  let program: RunningProgram;

  beforeAll(async () => {
    program = await startProgram();
  });

  afterAll(() => program?.stop());

  const call = <T>(method: string, path: string, body?: unknown) =>
    program.call(method, `/api/v2${path}`, body).then(({ status, json }) => {
      expect(status, JSON.stringify(json)).toBe(200);
      return (json as { data: T }).data;
    });

  async function visitor(): Promise<Page> {
    const { page } = await visit(program.addresses.web);
    await logIn(page, { email: ada?.email ?? '', password: ada?.password ?? '' });
    return page;
  }

  async function inTurns(count: number, make: (index: number) => Promise<unknown>): Promise<void> {
    const waiting = Array.from({ length: count }, (_, index) => index).reverse();
    const work = async () => {
      for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) await make(index);
    };
    await Promise.all(Array.from({ length: 8 }, work));
  }

  it('every entry can be reached, also beyond the first page of the API', async () => {
    const times = { startsAt: '2026-01-01T00:00:00Z', endsAt: '2026-01-01T01:00:00Z' };
    await inTurns(silencesTotal, (index) =>
      call('POST', '/silences', { name: `silence-${index}`, match: {}, ...times }),
    );
    const page = await visitor();
    await page.goto('/silences');
    const pages = page.getByRole('navigation', { name: 'Pages of silences' });
    await pages.getByText('1–100 of 1,003 silences').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await pages.getByRole('button', { name: 'Page 11' }).click();
    await pages.getByText('1,001–1,003 of 1,003 silences').waitFor();
    expect(await page.getByRole('row').count()).toBe(1 + 3);
  });

  it('U-125: of 120 dashboards those with a tag are found, and the one with a firing alert is marked', async () => {
    const odd = 'team/ä b';
    const tile = { name: 'Events', series: [{ sourceId: await logSource(), aggFn: 'count', where: '', groupBy: [] }] };
    await inTurns(120, (index) =>
      call('POST', '/dashboards', {
        name: `board-${index}`,
        tags: index % 40 === 0 ? [odd] : ['other'],
        tiles: [tile],
      }),
    );
    const [watched] = await call<{ id: string; tags: string[]; tiles: { id: string }[] }[]>('GET', '/dashboards');
    const page = await visitor();
    // An alert fires a minute after it was made: the answer of one that does is put in its place.
    const alert = { id: 'a1', state: 'ALERT', dashboardId: watched?.id, tileId: watched?.tiles[0]?.id, channels: [] };
    await page.route('**/api/v2/alerts?*', (route) => route.fulfill({ json: { data: [alert], meta: { total: 1 } } }));
    await page.goto('/dashboards');
    const rows = page.getByRole('table', { name: 'Dashboards' }).getByRole('row');
    await page.getByRole('navigation', { name: 'Pages of dashboards' }).getByText('1–100 of 120 dashboards').waitFor();
    await expect.poll(() => rows.filter({ hasText: 'Firing' }).count()).toBe(1);
    await page
      .getByRole('button', { name: `Dashboards with ${odd}` })
      .first()
      .click();
    await expect.poll(() => rows.count()).toBe(3);
    expect(new URL(page.url()).searchParams.get('tag')).toBe(odd);
    await page.reload();
    await expect.poll(() => rows.count()).toBe(3);
    await page.getByRole('textbox', { name: 'Search dashboards' }).fill('board-4');
    await expect.poll(() => rows.count()).toBe(1);
    await page.getByRole('button', { name: 'Duplicate board-40' }).click();
    await page.getByRole('heading', { name: 'board-40 (copy)' }).waitFor();
    await page.getByRole('region', { name: 'Events' }).waitFor();
  });

  it('the history of an alert is reached to its end', async () => {
    const page = await visitor();
    const alertId = await makeAlert('Old');
    // Its windows take hours to come: answers as the API gives them for 250 windows are put in their place.
    await page.route('**/history?*', (route) => {
      const query = new URL(route.request().url()).searchParams;
      const [limit, offset] = [Number(query.get('limit')), Number(query.get('offset') ?? 0)];
      return route.fulfill({ json: { data: windows.slice(offset, offset + limit), meta: { total: windows.length } } });
    });
    await page.goto(`/alerts/${alertId}`);
    const pages = page.getByRole('navigation', { name: 'Pages of windows' });
    await pages.getByText('1–100 of 250 windows').waitFor();
    await pages.getByRole('button', { name: 'Page 3' }).click();
    await pages.getByText('201–250 of 250 windows').waitFor();
    await page.getByRole('button', { name: 'Show all 50' }).click();
    await page.getByRole('cell', { name: 'oldest' }).waitFor();
    expect(new URL(page.url()).searchParams.get('historyPage')).toBe('3');
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  it('the history of an alert jumps to the page of an instant, and to its ends for what lies beyond them', async () => {
    const alertId = await makeAlert('Older');
    const lastEndMs = Math.floor(Date.now() / 60_000 - 60) * 60_000;
    const store = openEmbedded(join(program.dataDir, 'metadata.db'));
    await insertHistoryRows(store, alertId, minutesUntil(lastEndMs, 350));
    await store.close();
    const page = await visitor();
    await page.goto(`/alerts/${alertId}`);
    const pages = page.getByRole('navigation', { name: 'Pages of windows' });
    await pages.getByText('1–100 of 350 windows').waitFor();
    const places = [
      { minutesAgo: 234, shown: '201–300 of 350 windows', page: '3' },
      { minutesAgo: 99, shown: '1–100 of 350 windows', page: null },
      { minutesAgo: 100, shown: '101–200 of 350 windows', page: '2' },
      { minutesAgo: 100_000, shown: '301–350 of 350 windows', page: '4' },
      { minutesAgo: -60, shown: '1–100 of 350 windows', page: null },
    ];
    for (const { minutesAgo, shown, page: number } of places) {
      const at = localMinute(lastEndMs - (minutesAgo + 1) * 60_000);
      await page.getByLabel('Date in the history').fill(at);
      await page.getByRole('button', { name: 'Jump there' }).click();
      await pages.getByText(shown).waitFor();
      expect(new URL(page.url()).searchParams.get('historyPage'), at).toBe(number);
    }
  });

  /** One that is off: it evaluates no windows itself. */
  async function makeAlert(name: string): Promise<string> {
    const webhook = await call<{ id: string }>('POST', '/webhooks', {
      ...{ name, service: 'generic', url: 'https://example.com/hook' },
    });
    const tile = { name: 'Events', series: [{ sourceId: await logSource(), aggFn: 'count', where: '', groupBy: [] }] };
    const board = await call<{ id: string; tiles: { id: string }[] }>('POST', '/dashboards', {
      ...{ name: 'Watched', tiles: [tile] },
    });
    const alert = await call<{ id: string }>('POST', '/alerts', {
      ...{ name, dashboardId: board.id, tileId: board.tiles[0]?.id, interval: '1m', enabled: false },
      ...{ threshold: 5, thresholdType: 'above', channel: { type: 'webhook', webhookId: webhook.id } },
    });
    return alert.id;
  }

  async function logSource(): Promise<string | undefined> {
    const sources = await call<{ id: string; kind: string }[]>('GET', '/sources');
    return sources.find(({ kind }) => kind === 'log')?.id;
  }
});

const nowMs = Date.parse('2026-06-01T12:00:00Z');
const windows = Array.from({ length: 250 }, (_, index) => ({
  windowStart: new Date(nowMs - (index + 1) * 60_000).toISOString(),
  windowEnd: new Date(nowMs - index * 60_000).toISOString(),
  evaluatedAt: new Date(nowMs - index * 60_000).toISOString(),
  ...{ state: 'OK', notifications: [], reason: 'error' },
  groups: [{ group: [], value: index, state: 'OK', reason: 'not_breaching' }],
  error: { timestamp: '2026-06-01T12:00:00Z', type: 'UNKNOWN', message: index === 249 ? 'oldest' : 'newer' },
}));

/** Windows of a minute each, of which the last ends then. */
function minutesUntil(lastEndMs: number, count: number): HistoryEntry[] {
  return Array.from({ length: count }, (_, index) => {
    const windowEndMs = lastEndMs - index * 60_000;
    return { windowStartMs: windowEndMs - 60_000, windowEndMs, evaluatedAtMs: windowEndMs, status: 'OK', groups: [] };
  });
}

/** As the field takes it: local, to the minute. */
function localMinute(ms: number): string {
  return new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
