import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accessibilityViolations, describeInBrowser, holdWidth, logIn, visit } from '../support/browser.ts';
import { acme, type RunningProgram, startProgram } from '../support/start-program.ts';

const [ada] = acme.teams[0]?.users ?? [];

describeInBrowser('a dashboard that is edited, and one on a wall', () => {
  let program: RunningProgram;

  beforeAll(async () => {
    program = await startProgram();
  });

  afterAll(() => program?.stop());

  async function openBoard(query = ''): Promise<Page> {
    const tiles = ['One', 'Two'].map((name) => ({ name, series: [{ type: 'markdown', content: name }] }));
    const { json } = await program.call('POST', '/api/v2/dashboards', { name: 'Board', tiles });
    const { data } = json as { data: { id: string } };
    const { page } = await visit(program.addresses.web);
    await logIn(page, { email: ada?.email ?? '', password: ada?.password ?? '' });
    await page.goto(`/dashboards/${data.id}${query}`);
    await page.getByRole('region', { name: 'One' }).waitFor();
    return page;
  }

  async function deleteTile(page: Page, name: string): Promise<void> {
    await page.getByRole('button', { name: `Actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('region', { name }).waitFor({ state: 'detached' });
  }

  it('the last edits are undone and redone, by keys and buttons, and an undone edit is no change', async () => {
    const page = await openBoard();
    await deleteTile(page, 'One');
    await deleteTile(page, 'Two');
    await page.keyboard.press('Control+z');
    await page.getByRole('region', { name: 'Two' }).waitFor();
    await page.keyboard.press('Control+Shift+z');
    await page.getByRole('region', { name: 'Two' }).waitFor({ state: 'detached' });
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    for (const name of ['One', 'Two']) await page.getByRole('region', { name }).waitFor();
    await page.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Redo' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Dashboard saved.').waitFor();
    await page.getByRole('button', { name: 'Redo' }).waitFor({ state: 'detached' });
    // What was saved is past: the versions have it.
    await page.keyboard.press('Control+z');
    await page.getByRole('region', { name: 'Two' }).waitFor();
    expect(await page.getByRole('region', { name: 'One' }).count()).toBe(0);
  });

  it('kiosk mode shows the page alone, refreshes, and ends with Escape', async () => {
    const page = await openBoard();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Kiosk mode' }).click();
    await page.getByText('refreshed every 60 s').waitFor();
    expect(await page.getByRole('navigation', { name: 'Main' }).count()).toBe(0);
    expect(new URL(page.url()).searchParams.get('refresh')).toBe('1m');
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await holdWidth(page, 'kiosk');
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.keyboard.press('Escape');
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
  });

  it('an address with kiosk=1 alone refreshes each minute', async () => {
    const page = await openBoard('?kiosk=1');
    await page.getByText('refreshed every 60 s').waitFor();
    await page.getByRole('button', { name: 'Leave kiosk mode' }).click();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
  });

  it('favourites are a person’s, come first in the list and in the palette', async () => {
    for (const name of ['Alpha', 'Beta']) await program.call('POST', '/api/v2/dashboards', { name, tiles: [] });
    const { page } = await visit(program.addresses.web);
    await logIn(page, { email: ada?.email ?? '', password: ada?.password ?? '' });
    await page.goto('/dashboards?sort=name');
    const names = () => page.getByRole('table', { name: 'Dashboards' }).getByRole('link').allTextContents();
    await expect.poll(names).toContain('Alpha');
    await page.getByRole('button', { name: 'Favourite Beta' }).click();
    await expect.poll(async () => (await names())[0]).toBe('Beta');
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.reload();
    await expect.poll(async () => (await names())[0]).toBe('Beta');
    await page.keyboard.press('Control+k');
    await page.getByRole('group', { name: 'Favourites' }).getByRole('option', { name: 'Beta' }).click();
    await page.getByRole('heading', { level: 1, name: 'Beta' }).waitFor();
    await page.getByRole('button', { name: 'Favourite Beta', pressed: true }).click();
    await page.getByRole('button', { name: 'Favourite Beta', pressed: false }).waitFor();
  });
});
