import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { accessibilityViolations, boxOf, describeInBrowser, logIn, visit } from '../support/browser.ts';
import { type SharedDemo, sharedDemo } from '../support/run-demo.ts';

describeInBrowser('the next questions', () => {
  let demo: SharedDemo;
  let traces: string;
  let logs: string;
  let board: string;
  /** 20 minutes of the past, which no longer change. */
  let fromMs: number;
  let toMs: number;

  beforeAll(async () => {
    demo = await sharedDemo();
    fromMs = demo.settledUntilMs - 1_200_000;
    toMs = demo.settledUntilMs;
    const sources = await call<{ id: string; kind: string }[]>('GET', '/sources');
    traces = sources.find(({ kind }) => kind === 'trace')?.id ?? '';
    logs = sources.find(({ kind }) => kind === 'log')?.id ?? '';
    const select = [{ valueExpression: 'Duration' }];
    const made = await call<{ id: string }>('POST', '/dashboards', {
      name: 'Questions',
      tiles: [
        { name: 'Durations', w: 24, config: { displayType: 'heatmap', sourceId: traces, select } },
        { name: 'What logs say', w: 24, config: { displayType: 'event_patterns', sourceId: logs } },
      ],
    });
    board = made.id;
  });

  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const headers = { authorization: `Bearer ${demo.key}`, 'content-type': 'application/json' };
    const answer = await fetch(demo.api + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    return ((await answer.json()) as { data: T }).data;
  }

  const numberIn = async (page: Page, region: string): Promise<number> => {
    const text = await page.getByRole('region', { name: region }).getByRole('status').textContent();
    return Number(/[\d,]+/.exec(text ?? '')?.[0].replaceAll(',', '') ?? Number.NaN);
  };

  it('a part of a heatmap is compared with the rest, and leads to its events', async () => {
    const { page } = await visit(demo.web);
    await logIn(page, demo);
    await page.goto(`/dashboards/${board}?from=${fromMs}&to=${toMs}`);
    const plot = page.getByRole('application', { name: /^Durations/ });
    await plot.waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    const box = await boxOf(plot);
    // The slowest half, at any time.
    await page.mouse.move(box.x + 2, box.y + 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width - 2, box.y + box.height / 2, { steps: 6 });
    await page.mouse.up();
    await page.getByRole('menuitem', { name: 'Compare with the rest' }).click();
    await page.waitForURL('**/search?*view=differences*');
    const selected = await numberIn(page, 'Differences');
    expect(selected).toBeGreaterThan(0);
    const cards = page.getByRole('region', { name: 'Differences' }).getByRole('article');
    await cards.first().waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Show the selected events' }).click();
    await page.getByRole('grid', { name: 'Events' }).waitFor();
    const where = new URL(page.url()).searchParams.get('where');
    expect(where).toMatch(/^Duration:\[/);
    // Nothing but the selection: the API counts as many.
    const count = { displayType: 'number', sourceId: traces, select: [{ aggFn: 'count' }] };
    const { searchParams } = new URL(page.url());
    const [answer] = await call<{ rows: number[][] }[]>('POST', '/charts/tiles', {
      startTime: Number(searchParams.get('from')),
      endTime: Number(searchParams.get('to')),
      where,
      tiles: [{ ref: 'n', tile: { config: count } }],
    });
    expect(answer?.rows[0]?.[0]).toBe(selected);
    await page.goBack();
    await cards
      .first()
      .getByRole('button', { name: /^Show events with/ })
      .first()
      .click();
    await page.getByRole('grid', { name: 'Events' }).waitFor();
  });

  it('the cells of a heatmap are read with the arrow keys', async () => {
    const { page } = await visit(demo.web);
    await logIn(page, demo);
    await page.goto(`/dashboards/${board}?from=${fromMs}&to=${toMs}`);
    const plot = page.getByRole('application', { name: /^Durations/ });
    await plot.focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => plot.getByRole('status').textContent()).toMatch(/ to .*, .* to .*, [\d.,kM]+ events?$/);
  });

  it('several cells are taken in and compared with the keyboard alone', async () => {
    const { page } = await visit(demo.web);
    await logIn(page, demo);
    await page.goto(`/dashboards/${board}?from=${fromMs}&to=${toMs}`);
    const plot = page.getByRole('application', { name: /^Durations/ });
    await plot.focus();
    await page.keyboard.press('ArrowRight');
    const spoken = () => plot.getByRole('status').textContent();
    await expect.poll(spoken).toMatch(/events?$/);
    const one = await spoken();
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Shift+ArrowUp');
    await expect.poll(spoken).not.toBe(one);
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Compare with the rest' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/search?*view=differences*');
    expect(await numberIn(page, 'Differences')).toBeGreaterThan(0);
  });

  it('the patterns of logs are a tile and a tab of the search', async () => {
    const { page } = await visit(demo.web);
    await logIn(page, demo);
    await page.goto(`/dashboards/${board}?from=${fromMs}&to=${toMs}`);
    const tile = page.getByRole('region', { name: 'What logs say', exact: true }).first();
    await tile.getByRole('columnheader', { name: 'Pattern' }).waitFor();
    await tile
      .getByRole('button', { name: /^Actions for/ })
      .nth(1)
      .click();
    await page.getByRole('menuitem', { name: 'Patterns in the search' }).click();
    const list = page.getByRole('region', { name: 'List of patterns' });
    await list.getByRole('row').nth(1).waitFor();
    expect(new URL(page.url()).searchParams.get('view')).toBe('patterns');
    expect(await accessibilityViolations(page)).toEqual([]);
    const first = list
      .getByRole('row')
      .filter({ has: page.getByRole('button', { name: /^Show events with/ }) })
      .first();
    const found = Number((await first.getByRole('cell').first().textContent())?.replaceAll(',', ''));
    await first.getByRole('button').click();
    await page.getByRole('grid', { name: 'Events' }).waitFor();
    const where = new URL(page.url()).searchParams.get('where');
    expect(where).toMatch(/^Body:\/\^/);
    const count = { displayType: 'number', sourceId: logs, select: [{ aggFn: 'count' }] };
    const [answer] = await call<{ rows: number[][] }[]>('POST', '/charts/tiles', {
      ...{ startTime: fromMs, endTime: toMs, where, tiles: [{ ref: 'n', tile: { config: count } }] },
    });
    const read = await call<unknown[]>('POST', '/search/patterns', {
      ...{ sourceId: logs, startTime: fromMs, endTime: toMs, where },
    });
    expect(read).toHaveLength(1);
    // Of a sample of the events only parts were read.
    expect(answer?.rows[0]?.[0]).toBeGreaterThanOrEqual(found);
    await page.goBack();
    await page.getByRole('tab', { name: 'Differences' }).click();
    await page.getByText('Nothing is selected').waitFor();
  });
});
