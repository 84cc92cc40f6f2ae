import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accessibilityViolations, describeInBrowser, logIn, visit } from '../support/browser.ts';
import { holdLongTexts } from '../support/long-texts.ts';
import { type RunningProgram, startProgram } from '../support/start-program.ts';

const organization = '11111111-2222-4333-8444-555555555555';
const service = '66666666-7777-4888-8999-aaaaaaaaaaaa';
const orders = '77777777-7777-4888-8999-aaaaaaaaaaaa';
const customers = '88888888-7777-4888-8999-aaaaaaaaaaaa';
const person = { email: 'ada@example.com', password: 'an-uncommon-password' };
const ofService = `/organizations/${organization}/services/${service}`;
const longText = 'a_text_without_a_place_to_break_'.repeat(20);

const records = [
  '{"id":1,"placed_at":"2026-01-31 12:00:00","message":"paid"}',
  `{"id":"one","placed_at":"2026-01-31 12:00:01","message":"${longText}"}`,
  '{"id":2,"placed_at":"2026-01-31 12:00:02","message":"sent"}',
];
const columns = [
  { name: 'id', type: 'UInt64' },
  { name: 'placed_at', type: 'DateTime' },
  { name: 'message', type: 'String' },
];

describeInBrowser('the pages of pipes', () => {
  let folder: string;
  let program: RunningProgram;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'signalbox-pipe-pages-'));
    const lake = join(folder, 'lake');
    mkdirSync(lake);
    writeFileSync(join(lake, 'a.json'), `${records.join('\n')}\n`);
    const pipes = [
      {
        ...{ id: orders, name: 'orders', state: 'Stopped' },
        source: { objectStorage: { url: `file://${lake}/*.json`, format: 'JSONEachRow', isContinuous: true } },
        destination: { table: 'orders', columns },
        settings: { object_storage_polling_interval_ms: 100 },
      },
      {
        ...{ id: customers, name: 'customers', state: 'Paused' },
        source: {
          postgres: {
            ...{ type: 'postgres', host: '127.0.0.1', port: 1, database: 'shop' },
            credentials: { username: 'u', password: 'planted' },
            tableMappings: [{ sourceSchemaName: 'public', sourceTable: 'customers', targetTable: 'customers' }],
          },
        },
        destination: {},
      },
    ];
    const organizations = [{ id: organization, name: 'Acme', services: [{ id: service, name: 'production', pipes }] }];
    program = await startProgram({
      provisioning: { organizations },
      env: { SIGNALBOX_FLAVOUR: 'managed', SIGNALBOX_PIPE_FILES_DIR: lake },
    });
    const answer = await fetch(`${program.addresses.web}/v1/account`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify(person),
    });
    expect(answer.status, await answer.text()).toBe(200);
  });

  afterAll(async () => {
    await program?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function open(path: string, expected: readonly string[] = []): Promise<Page> {
    const { page } = await visit(program.addresses.web, { console: expected });
    await logIn(page, person);
    await page.goto(path);
    return page;
  }

  const state = (page: Page) => page.getByRole('region', { name: 'State' });
  const figure = (page: Page, name: string) =>
    state(page)
      .locator('dl > div')
      .filter({ hasText: new RegExp(`^${name}`) })
      .locator('dd');

  it('a pipe is started by keys and followed until its rows are there; what it rejected is shown', async () => {
    const page = await open(`${ofService}/pipes/${orders}`);
    const start = page.getByRole('button', { name: 'Start' });
    await state(page).getByText('Stopped', { exact: true }).waitFor();
    // A disabled button says why, and can be reached.
    const stop = page.getByRole('button', { name: 'Stop' });
    expect(await stop.getAttribute('aria-disabled')).toBe('true');
    await page.getByText('The pipe is stopped.').waitFor();
    await start.press('Enter');
    await state(page).getByText('Running', { exact: true }).waitFor();
    await expect.poll(() => figure(page, 'Rows').textContent()).toBe('2');
    await expect.poll(() => figure(page, 'Errors').textContent()).toBe('1');
    const rejected = page.getByRole('region', { name: 'Rejected records' });
    await rejected.getByText('"id":"one"').waitFor();
    await rejected
      .getByText(/a\.json/)
      .first()
      .waitFor();
    const history = page.getByRole('table', { name: 'Changes of the state' });
    await history.getByText('Provisioning').first().waitFor();
    await history.getByText('A person or program').first().waitFor();
    expect(await start.getAttribute('aria-disabled')).toBe('true');
    await stop.press('Enter');
    await state(page).getByText('Stopped', { exact: true }).waitFor();
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 844 });
      await holdLongTexts(page, `a pipe at ${width} px`);
    }
    await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'Pipes' }).click();
    const row = page.getByRole('table', { name: 'Pipes' }).getByRole('row').filter({ hasText: 'orders' });
    await expect.poll(() => row.getByRole('cell').allTextContents()).toContain('2');
    await holdLongTexts(page, 'the list of pipes at 390 px');
  });

  it('its table becomes a source: the guess is shown, can be changed, and is held against the table', async () => {
    const page = await open(`${ofService}/pipes/${orders}`, ['400']);
    // The table is there once the pipe has run; it may have been started by the test before.
    const start = page.getByRole('button', { name: 'Start' });
    await state(page).getByText('Running').or(start).first().waitFor();
    if ((await start.getAttribute('aria-disabled')) !== 'true') await start.click();
    await expect.poll(() => figure(page, 'Rows').textContent()).toBe('2');
    await page.reload();
    const panel = page.getByRole('region', { name: 'Source' });
    await panel.getByRole('button', { name: 'Make it a source' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'A source over orders' });
    await dialog.getByText('id UInt64, placed_at DateTime, message String').waitFor();
    const time = dialog.getByRole('textbox', { name: 'Time of an event' });
    expect(await time.inputValue()).toBe('placed_at');
    const message = dialog.getByRole('textbox', { name: 'Message' });
    expect(await message.inputValue()).toBe('message');
    expect(await accessibilityViolations(page)).toEqual([]);
    await message.fill('nothing_of_it');
    await page.keyboard.press('Enter');
    await dialog
      .getByRole('alert')
      .getByText(/Message: .*nothing_of_it/)
      .waitFor();
    await message.fill('message');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Orders');
    await page.setViewportSize({ width: 390, height: 844 });
    await holdLongTexts(page, 'the dialog of a source at 390 px');
    await dialog.getByRole('button', { name: 'Save' }).press('Enter');
    await panel.getByText(/^orders is read by the source “Orders” \([0-9a-f]{24}\)\.$/).waitFor();
    expect(await panel.getByRole('link', { name: 'Orders' }).getAttribute('href')).toMatch(
      new RegExp(`^${ofService}/sources/[0-9a-f]{24}$`),
    );
    await panel.getByRole('button', { name: 'Make another source' }).waitFor();
    await holdLongTexts(page, 'a pipe with a source at 390 px');
  });

  it('a resync asks first and names what is deleted and read again', async () => {
    const page = await open(`${ofService}/pipes/${customers}`);
    const resync = page.getByRole('button', { name: 'Resync' });
    await state(page).getByText('Paused', { exact: true }).waitFor();
    await resync.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Resync “customers”?' });
    await dialog.getByText(/positions and totals of the pipe are deleted/).waitFor();
    await dialog.getByText('public.customers → customers').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await state(page).getByText('Paused', { exact: true }).waitFor();
    await resync.press('Enter');
    await dialog.getByRole('button', { name: 'Resync' }).press('Enter');
    // There is no such server: the pipe says so, and the page shows it without being loaded again.
    await state(page).getByText('Degraded', { exact: true }).waitFor();
    await page.getByRole('table', { name: 'Changes of the state' }).getByText('Resync').waitFor();
    expect(await page.content()).not.toContain('planted');
  });

  it('a table that is not there yet says why it can be no source', async () => {
    const page = await open(`${ofService}/pipes/${customers}`);
    const panel = page.getByRole('region', { name: 'Source' });
    await panel.getByText(/^There is no table customers yet/).waitFor();
    const button = panel.getByRole('button', { name: 'Make it a source' });
    expect(await button.getAttribute('aria-disabled')).toBe('true');
  });

  it('a pipe is described, tested, created, changed and deleted', async () => {
    const page = await open(`${ofService}/pipes`, ['400']);
    await page.getByRole('link', { name: 'New pipe' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'New pipe' }).waitFor();
    const text = page.getByRole('textbox', { name: 'JSON' });
    await page.getByText('Kafka', { exact: true }).click();
    await expect.poll(() => text.inputValue()).toContain('"brokers"');
    await page.getByText('Object storage', { exact: true }).click();
    const described = (url: string) => ({
      name: 'imports',
      source: { objectStorage: { url, format: 'JSONEachRow' } },
      destination: { table: 'imports', columns },
    });
    const lake = `file://${join(folder, 'lake')}`;
    await text.fill('{\n"name": "x",\n}');
    await page.getByText('The text is not JSON (line 3).').waitFor();
    expect(await page.getByRole('button', { name: 'Create' }).getAttribute('aria-disabled')).toBe('true');
    await text.fill(JSON.stringify(described('file:///elsewhere/*.json')));
    const test = page.getByRole('button', { name: 'Test connection' });
    await test.press('Enter');
    await page.getByRole('alert').first().waitFor();
    await text.fill(JSON.stringify(described(`${lake}/*.json`), null, 2));
    await test.press('Enter');
    const found = page.getByRole('status').filter({ hasText: 'The source can be read.' });
    await found.getByText(/a\.json$/).waitFor();
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 844 });
      await holdLongTexts(page, `a new pipe at ${width} px`);
    }
    await page.getByRole('button', { name: 'Create' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'imports' }).waitFor();
    await state(page).getByText('Completed', { exact: true }).waitFor();
    await expect.poll(() => figure(page, 'Rows').textContent()).toBe('2');
    await page.getByRole('link', { name: 'Edit' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Edit imports' }).waitFor();
    const stored = await text.inputValue();
    expect(JSON.parse(stored)).toEqual(described(`${lake}/*.json`));
    await text.fill(stored.replace('"imports",', '"first imports",'));
    // Edits are not lost by a link.
    await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'Pipes' }).click();
    await page.getByRole('dialog').getByRole('button').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Save' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'first imports' }).waitFor();
    await page.getByRole('button', { name: 'Delete first imports' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Delete “first imports”?' });
    await dialog.getByText(/The rows that it has written stay/).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Delete' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Pipes' }).waitFor();
    await page.getByRole('table', { name: 'Pipes' }).getByText('orders').waitFor();
    await page.getByRole('link', { name: 'first imports' }).waitFor({ state: 'detached' });
  });
});
