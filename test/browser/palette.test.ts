import type { Locator, Page, Request } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { accessibilityViolations, describeInBrowser, holdWidth, logIn, visit } from '../support/browser.ts';
import { type SharedDemo, sharedDemo } from '../support/run-demo.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';

describeInBrowser('the palette', () => {
  let demo: SharedDemo;

  beforeAll(async () => {
    demo = await sharedDemo();
  });

  async function visitor(): Promise<Page> {
    const { page } = await visit(demo.web);
    await logIn(page, demo);
    return page;
  }

  describe('opens from everywhere by Ctrl+K', () => {
    it.each(['dashboards', 'search', 'alerts', 'sources', 'settings', 'account'])('%s', async (path) => {
      const page = await visitor();
      await page.goto(`/${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await openByKey(page);
      const field = finder(page);
      await field.and(page.locator(':focus')).waitFor();
      await page.keyboard.press('Escape');
      await field.waitFor({ state: 'detached' });
    });
  });

  it('also from the code editor of the search, whose text it leaves alone', async () => {
    const page = await visitor();
    await page.goto('/search?where=payment');
    const editor = page.locator('.cm-content').first();
    await editor.click();
    await openByKey(page);
    await finder(page).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Escape');
    await editor.and(page.locator(':focus')).waitFor();
    expect(await editor.textContent()).toBe('payment');
  });

  it('finds by the beginnings of words, is walked by arrows, and opens with Enter', async () => {
    const page = await visitor();
    await page.goto('/account');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await openByKey(page);
    await active(page, /^Dashboards/);
    for (const [typed, name, heading] of [
      ['pay', 'Payments', 'Payments'],
      ['paf', 'Payments are failing', 'Payments are failing'],
      ['on call', 'Payments', 'Payments'],
      ['new al', 'New alert', 'New alert'],
    ] as const) {
      await finder(page).fill(typed);
      const option = page.getByRole('option', { name: new RegExp(`^${name}`) }).first();
      await option.waitFor();
      await walkTo(page, option);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      await openByKey(page);
      await finder(page).waitFor();
    }
    // What was opened comes first, the last place at the head; the page itself is not offered.
    const recent = page.getByRole('group', { name: 'Recent' }).getByRole('option');
    await expect
      .poll(() => recent.allInnerTexts().then((texts) => texts.map((text) => text.split('\n')[0])))
      .toEqual(['Payments', 'Payments are failing', 'Account']);
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  it('leads to services, to a pasted trace, and to the events with a text', async () => {
    const page = await visitor();
    await page.goto('/account');
    await page.getByRole('button', { name: 'Jump to…' }).first().click();
    await finder(page).fill('catal');
    const service = page.getByRole('option', { name: 'catalog Service' });
    await service.click();
    await page.waitForURL((url) => url.pathname === '/services/catalog');
    await page.getByRole('heading', { level: 1, name: 'catalog' }).waitFor();
    for (const pasted of [` ${traceId.toUpperCase()} `, `00-${traceId}-00f067aa0ba902b7-01`]) {
      await openByKey(page);
      await finder(page).fill(pasted);
      await active(page, new RegExp(traceId));
      await page.keyboard.press('Enter');
      await page.waitForURL((url) => url.pathname === `/traces/${traceId}`);
      await page.goto('/account');
    }
    await openByKey(page);
    await finder(page).fill('no such "thing"');
    await active(page, /^Search events for/);
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.searchParams.get('where') === '"no such \\"thing\\""');
  });

  it('asks before it leaves what is edited', async () => {
    const page = await visitor();
    await page.goto('/alerts/new');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Unsaved');
    await openByKey(page);
    await finder(page).fill('silences');
    await active(page, /^Silences/);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: /unsaved|discard|leave/i }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/alerts/new');
  });

  it('is a combobox for screen readers, fits a telephone, and is readable in the dark', async () => {
    const page = await visitor();
    await page.goto('/alerts');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 390, height: 800 });
    await page.getByRole('button', { name: 'Jump to…' }).first().click();
    const field = finder(page);
    await field.fill('a');
    const list = page.getByRole('listbox', { name: 'Places' });
    expect(await field.getAttribute('aria-controls')).toBe(await list.getAttribute('id'));
    expect(await field.getAttribute('aria-expanded')).toBe('true');
    await page
      .getByRole('status')
      .filter({ hasText: /^\d+ results$/ })
      .waitFor();
    await holdWidth(page, 'the palette');
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  it('is loaded when it is first opened, not with a page', async () => {
    const page = await visitor();
    const scripts: string[] = [];
    page.on('request', (request: Request) => scripts.push(new URL(request.url()).pathname));
    await page.goto('/account');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(scripts.filter((path) => /Palette|ShortcutSheet/.test(path))).toEqual([]);
    await openByKey(page);
    await finder(page).waitFor();
    expect(scripts.filter((path) => /Palette-.*js$/.test(path))).toHaveLength(1);
  });
});

describeInBrowser('shortcuts', () => {
  let demo: SharedDemo;

  beforeAll(async () => {
    demo = await sharedDemo();
  });

  it('? shows the sheet wherever the focus is, but for text fields, where it is typed', async () => {
    const { page } = await visit(demo.web);
    await logIn(page, demo);
    await page.goto('/alerts');
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    const box = page.getByRole('checkbox').first();
    const places: Locator[] = [
      page.getByRole('main'),
      page.getByRole('link', { name: 'Alerts' }).first(),
      page.getByRole('button', { name: /^Account/ }),
      box,
    ];
    for (const place of places) {
      await place.focus();
      await page.keyboard.press('?');
      await sheet.waitFor();
      await page.keyboard.press('Escape');
      await sheet.waitFor({ state: 'detached' });
      await place.and(page.locator(':focus')).waitFor();
    }
    await page.evaluate('document.activeElement.blur()');
    await page.keyboard.press('?');
    await sheet.getByText('Jump to a page').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.goto('/dashboards');
    const search = page.getByRole('textbox', { name: 'Search dashboards' });
    await search.focus();
    await page.keyboard.type('why? g d');
    expect(await search.inputValue()).toBe('why? g d');
    await page.goto('/search');
    await page.locator('.cm-content').first().click();
    await page.keyboard.type('?g');
    expect(await page.locator('.cm-content').first().textContent()).toBe('?g');
    expect(await sheet.count()).toBe(0);
  });

  it('g and a letter lead to the pages of the navigation', async () => {
    const { page } = await visit(demo.web);
    await logIn(page, demo);
    await page.goto('/account');
    await page.getByRole('heading', { level: 1 }).waitFor();
    for (const [letter, path] of [
      ['a', '/alerts'],
      ['d', '/dashboards'],
      ['o', '/sources'],
    ] as const) {
      await page.keyboard.press('g');
      await page.keyboard.press(letter);
      await page.waitForURL((url) => url.pathname === path);
    }
  });
});

/** As soon as the page listens: a key that is pressed before is lost. */
async function openByKey(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Jump to…' }).first().waitFor();
  await page.keyboard.press('Control+k');
}

function finder(page: Page): Locator {
  return page.getByRole('combobox', { name: /^Jump to/ });
}

/** Waits until the option that Enter would open has this name. */
async function active(page: Page, name: RegExp): Promise<void> {
  await page.getByRole('option', { name, selected: true }).waitFor();
}

async function walkTo(page: Page, option: Locator): Promise<void> {
  const total = await page.getByRole('option').count();
  for (let step = 0; step < total && (await option.getAttribute('aria-selected')) !== 'true'; step++) {
    await page.keyboard.press('ArrowDown');
  }
}
