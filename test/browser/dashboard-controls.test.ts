import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { accessibilityViolations, boxOf, describeInBrowser, eventRows, logIn, visit } from '../support/browser.ts';
import { type SharedDemo, sharedDemo } from '../support/run-demo.ts';

interface Board {
  id: string;
  tiles: { id: string; name: string }[];
  filters?: Record<string, unknown>[];
}

describeInBrowser('controls of a dashboard', () => {
  let demo: SharedDemo;
  let sources: { id: string; kind: string }[];
  /** A stretch of the past, which no longer changes. */
  let fromMs: number;
  let toMs: number;
  let range: string;

  beforeAll(async () => {
    demo = await sharedDemo();
    sources = await call('GET', '/sources');
    fromMs = demo.settledUntilMs - 1_800_000;
    toMs = demo.settledUntilMs;
    range = `from=${fromMs}&to=${toMs}`;
  });

  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const headers = { authorization: `Bearer ${demo.key}`, 'content-type': 'application/json' };
    const answer = await fetch(demo.api + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    return ((await answer.json()) as { data: T }).data;
  }

  const sourceOf = (kind: string) => sources.find((source) => source.kind === kind)?.id ?? '';

  async function numberOfApi(kind: string, service: string): Promise<string> {
    const config = { displayType: 'number', sourceId: sourceOf(kind), select: [{ aggFn: 'count' }] };
    const [answer] = await call<{ rows: number[][] }[]>('POST', '/charts/tiles', {
      startTime: fromMs,
      endTime: toMs,
      filters: [{ type: 'sql', condition: `ServiceName = '${service}'` }],
      tiles: [{ ref: 'n', tile: { config } }],
    });
    return Number(answer?.rows[0]?.at(-1)).toLocaleString('en-US');
  }

  const numberTile = (name: string, kind: string, x: number) => ({
    ...{ name, x, y: 0, w: 8, h: 5 },
    config: { displayType: 'number', sourceId: sourceOf(kind), select: [{ aggFn: 'count' }] },
  });

  const tileOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true }).first();

  it('the information mark of a tile shows how it is read, together with the tiles beside it', async () => {
    const byService = { ...numberTile('Spans by service', 'trace', 8) };
    const made = await call<Board>('POST', '/dashboards', {
      name: 'Explained',
      tiles: [
        numberTile('Spans', 'trace', 0),
        { ...byService, config: { ...byService.config, displayType: 'table', groupBy: 'SpanName' } },
      ],
    });
    const { page } = await visit(demo.web);
    await logIn(page, demo);
    await page.goto(`${demo.web}/dashboards/${made.id}?${range}`);
    await tileOf(page, 'Spans')
      .getByRole('button', { name: /rows read in/ })
      .click();
    const dialog = page.getByRole('dialog', { name: 'How “Spans” is read' });
    const statement = dialog.getByLabel('Statement').first();
    await statement.waitFor();
    expect(await statement.textContent()).toMatch(/^SELECT[\s\S]*otel_traces[\s\S]*-- p1 = /);
    expect(await dialog.textContent()).toMatch(/Source Traces, series 1\..*rows, .*bytes, .*ms.*Why: /s);
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('a filter is made in the editor, chosen above the tiles, and kept in the address', async () => {
    const made = await call<Board>('POST', '/dashboards', {
      name: 'Filtered',
      tiles: [numberTile('Logs', 'log', 0), numberTile('Spans', 'trace', 8)],
    });
    const { page, newTab } = await visit(demo.web);
    await logIn(page, demo);
    await page.goto(`/dashboards/${made.id}?${range}`);
    await tileOf(page, 'Logs').waitFor();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Filters' }).click();
    const dialog = page.getByRole('dialog', { name: 'Filters' });
    await dialog.getByRole('button', { name: 'Add filter' }).click();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Service');
    await dialog.getByRole('textbox', { name: 'Field or expression of filter 1' }).fill('ServiceName');
    expect(await accessibilityViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('combobox', { name: 'Service' }).fill('pay');
    await page.getByRole('option', { name: /^payment/ }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Dashboard saved.').waitFor();
    const [filter] = (await call<Board>('GET', `/dashboards/${made.id}`)).filters ?? [];
    expect(filter).toEqual({
      id: expect.any(String),
      type: 'QUERY_EXPRESSION',
      name: 'Service',
      expression: 'ServiceName',
      sourceId: sources[0]?.id,
    });
    await holdNumbers(page);
    const chosen = () => new URL(page.url()).searchParams.get(`filter-${filter?.id}`);
    await expect.poll(chosen).toBe('payment');
    const colleague = await newTab();
    await colleague.goto(page.url());
    await holdNumbers(colleague);
    expect(await accessibilityViolations(colleague)).toEqual([]);
    await colleague.getByRole('button', { name: 'Clear filters' }).click();
    await expect.poll(() => new URL(colleague.url()).searchParams.has(`filter-${filter?.id}`)).toBe(false);
  });

  it('a variable is made in the editor; its value, kept in the address, is in queries, titles and texts', async () => {
    const config = { displayType: 'table', sourceId: sourceOf('log'), groupBy: 'ServiceName' };
    const select = [{ aggFn: 'count', where: '$__filter($svc)', whereLanguage: 'sql' }];
    const made = await call<Board>('POST', '/dashboards', {
      name: 'With a variable',
      tiles: [
        { name: 'Lines of $svc', x: 0, y: 0, w: 8, h: 6, config: { ...config, select } },
        { name: 'Text', x: 8, y: 0, w: 8, h: 6, config: { displayType: 'markdown', markdown: '# About $svc' } },
      ],
    });
    const { page } = await visit(demo.web);
    await logIn(page, demo);
    await page.goto(`/dashboards/${made.id}?${range}`);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Filters' }).click();
    const dialog = page.getByRole('dialog', { name: 'Filters' });
    await dialog.getByRole('button', { name: 'Add filter' }).click();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('svc');
    await dialog.getByRole('textbox', { name: 'Field or expression of filter 1' }).fill('ServiceName');
    await dialog.getByRole('checkbox', { name: 'Variable' }).check();
    await dialog.getByRole('checkbox', { name: 'Narrows tiles' }).uncheck();
    expect(await accessibilityViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await tileOf(page, 'Lines of any').waitFor();
    await page.getByRole('combobox', { name: 'svc' }).fill('pay');
    await page.getByRole('option', { name: /^payment/ }).click();
    const tile = tileOf(page, 'Lines of payment');
    await tile.getByRole('cell', { name: 'payment', exact: true }).waitFor();
    await expect.poll(() => tile.getByRole('row').count()).toBe(2);
    await page.getByRole('heading', { name: 'About payment' }).waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Dashboard saved.').waitFor();
    const [filter] = (await call<Board>('GET', `/dashboards/${made.id}`)).filters ?? [];
    expect(filter).toMatchObject({ isBroadcastEnabled: false, isVariableEnabled: true });
    await expect.poll(() => new URL(page.url()).searchParams.get(`filter-${filter?.id}`)).toBe('payment');
  });

  it('a single tile has its own URL; Escape leads back to it on the dashboard', async () => {
    const tile = {
      ...{ name: 'Log lines', x: 0, y: 0, w: 8, h: 5 },
      config: { displayType: 'line', sourceId: sourceOf('log'), select: [{ aggFn: 'count' }], groupBy: 'ServiceName' },
    };
    const made = await call<Board>('POST', '/dashboards', { name: 'Viewed', tiles: [tile, numberTile('N', 'log', 8)] });
    const { page, newTab } = await visit(demo.web);
    await logIn(page, demo);
    await page.goto(`/dashboards/${made.id}?${range}`);
    const menu = tileOf(page, 'Log lines').getByRole('button', { name: 'Actions for Log lines' });
    await menu.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'View' }).press('Enter');
    const back = page.getByRole('button', { name: 'Back to the dashboard' });
    await back.waitFor();
    await expect.poll(() => page.locator(':focus').textContent()).toBe('Back to the dashboard');
    expect(new URL(page.url()).searchParams.get('viewedTileId')).toBe(made.tiles[0]?.id);
    expect(await tileOf(page, 'N').count()).toBe(0);
    await page.getByRole('group', { name: 'Legend' }).getByRole('button', { name: 'payment', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    const command = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(command).toContain(`"startTime":${fromMs},"endTime":${toMs}`);
    expect(await accessibilityViolations(page)).toEqual([]);
    const colleague = await newTab();
    await colleague.goto(page.url());
    await colleague.getByRole('button', { name: 'Back to the dashboard' }).waitFor();
    await page.getByRole('button', { name: /^Last|–/ }).click();
    await page.getByRole('textbox', { name: 'From' }).press('Escape');
    await page.getByRole('textbox', { name: 'From' }).waitFor({ state: 'hidden' });
    await back.waitFor();
    await page.keyboard.press('Escape');
    await tileOf(page, 'N').waitFor();
    await expect.poll(() => page.locator(':focus').getAttribute('aria-label')).toBe('Actions for Log lines');
    expect(new URL(page.url()).searchParams.has('viewedTileId')).toBe(false);
    expect(new URL(page.url()).searchParams.get('from')).toBe(String(fromMs));
  });

  it('U-123: unsaved changes are not left without a question, and survive a save that fails', async () => {
    const made = await call<Board>('POST', '/dashboards', { name: 'Edited', tiles: [] });
    const { page } = await visit(demo.web, { console: ['500'] });
    await logIn(page, demo);
    await page.goto(`/dashboards/${made.id}`);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Name and tags' }).click();
    const naming = page.getByRole('dialog', { name: 'Name and tags' });
    await naming.getByRole('textbox', { name: 'Name' }).fill('Renamed');
    await naming.getByRole('button', { name: 'Apply' }).click();
    const heading = page.getByRole('heading', { level: 1, name: 'Renamed' });
    await heading.waitFor();
    const message = 'The store is out of order.';
    const address = `**/api/v2/dashboards/${made.id}`;
    await page.route(address, (route) => route.fulfill({ status: 500, json: { message } }));
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText(message).waitFor();
    await page.unroute(address);
    await page.getByRole('link', { name: 'Sources' }).click();
    const question = page.getByRole('dialog', { name: 'Discard changes to “Renamed”?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'hidden' });
    await heading.waitFor();
    expect(new URL(page.url()).pathname).toBe(`/dashboards/${made.id}`);
    await page.getByRole('link', { name: 'Sources' }).click();
    await question.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sources' }).waitFor();
    expect((await call<{ name: string }>('GET', `/dashboards/${made.id}`)).name).toBe('Edited');
  });

  it('U-97, U-96: text is shown as text, and a failure looks unlike emptiness', async () => {
    const script = '<img src=x onerror=alert(1)>';
    const countOf = (where: string) => ({
      ...{ displayType: 'table', sourceId: sourceOf('log'), groupBy: 'ServiceName' },
      select: [{ aggFn: 'count', where, whereLanguage: 'sql' }],
    });
    const made = await call<Board>('POST', '/dashboards', {
      ...{ name: script, tags: ['<b>tag</b>'] },
      tiles: [
        { name: 'Broken', x: 0, y: 0, w: 8, h: 5, config: countOf('Nothing(x) = 1') },
        { name: 'Empty', x: 8, y: 0, w: 8, h: 5, config: countOf("ServiceName = 'none'") },
        {
          ...{ name: 'Empty line', x: 0, y: 5, w: 8, h: 5 },
          config: {
            ...{ displayType: 'line', sourceId: sourceOf('trace') },
            select: [{ aggFn: 'avg', valueExpression: 'Duration', where: 'ServiceName:none' }],
          },
        },
        { name: 'Note', x: 16, y: 0, w: 8, h: 5, config: { displayType: 'markdown', markdown: `hello ${script}` } },
      ],
    });
    const { page } = await visit(demo.web);
    page.on('dialog', (dialog) => expect.unreachable(`a dialog: ${dialog.message()}`));
    await logIn(page, demo);
    await page.goto('/dashboards');
    await page.getByRole('link', { name: script }).waitFor();
    await page.goto(`/dashboards/${made.id}?${range}`);
    await page.getByRole('heading', { level: 1, name: script }).waitFor();
    await tileOf(page, 'Broken').getByRole('alert').getByText('Nothing').waitFor();
    await tileOf(page, 'Broken').getByText('Filter of series A').waitFor();
    expect(await tileOf(page, 'Broken').textContent()).not.toContain('config');
    await tileOf(page, 'Empty').getByText('No data in this range').waitFor();
    await tileOf(page, 'Empty line').getByText('No data in this range').waitFor();
    expect(await tileOf(page, 'Empty').getByRole('alert').count()).toBe(0);
    await tileOf(page, 'Note').getByText(script).waitFor();
    expect(await page.locator('img').count()).toBe(0);
  });

  it('rows, slices, bars, legend entries and points lead to their events, which are as many as their value says', async () => {
    const select = [{ aggFn: 'count', where: 'SeverityText:error' }];
    const tile = (displayType: string, x: number) => ({
      ...(displayType === 'stacked_bar' ? { x: 0, y: 6, w: 24, h: 6 } : { x, y: 0, w: 8, h: 6 }),
      name: displayType,
      config: { displayType, sourceId: sourceOf('log'), select, groupBy: 'ServiceName' },
    });
    const made = await call<Board>('POST', '/dashboards', {
      name: 'Leads on',
      tiles: ['table', 'pie', 'bar', 'stacked_bar'].map((kind, at) => tile(kind, at * 8)),
    });
    const [answer] = await call<{ granularityMs: number; series: { points: [number, number][] }[] }[]>(
      ...(['POST', '/charts/tiles'] as const),
      { startTime: fromMs, endTime: toMs, tiles: [{ ref: 'x', tile: { ...tile('stacked_bar', 0) } }] },
    );
    const points = answer?.series[0]?.points ?? [];
    const total = points.reduce((sum, [, value]) => sum + value, 0);
    expect(total).toBeGreaterThan(3);
    const { page } = await visit(demo.web);
    await logIn(page, demo);
    const events = page.getByRole('region', { name: 'Events found' }).getByRole('status');
    const holdEvents = async (count: number, what: string) => {
      await page.getByRole('menuitem', { name: 'Show events' }).click();
      await expect.poll(() => events.textContent(), { message: what }).toBe(`${count} events`);
      expect(new URL(page.url()).searchParams.get('where')).toBe('(SeverityText:error) ServiceName:"payment"');
    };
    for (const name of ['table', 'pie', 'bar', 'stacked_bar']) {
      await page.goto(`/dashboards/${made.id}?${range}`);
      if (name === 'stacked_bar') await tileOf(page, name).getByRole('button', { name: 'Values', exact: true }).click();
      await tileOf(page, name).getByRole('button', { name: 'Actions for payment' }).click();
      if (name === 'table') expect(await accessibilityViolations(page)).toEqual([]);
      await holdEvents(total, name);
    }
    const [startMs = 0, largest = 0] = points.toSorted((a, b) => b[1] - a[1])[0] ?? [];
    await page.goto(`/dashboards/${made.id}?${range}`);
    await tileOf(page, 'stacked_bar').getByRole('button', { name: 'payment', exact: true }).waitFor();
    const plot = await boxOf(tileOf(page, 'stacked_bar').locator('.u-over'));
    const share = (startMs + 0.8 * (answer?.granularityMs ?? 0) - fromMs) / (toMs - fromMs);
    await page.mouse.click(plot.x + share * plot.width, plot.y + plot.height - 3);
    await holdEvents(largest, 'a point');
    await eventRows(page).first().click();
    await page.getByRole('dialog').getByRole('link', { name: 'View trace' }).click();
    await page.getByRole('tree', { name: 'Spans' }).waitFor();
  });

  it('the time range accompanies a person from page to page', async () => {
    const made = await call<Board>('POST', '/dashboards', { name: 'Range', tiles: [numberTile('N', 'log', 0)] });
    const { page } = await visit(demo.web);
    await logIn(page, demo);
    await page.goto(`/dashboards/${made.id}?${range}`);
    const rangeOf = () => {
      const { searchParams } = new URL(page.url());
      return `from=${searchParams.get('from')}&to=${searchParams.get('to')}`;
    };
    for (const section of ['Alerts', 'Search', 'Dashboards']) {
      // The alerts of the demo may fire: then the link says how many.
      await page.getByRole('link', { name: new RegExp(`^${section}( \\d+ firing)?$`) }).click();
      await page.getByRole('heading', { level: 1, name: section }).waitFor();
      expect(rangeOf(), section).toBe(range);
    }
  });

  it('a range that can’t be read is not silently replaced, in the address or in the form', async () => {
    const made = await call<Board>('POST', '/dashboards', { name: 'Range', tiles: [] });
    const { page } = await visit(demo.web);
    await logIn(page, demo);
    await page.goto(`/dashboards/${made.id}?from=yesterday&to=now`);
    const notice = page.getByText('The time range in the address can’t be read.');
    await notice.waitFor();
    await page.getByRole('button', { name: /^Last 1 hour/ }).click();
    await page.getByRole('textbox', { name: 'From' }).fill('last week');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('“last week” can’t be read as a time.').waitFor();
    await page.getByRole('textbox', { name: 'From' }).fill('now-2h');
    await page.getByRole('button', { name: 'Apply' }).click();
    await notice.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Last 2 hours' }).waitFor();
  });

  it('numbers have the unit that is known of them: durations of spans, metrics in milliseconds; so have the alerts on them', async () => {
    const number = (name: string, x: number, config: object) => ({
      ...{ name, x, y: 0, w: 8, h: 5 },
      config: { displayType: 'number', ...config },
    });
    const select = [{ aggFn: 'quantile', level: 0.95, valueExpression: 'Duration' }];
    const made = await call<Board>('POST', '/dashboards', {
      name: 'Units',
      tiles: [
        number('Spans', 0, { sourceId: sourceOf('trace'), select }),
        number('Requests', 8, {
          sourceId: sourceOf('metric'),
          select: [{ aggFn: 'avg', metricName: 'http.server.duration', metricType: 'histogram' }],
        }),
      ],
    });
    const { page } = await visit(demo.web);
    await logIn(page, demo);
    await page.goto(`/dashboards/${made.id}?${range}`);
    for (const name of ['Spans', 'Requests']) {
      await tileOf(page, name)
        .getByText(/^[\d.,]+ (ms|s)$/)
        .waitFor();
    }
    const [{ channels } = { channels: [] }] = await call<{ channels: object[] }[]>('GET', '/alerts');
    const rule = { dashboardId: made.id, channels, thresholdType: 'above', interval: '1d', enabled: false };
    await call('POST', '/alerts', { ...rule, name: 'Slow spans', tileId: made.tiles[0]?.id, threshold: 2e9 });
    await call('POST', '/alerts', { ...rule, name: 'Slow requests', tileId: made.tiles[1]?.id, threshold: 1500 });
    await page.goto('/alerts?text=Slow');
    await page
      .getByRole('row', { name: /Slow spans/ })
      .getByText('≥ 2 s', { exact: true })
      .waitFor();
    await page
      .getByRole('row', { name: /Slow requests/ })
      .getByText('≥ 1.5 s', { exact: true })
      .waitFor();
  });

  it('U-124: the range in the URL is the one requested, also after a reload', async () => {
    const made = await call<Board>('POST', '/dashboards', { name: 'Hour', tiles: [numberTile('N', 'log', 0)] });
    const { page } = await visit(demo.web);
    await logIn(page, demo);
    const asked: unknown[] = [];
    page.on('request', (request) => {
      if (!request.url().endsWith('/charts/tiles')) return;
      const { startTime, endTime } = request.postDataJSON() as { startTime: number; endTime: number };
      asked.push([startTime, endTime]);
    });
    await page.goto(`/dashboards/${made.id}?from=1736935200000&to=1736938800000`);
    await expect.poll(() => asked).toEqual([[1736935200000, 1736938800000]]);
    await page.reload();
    await expect.poll(() => asked).toEqual(Array(2).fill([1736935200000, 1736938800000]));
  });

  async function holdNumbers(page: Page): Promise<void> {
    for (const [name, kind] of [
      ['Logs', 'log'],
      ['Spans', 'trace'],
    ] as const) {
      const value = await numberOfApi(kind, 'payment');
      expect(value).not.toBe('0');
      await tileOf(page, name).getByText(value, { exact: true }).waitFor();
    }
  }
});
