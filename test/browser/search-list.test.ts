import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accessibilityViolations, boxOf, describeInBrowser, eventRows, logIn, visit } from '../support/browser.ts';
import { readCsv } from '../support/read-csv.ts';
import { type SharedDemo, sharedDemo } from '../support/run-demo.ts';

/** One person at the list of events, from one thing to the next. */
describeInBrowser('the list of events', () => {
  let demo: SharedDemo;
  let page: Page;
  let leave: () => Promise<void> = async () => {};
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-export-'));
  let logs: string;
  let fromMs: number;
  let toMs: number;

  beforeAll(async () => {
    demo = await sharedDemo();
    [fromMs, toMs] = [demo.settledUntilMs - 1_200_000, demo.settledUntilMs];
    const answer = await fetch(`${demo.api}/sources`, { headers: { authorization: `Bearer ${demo.key}` } });
    const sources = ((await answer.json()) as { data: { id: string; kind: string }[] }).data;
    logs = sources.find(({ kind }) => kind === 'log')?.id ?? '';
    const until = (end: () => Promise<void>) => {
      leave = end;
    };
    ({ page } = await visit(demo.web, { until }));
    await logIn(page, demo);
  });
  afterAll(async () => {
    await leave();
    rmSync(folder, { recursive: true, force: true });
  });

  const open = async (more: Record<string, string> = {}) => {
    const query = new URLSearchParams({
      source: logs,
      where: 'ServiceName:"payment"',
      from: `${fromMs}`,
      to: `${toMs}`,
    });
    for (const [name, value] of Object.entries(more)) query.set(name, value);
    await page.goto(`/search?${query}`);
    await eventRows(page).first().waitFor();
  };
  const param = (name: string) => new URL(page.url()).searchParams.get(name);
  const headings = async () =>
    (await page.getByRole('columnheader').allTextContents()).map((text) => text.trim()).filter((text) => text !== '');
  const heading = (name: string): Locator => page.getByRole('columnheader', { name });
  const menu = async (column: string, item: string) => {
    await page.getByRole('button', { name: `Column ${column}` }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  const drawer = () => page.getByRole('dialog');
  const axe = async () => expect(await accessibilityViolations(page)).toEqual([]);

  it('columns come from an event, are moved, removed, widened and saved with the search', async () => {
    await open();
    await axe();
    expect(await headings()).toEqual(['Time', 'Severity', 'Service', 'Message']);
    await eventRows(page).first().click();
    await drawer().getByRole('button', { name: 'Add as column ResourceAttributes.host.name' }).click();
    await axe();
    await drawer().getByRole('button', { name: 'Remove column ResourceAttributes.host.name' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(headings).toEqual(['Time', 'Severity', 'Service', 'Message', 'host.name']);
    await eventRows(page).first().getByRole('gridcell', { name: 'payment-7d9f' }).waitFor();
    await menu('host.name', 'Move left');
    await menu('Severity', 'Remove column');
    await expect.poll(headings).toEqual(['Time', 'Service', 'host.name', 'Message']);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('textbox', { name: 'Find a field' }).fill('traceid');
    await page.getByRole('checkbox', { name: 'TraceId' }).check();
    await axe();
    await page.keyboard.press('Escape');
    await expect.poll(headings).toEqual(['Time', 'Service', 'host.name', 'Message', 'TraceId']);
    const edge = page.getByRole('separator', { name: 'Width of Service' });
    const widthOf = async () => (await heading('Service').boundingBox())?.width ?? 0;
    const before = await widthOf();
    await edge.press('ArrowRight');
    await expect.poll(widthOf).toBeCloseTo(before + 16, 0);
    const box = await boxOf(edge);
    await page.mouse.move(box.x + 3, box.y + 5);
    await page.mouse.down();
    await page.mouse.move(box.x + 53, box.y + 5, { steps: 5 });
    await page.mouse.up();
    await expect.poll(async () => Math.abs((await widthOf()) - before - 66)).toBeLessThan(4);
    await menu('Service', 'Reset width');
    await expect.poll(widthOf).toBeCloseTo(before, 0);
    await heading('Service').getByRole('button', { name: 'Service', exact: true }).click();
    await expect.poll(() => heading('Service').getAttribute('aria-sort')).toBe('ascending');
    expect(param('order')).toBe('ServiceName ASC');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Hosts');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.waitForURL(/\/search\/[0-9a-f]{24}/);
    await page.goto(`${new URL(page.url()).pathname}?from=${fromMs}&to=${toMs}`);
    await expect.poll(headings).toEqual(['Time', 'Service', 'host.name', 'Message', 'TraceId']);
    expect(await heading('Service').getAttribute('aria-sort')).toBe('ascending');
    expect(await page.getByRole('button', { name: 'Save changes' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('button', { name: 'Reset columns' }).click();
    await page.keyboard.press('Escape');
    await expect.poll(headings).toEqual(['Time', 'Severity', 'Service', 'Message']);
    await page.getByRole('button', { name: 'Save changes' }).waitFor();
  });

  it('the list is sorted by a column and wraps its lines', async () => {
    await open({ where: 'ServiceName:"payment" OR ServiceName:"cart"' });
    const times = async () => eventRows(page).locator('td:first-child').allTextContents();
    const newest = await times();
    expect(newest).toEqual(newest.toSorted().reverse());
    await menu('Time', 'Sort ascending');
    await expect.poll(async () => (await times())[0]).not.toBe(newest[0]);
    await expect.poll(async () => (await times()).join()).toBe((await times()).toSorted().join());
    await page.goBack();
    await expect.poll(async () => (await times())[0]).toBe(newest[0]);
    const heightOf = async () => (await eventRows(page).first().boundingBox())?.height ?? 0;
    await open({ wrap: '1', select: 'Body, ResourceAttributes, ResourceAttributes AS again' });
    await expect.poll(heightOf).toBeGreaterThan(40);
    await axe();
  });

  it('an open event is a link; J and K go to its neighbours; Back closes it', async () => {
    await open();
    await eventRows(page).nth(3).click();
    await drawer()
      .getByText(/^4 of /)
      .waitFor();
    const fourth = param('event');
    await page.keyboard.press('j');
    await drawer()
      .getByText(/^5 of /)
      .waitFor();
    await page.keyboard.press('k');
    await page.keyboard.press('k');
    await drawer()
      .getByText(/^3 of /)
      .waitFor();
    await drawer().getByRole('button', { name: 'Next event' }).click();
    await expect.poll(() => param('event')).toBe(fourth);
    const link = page.url();
    await page.goBack();
    await drawer().waitFor({ state: 'detached' });
    await page.goto(link.replace(/where=[^&]*/, 'where=ServiceName%3A%22cart%22'));
    await drawer()
      .getByRole('row', { name: /^ServiceName payment/ })
      .waitFor();
    await page.goto(link.replace(/event=[^&]*/, 'event=2020-01-01T00%3A00%3A00.000000000Z.abc'));
    await drawer().getByText('This event no longer exists').waitFor();
  });

  it('the events around one: by service, host or all, with the origin in sight, and back to the search', async () => {
    await open();
    await eventRows(page).nth(3).click();
    const text = (await drawer().locator('pre').textContent()) ?? '';
    await drawer().getByRole('button', { name: 'Surrounding events' }).click();
    const around = page.getByRole('region', { name: 'Surrounding events' });
    const origin = around.getByRole('row', { selected: true });
    const count = async () => {
      const text = (await around.getByRole('status').textContent()) ?? '';
      return Number(/^[\d,]+/.exec(text)?.[0].replaceAll(',', ''));
    };
    await origin.getByText('Origin:').waitFor();
    expect(await origin.textContent()).toContain(text);
    await expect.poll(count).toBeGreaterThan(0);
    await axe();
    const choose = async (group: string, name: string) =>
      around.getByRole('radiogroup', { name: group }).getByText(name, { exact: true }).click();
    const ofService = await count();
    await choose('Events of the same', 'Host');
    await expect.poll(count).toBe(ofService);
    await choose('Events of the same', 'All');
    await expect.poll(count).toBeGreaterThan(ofService);
    const ofAll = await count();
    await choose('Before and after', '5 min');
    await expect.poll(count).toBeGreaterThan(ofAll);
    await expect.poll(() => origin.isVisible()).toBe(true);
    expect(await around.getByRole('radio', { name: 'Pod' }).isDisabled()).toBe(true);
    await around.getByRole('button', { name: 'Back to the search' }).click();
    await page.getByRole('region', { name: 'Events found' }).waitFor();
    expect([param('where'), param('around'), param('scope')]).toEqual(['ServiceName:"payment"', null, null]);
  });

  it('a pasted trace id goes to the trace', async () => {
    await open();
    await eventRows(page).first().click();
    const cell = drawer()
      .getByRole('row', { name: /^TraceId / })
      .getByRole('cell')
      .first();
    const traceId = (await cell.textContent())?.trim() ?? '';
    await page.keyboard.press('Escape');
    await drawer().waitFor({ state: 'detached' });
    const filter = page.getByRole('textbox', { name: 'Filter' });
    await filter.fill(traceId.toUpperCase());
    await page.getByRole('button', { name: 'Open trace' }).waitFor();
    await filter.press('Enter');
    await page.waitForURL(`**/traces/${traceId}*`);
    await page.getByRole('tree', { name: 'Spans' }).waitFor();
  });

  it('a live list holds still while it is read, and counts what waits', async () => {
    await open({ where: '', from: 'now-15m', to: 'now', refresh: 'live' });
    const top = () => eventRows(page).first().textContent();
    const shown = await top();
    await expect.poll(top, { timeout: 60_000 }).not.toBe(shown);
    await eventRows(page).first().click();
    await drawer().waitFor();
    const held = await top();
    const waiting = page.getByRole('button', { name: /^[\d,]+ new events?$/, includeHidden: true });
    await waiting.waitFor({ state: 'attached', timeout: 60_000 });
    expect(await top()).toBe(held);
    await page.keyboard.press('Escape');
    await expect.poll(top).not.toBe(held);
    await page.getByRole('grid', { name: 'Events' }).hover();
    await page.mouse.wheel(0, 600);
    await waiting.waitFor({ timeout: 60_000 });
    await axe();
    await waiting.click();
    await expect.poll(() => eventRows(page).first().getAttribute('aria-rowindex')).toBe('2');
    await waiting.waitFor({ state: 'detached' });
  });

  it('100,000 of 100,500 events are exported as a file', async () => {
    const startMs = demo.settledUntilMs - 6 * 3_600_000;
    await sendLogs(demo, { service: 'exported', count: 100_500, startMs });
    await open({
      where: 'ServiceName:"exported"',
      from: `${startMs}`,
      to: `${startMs + 600_000}`,
      select: 'Timestamp, Body',
    });
    await page.getByRole('status').getByText('100,500 events, newest 200 shown').waitFor();
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page.getByText('Exports the newest 100,000 of 100,500 events.').waitFor();
    await axe();
    // The notification does not stay; reading a hundred thousand rows may take longer.
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByText(/^Saved as logs-/).waitFor(),
      page.getByRole('dialog').getByRole('button', { name: 'Export', exact: true }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^logs-.*\.csv$/);
    const file = join(folder, 'export.csv');
    await download.saveAs(file);
    const [head, ...rows] = readCsv(readFileSync(file, 'utf8'));
    expect(head).toEqual(['Timestamp', 'Body']);
    expect(rows.map(([, body]) => body)).toEqual(Array.from({ length: 100_000 }, (_, at) => `row ${100_499 - at}`));
  });
});

interface Logs {
  service: string;
  count: number;
  startMs: number;
}

/** Logs at intervals of a millisecond, whose texts are their numbers. */
async function sendLogs({ otlp, ingestionKey }: SharedDemo, { service, count, startMs }: Logs): Promise<void> {
  const perRequest = 10_050;
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: service } }] };
  for (let first = 0; first < count; first += perRequest) {
    const logRecords = Array.from({ length: Math.min(perRequest, count - first) }, (_, index) => ({
      timeUnixNano: `${startMs + first + index}000000`,
      body: { stringValue: `row ${first + index}` },
    }));
    const answer = await fetch(`${otlp}/v1/logs`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ingestionKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ resourceLogs: [{ resource, scopeLogs: [{ logRecords }] }] }),
    });
    expect(answer.status).toBe(200);
  }
}
