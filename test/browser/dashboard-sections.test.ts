import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { accessibilityViolations, describeInBrowser, logIn, visit } from '../support/browser.ts';
import { type SharedDemo, sharedDemo } from '../support/run-demo.ts';

interface Board {
  id: string;
  tiles: { name: string; containerId?: string; tabId?: string }[];
  containers?: { id: string; title: string; tabs?: { id: string; title: string }[] }[];
}

describeInBrowser('sections of a dashboard', () => {
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
    expect(await page.getByRole('tab', { name: 'Failed' }).getAttribute('aria-selected')).toBe('true');
    await page.getByRole('tabpanel', { name: 'Failed' }).getByText('Text of Failed calls').waitFor();
    expect(await tileOf(page, 'Slow calls').count()).toBe(0);

    const toggle = page.getByRole('button', { name: 'Hosts', exact: true });
    expect(await toggle.getAttribute('aria-expanded')).toBe('false');
    await sectionOf(page, 'Hosts').getByText('1 tile').waitFor();
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
