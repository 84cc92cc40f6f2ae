import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { accessibilityViolations, describeInBrowser, logIn, visit } from '../support/browser.ts';
import { type SharedDemo, sharedDemo } from '../support/run-demo.ts';

interface Board {
  id: string;
  tiles: { name: string; containerId?: string; tabId?: string }[];
  containers?: { id: string; title: string; tabs?: { id: string; title: string }[] }[];
}

describeInBrowser('sections of a dashboard, and links of its tables', () => {
  let demo: SharedDemo;
  let range: string;

  beforeAll(async () => {
    demo = await sharedDemo();
    range = `from=${demo.settledUntilMs - 1_800_000}&to=${demo.settledUntilMs}`;
  });

  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const headers = { authorization: `Bearer ${demo.key}`, 'content-type': 'application/json' };
    const answer = await fetch(demo.api + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    return ((await answer.json()) as { data: T }).data;
  }

  const text = (name: string, patch: object = {}) => ({
    ...{ name, x: 0, y: 0, w: 8, h: 4, ...patch },
    config: { displayType: 'markdown', markdown: `Text of ${name}` },
  });
  const tileOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
  const sectionOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

  /** Names of the tiles in every request for tiles. */
  function recordQuestions(page: Page): string[][] {
    const asked: string[][] = [];
    page.on('request', (request) => {
      if (!request.url().endsWith('/charts/tiles')) return;
      const { tiles } = request.postDataJSON() as { tiles: { tile: { config: { markdown: string } } }[] };
      asked.push(tiles.map(({ tile }) => tile.config.markdown.replace('Text of ', '')));
    });
    return asked;
  }

  it('open and collapse, show one tab by keyboard, and ask for nothing that is not shown', async () => {
    const tabs = [
      { id: 'slow', title: 'Slow' },
      { id: 'failed', title: 'Failed' },
    ];
    const made = await call<Board>('POST', '/dashboards', {
      name: 'In sections',
      containers: [
        { id: 'calls', title: 'Calls', collapsed: false, tabs },
        { id: 'hosts', title: 'Hosts', collapsed: true, bordered: true },
      ],
      tiles: [
        text('Summary'),
        text('Slow calls', { containerId: 'calls' }),
        text('Failed calls', { containerId: 'calls', tabId: 'failed' }),
        text('Processors', { containerId: 'hosts' }),
      ],
    });
    const { page, newTab } = await visit(demo.web);
    await logIn(page, demo);
    const asked = recordQuestions(page);
    await page.goto(`/dashboards/${made.id}?${range}`);
    await tileOf(page, 'Slow calls').getByText('Text of Slow calls').waitFor();
    await tileOf(page, 'Summary').getByText('Text of Summary').waitFor();
    expect(asked.toSorted()).toEqual([['Slow calls'], ['Summary']]);
    expect(await accessibilityViolations(page)).toEqual([]);

    await page.getByRole('tab', { name: 'Slow' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('tab', { name: 'Failed', selected: true }).waitFor();
    await page.getByRole('tabpanel', { name: 'Failed' }).getByText('Text of Failed calls').waitFor();
    expect(await tileOf(page, 'Slow calls').count()).toBe(0);

    const toggle = page.getByRole('button', { name: 'Hosts', exact: true });
    await sectionOf(page, 'Hosts').getByText('1 tile').waitFor();
    expect(await toggle.getAttribute('aria-expanded')).toBe('false');
    await toggle.press('Enter');
    await tileOf(page, 'Processors').getByText('Text of Processors').waitFor();
    expect(asked.slice(2)).toEqual([['Failed calls'], ['Processors']]);
    expect(await accessibilityViolations(page)).toEqual([]);
    const colleague = await newTab();
    await colleague.goto(page.url());
    await tileOf(colleague, 'Failed calls').waitFor();
    await tileOf(colleague, 'Processors').waitFor();
  });

  it('are made, filled, reordered and deleted on the page, and saved with the dashboard', async () => {
    const made = await call<Board>('POST', '/dashboards', {
      name: 'To be ordered',
      tiles: [text('First'), text('Second', { x: 8 })],
    });
    const { page } = await visit(demo.web);
    await logIn(page, demo);
    await page.goto(`/dashboards/${made.id}?${range}`);
    await tileOf(page, 'First').waitFor();
    await addSection(page, 'Overview');
    await addSection(page, 'Details', ['Today', 'Past']);
    await moveTile(page, 'First', 'Overview');
    await moveTile(page, 'Second', 'Details › Past');
    await menuOf(page, 'Actions for section Details', 'Move up');
    await save(page);
    const stored = await call<Board>('GET', `/dashboards/${made.id}`);
    const [details, overview] = stored.containers ?? [];
    expect([details?.title, overview?.title]).toEqual(['Details', 'Overview']);
    expect(stored.tiles.map(({ name, containerId, tabId }) => [name, containerId, tabId])).toEqual([
      ['First', overview?.id, undefined],
      ['Second', details?.id, details?.tabs?.[1]?.id],
    ]);
    await page.getByRole('tab', { name: 'Past' }).click();
    await tileOf(page, 'Second').waitFor();
    await menuOf(page, 'Actions for section Overview', 'Delete, keep its tiles');
    await menuOf(page, 'Actions for section Details', 'Delete, keep its tiles');
    await save(page);
    const free = await call<Board>('GET', `/dashboards/${made.id}`);
    expect(free.containers).toEqual([]);
    expect(free.tiles.map(({ name, containerId, tabId }) => [name, containerId, tabId])).toEqual([
      ['First', undefined, undefined],
      ['Second', undefined, undefined],
    ]);
  });

  it('the rows of a table lead to searches, dashboards and addresses, as its form says', async () => {
    const sources = await call<{ id: string; kind: string }[]>('GET', '/sources');
    const sourceId = sources.find(({ kind }) => kind === 'log')?.id ?? '';
    const filter = { type: 'QUERY_EXPRESSION', name: 'Service', expression: 'ServiceName', sourceId };
    const config = { displayType: 'table', sourceId, select: [{ aggFn: 'count' }], groupBy: 'ServiceName' };
    const target = await call<{ id: string; filters: { id: string }[] }>('POST', '/dashboards', {
      ...{ name: 'Of one service', filters: [filter] },
      tiles: [{ name: 'Lines', config: { ...config, groupBy: 'SeverityText' } }],
    });
    const made = await call<Board>('POST', '/dashboards', {
      ...{ name: 'Services', filters: [] },
      tiles: [
        { name: 'By service', x: 0, y: 0, w: 12, h: 8, config },
        {
          ...{ name: 'Runbooks', x: 12, y: 0, w: 12, h: 8 },
          config: { ...config, onClick: { type: 'external', urlTemplate: 'https://wiki.example/{{ServiceName}}' } },
        },
      ],
    });
    const { page } = await visit(demo.web);
    await logIn(page, demo);
    await page.goto(`/dashboards/${made.id}?${range}`);
    const runbook = tileOf(page, 'Runbooks').getByRole('link', { name: 'payment (opens in a new tab)' });
    await runbook.waitFor();
    const attributes = ['href', 'target', 'rel'].map((name) => runbook.getAttribute(name));
    expect(await Promise.all(attributes)).toEqual(['https://wiki.example/payment', '_blank', 'noopener noreferrer']);

    await editLink(page, 'Search', 'Logs');
    await page.getByRole('textbox', { name: 'Condition' }).fill('ServiceName:"{{ServiceName}}"');
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Apply' }).click();
    await save(page);
    await tileOf(page, 'By service').getByRole('link', { name: 'payment' }).first().click();
    await page.waitForURL(/\/search/);
    const search = new URL(page.url()).searchParams;
    expect(['source', 'where', 'lang', 'from'].map((name) => search.get(name))).toEqual([
      sourceId,
      'ServiceName:"payment"',
      'lucene',
      range.split(/[=&]/)[1],
    ]);

    await page.goto(`/dashboards/${made.id}?${range}`);
    await editLink(page, 'Dashboard', 'Of one service');
    await addValue(page, 1, 'ServiceName');
    await page.getByRole('button', { name: 'Apply' }).click();
    await tileOf(page, 'By service').getByRole('link', { name: 'payment' }).first().waitFor();
    await save(page);
    await tileOf(page, 'By service').getByRole('link', { name: 'payment' }).first().click();
    await page.getByRole('heading', { name: 'Of one service' }).waitFor();
    expect(new URL(page.url()).searchParams.get(`filter-${target.filters[0]?.id}`)).toBe('payment');
    await tileOf(page, 'Lines').getByRole('table').waitFor();

    const narrowed = new URL(page.url());
    narrowed.searchParams.set('where', 'SeverityText:"none of these"');
    await page.goto(narrowed.href);
    const bar = page.getByRole('region', { name: 'Filter of the link' });
    await bar.getByText('SeverityText:"none of these"').waitFor();
    await tileOf(page, 'Lines').getByText('No data').first().waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await bar.getByRole('button', { name: 'Remove' }).click();
    await tileOf(page, 'Lines').getByRole('table').waitFor();
    expect(new URL(page.url()).searchParams.has('where')).toBe(false);
  });

  it('the form of a tile has the options of its display', async () => {
    const [source] = await call<{ id: string }[]>('GET', '/sources');
    const common = { sourceId: source?.id, select: [{ aggFn: 'count' }] };
    const made = await call<{ id: string }>('POST', '/dashboards', {
      name: 'Options',
      tiles: [
        { name: 'Number', x: 0, y: 0, w: 8, h: 5, config: { displayType: 'number', ...common } },
        { name: 'Bars', x: 8, y: 0, w: 8, h: 5, config: { displayType: 'bar', groupBy: 'ServiceName', ...common } },
      ],
    });
    const { page } = await visit(demo.web);
    await logIn(page, demo);
    await page.goto(`/dashboards/${made.id}?${range}`);
    await menuOf(page, 'Actions for Number', 'Edit');
    const number = page.getByRole('dialog', { name: 'Edit “Number”' });
    await choose(page, 'Behind the number', 'Area');
    await number.getByRole('button', { name: 'Add colour rule' }).click();
    const rule = number.getByRole('group', { name: 'Colour rule 1' });
    await rule.getByRole('combobox', { name: 'If the number is' }).click();
    await page.getByRole('option', { name: 'between' }).click();
    await rule.getByRole('textbox', { name: 'Value' }).fill('1, 1000000');
    await rule.getByRole('combobox', { name: 'Colour' }).click();
    await page.getByRole('option', { name: 'Green' }).last().click();
    expect(await accessibilityViolations(page)).toEqual([]);
    await number.getByRole('button', { name: 'Apply' }).click();
    await menuOf(page, 'Actions for Bars', 'Edit');
    const bars = page.getByRole('dialog', { name: 'Edit “Bars”' });
    await bars.getByRole('textbox', { name: 'Order by' }).fill('ServiceName');
    await bars.getByRole('textbox', { name: 'Rows at most' }).fill('2');
    await bars.getByRole('button', { name: 'Apply' }).click();
    await save(page);
    const { tiles } = await call<{ tiles: { config: object }[] }>('GET', `/dashboards/${made.id}`);
    const [first, second] = tiles.map(({ config }) => config);
    expect(first).toMatchObject({
      backgroundChart: { type: 'area' },
      colorRules: [{ operator: 'between', value: [1, 1_000_000], color: 'chart-green' }],
    });
    expect(second).toMatchObject({ orderBy: 'ServiceName', limit: 2, groupBy: 'ServiceName' });
  });

  async function editLink(page: Page, kind: string, target: string): Promise<void> {
    await tileOf(page, 'By service').getByRole('table').waitFor();
    await menuOf(page, 'Actions for By service', 'Edit');
    const dialog = page.getByRole('dialog', { name: 'Edit “By service”' });
    await choose(page, 'The rows lead to', kind);
    await choose(page, kind === 'Search' ? 'Source' : 'Dashboard', target);
    await dialog.getByRole('textbox', { name: 'Condition' }).fill('');
  }

  /** The last field of that name: the tile has a source as well. */
  async function choose(page: Page, field: string, option: string): Promise<void> {
    await page.getByRole('combobox', { name: field, exact: true }).last().click();
    await page.getByRole('option', { name: option, exact: true }).last().click();
  }

  async function addValue(page: Page, place: number, column: string): Promise<void> {
    await page.getByRole('button', { name: 'Add filter value' }).click();
    const group = page.getByRole('group', { name: `Filter ${place} of the link` });
    await group.getByRole('textbox', { name: 'Field or expression' }).fill(column);
    await group.getByRole('textbox', { name: 'Value' }).fill(`{{${column}}}`);
  }

  async function menuOf(page: Page, button: string, item: string): Promise<void> {
    await page.getByRole('button', { name: button, exact: true }).click();
    await page.getByRole('menuitem', { name: item }).click();
  }

  async function addSection(page: Page, title: string, tabs: string[] = []): Promise<void> {
    await menuOf(page, 'More', 'Add section');
    const dialog = page.getByRole('dialog', { name: 'New section' });
    await dialog.getByRole('textbox', { name: 'Title', exact: true }).fill(title);
    for (const [index, name] of tabs.entries()) {
      await dialog.getByRole('button', { name: 'Add tab' }).click();
      await dialog.getByRole('textbox', { name: `Title of tab ${index + 1}` }).fill(name);
    }
    expect(await accessibilityViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await sectionOf(page, title).waitFor();
  }

  async function moveTile(page: Page, name: string, section: string): Promise<void> {
    await menuOf(page, `Actions for ${name}`, 'Move to section');
    const dialog = page.getByRole('dialog', { name: `Move “${name}”` });
    await dialog.getByRole('combobox', { name: 'Section' }).click();
    await page.getByRole('option', { name: section, exact: true }).click();
    await dialog.getByRole('button', { name: 'Move' }).click();
    await dialog.waitFor({ state: 'detached' });
  }

  async function save(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Dashboard saved.').first().waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).waitFor({ state: 'detached' });
  }
});
