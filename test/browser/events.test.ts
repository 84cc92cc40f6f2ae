import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { describeInBrowser, logIn, visit } from '../support/browser.ts';
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
    await page.getByRole('list', { name: 'Events' }).waitFor();
  }

  const countOnScreen = async (page: Page): Promise<number> => {
    const text = await page.getByRole('region', { name: 'Events found' }).getByRole('status').textContent();
    return Number(/[\d,]+/.exec(text ?? '')?.[0].replace(',', '') ?? Number.NaN);
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
    const box = await page.getByRole('img', { name: 'Events over time' }).locator('.u-over').boundingBox();
    if (!box) throw new Error('the histogram has no size');
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
    await page.getByRole('list', { name: 'Events' }).getByRole('button').first().click();
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
});
