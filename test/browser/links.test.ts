import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInBrowser, logIn, visit } from '../support/browser.ts';
import { acme, type RunningProgram, startProgram } from '../support/start-program.ts';

const [ada] = acme.teams[0]?.users ?? [];

describeInBrowser('links say in the address what the next page begins with', () => {
  let program: RunningProgram;
  let sourceId: string;

  beforeAll(async () => {
    program = await startProgram();
    const sources = await call<{ id: string; kind: string }[]>('GET', '/sources');
    sourceId = sources.find(({ kind }) => kind === 'log')?.id ?? '';
  });

  afterAll(() => program?.stop());

  const call = <T>(method: string, path: string, body?: unknown) =>
    program.call(method, `/api/v2${path}`, body).then(({ status, json }) => {
      expect(status, JSON.stringify(json)).toBe(200);
      return (json as { data: T }).data;
    });

  async function openPage(path: string): Promise<Page> {
    const { page } = await visit(program.addresses.web);
    await logIn(page, { email: ada?.email ?? '', password: ada?.password ?? '' });
    await page.goto(path);
    return page;
  }

  async function holdAddress(page: Page, address: string, title: string): Promise<void> {
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    const { pathname, search } = new URL(page.url());
    expect(pathname + search).toBe(address);
    await expect.poll(() => page.getByRole('menu').count()).toBe(0);
  }

  it('a new source of a kind, and a copy of one', async () => {
    const page = await openPage('/sources');
    await page.getByRole('button', { name: 'New source' }).click();
    await page.getByRole('menuitem', { name: 'Traces' }).click();
    await holdAddress(page, '/sources/new?kind=trace', 'New traces source');
    await page.goto(`/sources/${sourceId}`);
    await page.getByRole('link', { name: 'Duplicate' }).click();
    await holdAddress(page, `/sources/new?copy=${sourceId}`, 'New logs source');
    await expect.poll(() => page.getByLabel('Name', { exact: false }).first().inputValue()).toMatch(/ copy$/);
  });

  it('an alert on a tile', async () => {
    const series = [{ sourceId, aggFn: 'count', where: '', groupBy: [] }];
    const tile = { name: 'Events', x: 0, y: 0, w: 6, h: 4, series };
    const board = await call<{ id: string; tiles: { id: string }[] }>('POST', '/dashboards', {
      name: 'Board',
      tiles: [tile],
    });
    const page = await openPage(`/dashboards/${board.id}`);
    await page.getByRole('button', { name: 'Actions for Events' }).click();
    await page.getByRole('menuitem', { name: 'Alert' }).click();
    await holdAddress(page, `/alerts/new?dashboardId=${board.id}&tileId=${board.tiles[0]?.id}`, 'New alert');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await holdAddress(page, '/alerts', 'Alerts');
  });

  it('an alert on a saved search, which the menu of them opens', async () => {
    const saved = await call<{ id: string }>('POST', '/saved-searches', {
      name: 'Errors',
      tags: [],
      sourceId,
      where: 'SeverityText:error',
      whereLanguage: 'lucene',
    });
    const page = await openPage('/search');
    await page.getByRole('button', { name: 'Saved searches' }).click();
    await page.getByRole('menuitem', { name: 'Errors' }).click();
    await holdAddress(page, `/search/${saved.id}`, 'Errors');
    await page.getByRole('link', { name: 'Alert', exact: true }).click();
    await holdAddress(page, `/alerts/new?savedSearchId=${saved.id}`, 'New alert');
  });
});
