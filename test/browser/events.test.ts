import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { boxOf, describeInBrowser, eventRows, logIn, visit } from '../support/browser.ts';
import { type SharedDemo, sharedDemo } from '../support/run-demo.ts';

describeInBrowser('events', () => {
  let demo: SharedDemo;
  /** 20 minutes of the past, which no longer change. */
  let fromMs: number;
  let toMs: number;

  beforeAll(async () => {
    demo = await sharedDemo();
    fromMs = demo.settledUntilMs - 1_200_000;
    toMs = demo.settledUntilMs;
  });

  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const headers = { authorization: `Bearer ${demo.key}`, 'content-type': 'application/json' };
    const answer = await fetch(demo.api + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    return ((await answer.json()) as { data: T }).data;
  }

  async function sourceId(kind: string): Promise<string> {
    const sources = await call<{ id: string; kind: string }[]>('GET', '/sources');
    return sources.find((source) => source.kind === kind)?.id ?? '';
  }

  async function open(page: Page, { kind, where }: { kind: string; where: string }): Promise<void> {
    await logIn(page, demo);
    const query = new URLSearchParams({ source: await sourceId(kind), where, from: `${fromMs}`, to: `${toMs}` });
    await page.goto(`/search?${query}`);
    await page.getByRole('grid', { name: 'Events' }).waitFor();
  }

  const countOnScreen = async (page: Page): Promise<number> => {
    const text = await page.getByRole('region', { name: 'Events found' }).getByRole('status').textContent();
    return Number(/[\d,]+/.exec(text ?? '')?.[0].replaceAll(',', '') ?? Number.NaN);
  };

  it('as many events are on the screen as the API counts', async () => {
    const where = 'ServiceName:"payment" SeverityText:error';
    const { page } = await visit(demo.web);
    await open(page, { kind: 'log', where });
    const range = { startTime: new Date(fromMs).toISOString(), endTime: new Date(toMs).toISOString() };
    const events = await call<unknown[]>('POST', '/search', {
      ...range,
      sourceId: await sourceId('log'),
      where,
      maxResults: 2000,
    });
    expect(events.length).toBeGreaterThan(5);
    expect(events.length).toBeLessThan(200);
    await expect.poll(() => countOnScreen(page)).toBe(events.length);
  });

  it('dragging over the histogram narrows the range, and Back widens it again', async () => {
    const { page } = await visit(demo.web);
    await open(page, { kind: 'log', where: 'ServiceName:"payment"' });
    await expect.poll(() => countOnScreen(page)).toBeGreaterThan(0);
    const before = await countOnScreen(page);
    const box = await boxOf(page.getByRole('img', { name: 'Events over time' }).locator('.u-over'));
    const y = box.y + box.height / 2;
    // The bank began to fail a few minutes before the end: the last tenth holds some of what there is, not all.
    await page.mouse.move(box.x + box.width * 0.85, y);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.95, y, { steps: 8 });
    await page.mouse.up();
    const range = () => {
      const { searchParams } = new URL(page.url());
      return { from: Number(searchParams.get('from')), to: Number(searchParams.get('to')) };
    };
    await expect.poll(() => range().from).toBeGreaterThan(fromMs);
    const tenthMs = (toMs - fromMs) / 10;
    expect(Math.abs(range().from - (fromMs + 8.5 * tenthMs))).toBeLessThan(tenthMs / 2);
    expect(Math.abs(range().to - (fromMs + 9.5 * tenthMs))).toBeLessThan(tenthMs / 2);
    await expect.poll(() => countOnScreen(page)).toBeLessThan(before);
    await page.goBack();
    await expect.poll(range).toEqual({ from: fromMs, to: toMs });
  });

  it('an error links to its trace, which shows all spans and marks the failed ones', async () => {
    const { page } = await visit(demo.web);
    await open(page, { kind: 'log', where: 'ServiceName:"payment" SeverityText:error' });
    await eventRows(page).first().click();
    await page.getByRole('dialog').getByRole('link', { name: 'View trace' }).click();
    await page.waitForURL('**/traces/*');
    const traceId = new URL(page.url()).pathname.split('/').at(-1);
    const spans = await call<{ StatusCode: string }[]>('POST', '/search', {
      sourceId: await sourceId('trace'),
      startTime: new Date(fromMs - 60_000).toISOString(),
      endTime: new Date().toISOString(),
      where: `TraceId:"${traceId}"`,
      select: 'StatusCode',
    });
    const items = page.getByRole('tree', { name: 'Spans' }).getByRole('treeitem');
    await expect.poll(() => items.count()).toBe(spans.length);
    const failed = page.getByRole('treeitem', { name: /, failed$/ });
    const failures = spans.filter(({ StatusCode }) => StatusCode === 'Error').length;
    expect(failures).toBeGreaterThanOrEqual(2);
    await expect.poll(() => failed.count()).toBe(failures);
  });

  it('what the arrow keys reach stays in sight, clear of what sticks to the top: rows and spans', async () => {
    const { page } = await visit(demo.web);
    await open(page, { kind: 'log', where: '' });
    await eventRows(page).first().focus();
    await holdInSight(page, 'document.activeElement');
    const rows = Array.from({ length: 80 }, (_, at) => spanRow(at));
    await page.route('**/api/v2/search', (route) => route.fulfill({ json: { data: rows, meta: {} } }));
    await page.goto(`/traces/${'a'.repeat(32)}?at=${fromMs}`);
    await page.getByRole('tree', { name: 'Spans' }).focus();
    await holdInSight(page, `document.querySelector('[aria-selected=true][role=treeitem]')`);
  });

  it('a bar of the histogram is as wide as its bucket, however few there are; without any there is no axis', async () => {
    const { page } = await visit(demo.web);
    const quarterMs = (toMs - fromMs) / 4;
    const answer: { points: [number, number][] } = { points: [] };
    await page.route('**/api/v2/charts/tiles', (route) => {
      const series = [{ name: 'count()', group: [], select: 0, points: answer.points }];
      const tile = { ref: 'histogram', displayType: 'stacked_bar', granularityMs: quarterMs, series };
      return route.fulfill({ json: { data: [tile], meta: {} } });
    });
    for (const buckets of [[1], [0, 3], [0, 1, 2, 3]]) {
      answer.points = buckets.map((bucket) => [fromMs + bucket * quarterMs, 5]);
      await open(page, { kind: 'log', where: 'ServiceName:"payment"' });
      await page.getByRole('img', { name: 'Events over time' }).locator('.u-over').waitFor();
      const share = () => page.evaluate<number>(paintedShare);
      await expect.poll(async () => Math.abs((await share()) - buckets.length / 4)).toBeLessThan(0.03);
    }
    answer.points = [];
    await open(page, { kind: 'log', where: 'ServiceName:"payment"' });
    await page.getByText('No data in this range').waitFor();
    expect(await page.getByRole('img', { name: 'Events over time' }).count()).toBe(0);
  });

  it('list, drawer, trace and search tiles use the zone of the person, which the page names', async () => {
    const timeZone = 'Australia/Darwin';
    const where = 'ServiceName:"payment" SeverityText:error';
    const range = { startTime: new Date(fromMs).toISOString(), endTime: new Date(toMs).toISOString() };
    const [event] = await call<{ Timestamp: string; TraceId: string }[]>('POST', '/search', {
      ...{ ...range, sourceId: await sourceId('log'), where, select: 'Timestamp, TraceId', maxResults: 1 },
    });
    const atMs = Date.parse(event?.Timestamp ?? '');
    const local = new Date(atMs).toLocaleString('sv-SE', { timeZone });
    expect(local).toMatch(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/);
    const tile = { displayType: 'search', sourceId: await sourceId('log'), select: 'Timestamp, Body', where };
    const byHour = {
      ...{ displayType: 'table', sourceId: await sourceId('log'), groupBy: 'toStartOfHour(Timestamp)' },
      select: [{ aggFn: 'count' }],
    };
    const board = await call<{ id: string }>('POST', '/dashboards', {
      name: 'Elsewhere',
      tiles: [
        { name: 'Errors', x: 0, y: 0, w: 12, h: 8, config: tile },
        { name: 'By hour', x: 12, y: 0, w: 12, h: 8, config: byHour },
      ],
    });
    const { page, context } = await visit(demo.web);
    const devTools = await context.newCDPSession(page);
    await devTools.send('Emulation.setTimezoneOverride', { timezoneId: timeZone });
    await open(page, { kind: 'log', where });
    await page.getByText(`${timeZone} (UTC+9:30)`).waitFor();
    const first = eventRows(page).first();
    await first.getByText(local).waitFor();
    // Another zone is chosen on the page, by keyboard, and holds for all that is open.
    const inZone = (zone: string) => new Date(atMs).toLocaleString('sv-SE', { timeZone: zone });
    const chooseZone = async (typed: string) => {
      await page.getByRole('button', { name: /^Time zone:/ }).press('Enter');
      await page.getByRole('textbox', { name: 'Search time zones' }).fill(typed);
      await page.getByRole('option').first().waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
    };
    await chooseZone('kathm');
    await page.getByRole('button', { name: 'Time zone: Asia/Kathmandu (UTC+5:45)' }).waitFor();
    await first.getByText(inZone('Asia/Kathmandu')).waitFor();
    await page.reload();
    await first.getByText(inZone('Asia/Kathmandu')).waitFor();
    await chooseZone('utc');
    await first.getByText(inZone('UTC')).waitFor();
    await chooseZone('browser');
    await first.getByText(local).waitFor();
    await first.click();
    const drawer = page.getByRole('dialog', { name: local });
    await drawer
      .getByRole('row', { name: /^Timestamp / })
      .getByText(local)
      .waitFor();
    await page.goto(`/traces/${event?.TraceId}?at=${atMs}`);
    await page.getByRole('complementary', { name: 'Details' }).getByText(local.slice(0, 14)).first().waitFor();
    await page.goto(`/dashboards/${board.id}?from=${fromMs}&to=${toMs}`);
    await page.getByRole('cell', { name: local }).first().waitFor();
    // Hours of UTC begin at half past there.
    await page
      .getByRole('cell', { name: /:30:00\.000$/ })
      .first()
      .waitFor();
    expect(await page.evaluate<string>('document.body.innerText')).not.toMatch(/\d{4}-\d{2}-\d{2}T\d{2}:/);
  });
});

/** 45 steps down and up again: what is reached is neither outside of the box that scrolls nor behind its headings. */
async function holdInSight(page: Page, element: string): Promise<void> {
  const uncovered = `(() => {
    const reached = ${element};
    if (!reached) return 'nothing is reached';
    const { left, top, bottom } = reached.getBoundingClientRect();
    const isSeen = (y) => reached.contains(document.elementFromPoint(left + 30, y));
    return isSeen(top + 2) && isSeen(bottom - 2) ? 'in sight' : 'hidden';
  })()`;
  for (const key of ['ArrowDown', 'ArrowUp']) {
    for (let step = 1; step <= 45; step++) {
      await page.keyboard.press(key);
      await expect.poll(() => page.evaluate<string>(uncovered), { message: `${key} ${step}` }).toBe('in sight');
    }
  }
}

/** Of the width of the histogram, at its ground: how much has the colour of its bars. */
const paintedShare = `(() => {
  const image = document.querySelector('[aria-label="Events over time"]');
  const canvas = image.querySelector('canvas');
  const over = image.querySelector('.u-over').getBoundingClientRect();
  const frame = canvas.getBoundingClientRect();
  const y = Math.round((over.bottom - frame.top - 4) * devicePixelRatio);
  const [x, width] = [(over.left - frame.left) * devicePixelRatio, over.width * devicePixelRatio].map(Math.round);
  const { data } = canvas.getContext('2d').getImageData(x, y, width, 1);
  const colors = new Map();
  for (let at = 0; at < data.length; at += 4) {
    if (data[at + 3] < 255) continue;
    const color = data.slice(at, at + 3).join();
    colors.set(color, (colors.get(color) ?? 0) + 1);
  }
  return Math.max(0, ...colors.values()) / width;
})()`;

/** A span of a trace that is longer than the page, as the page asks for it. */
function spanRow(at: number) {
  return {
    ...{ sb_time: `2026-01-01T00:00:00.${String(at).padStart(3, '0')}000000Z`, sb_spanId: `${at}`.padStart(16, '0') },
    ...{ sb_parentSpanId: at === 0 ? '' : `${0}`.padStart(16, '0'), sb_name: `step ${at}`, sb_kind: 'Internal' },
    ...{ sb_duration: '1000000', sb_service: 'shop', sb_status: 'Ok', sb_statusMessage: '' },
  };
}
