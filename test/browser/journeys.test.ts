import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInBrowser, logIn, logInByPage, passwordField, visit } from '../support/browser.ts';
import { endWindowSoon } from '../support/firing-alert.ts';
import { type RunningProgram, startProgram } from '../support/start-program.ts';

const owner = { email: 'grace@example.com', password: 'an-uncommon-password' };

describeInBrowser('from the first account to a shared dashboard', () => {
  let program: RunningProgram;
  let key = '';

  beforeAll(async () => {
    program = await startProgram({ provisioning: null, env: { SIGNALBOX_SELF_TELEMETRY: '1' } });
  });

  afterAll(() => program?.stop());

  const call = <T>(method: string, path: string, body?: unknown) =>
    program.call(method, path, body, key).then(({ json }) => (json as { data: T }).data);

  it('sign up → Team Settings → API Keys → copy the Personal API Access Key → it opens the API', async () => {
    const { page } = await visit(program.addresses.web);
    await page.goto('/');
    await page.getByLabel('Email').fill(owner.email);
    await passwordField(page).fill(owner.password);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('link', { name: 'Team Settings' }).click();
    await page.getByRole('tab', { name: 'API Keys' }).click();
    await page.getByRole('button', { name: 'New personal key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('laptop');
    await dialog.getByRole('button').last().click();
    await page.getByRole('button', { name: 'Copy Personal API Access Key' }).click();
    key = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(key.length).toBeGreaterThan(20);
    expect((await program.call('GET', '/api/v2/dashboards', undefined, key)).status).toBe(200);
  });

  it('three tiles are made in the editor, saved, and are what the API then holds', async () => {
    const { page } = await visit(program.addresses.web);
    await logInByPage(page, owner);
    await page.getByRole('button', { name: 'New dashboard' }).click();
    await page.getByRole('heading', { level: 1, name: 'New dashboard' }).waitFor();
    await addTile(page, 'Events', 'Line');
    await addTile(page, 'How many', 'Number');
    await addTile(page, 'Notes', 'Text');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Dashboard saved.').waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1);
    const stored = await call<{ tiles: { name: string; config: { displayType: string } }[] }>(
      'GET',
      `/api/v2/dashboards/${id}`,
    );
    const shown = stored.tiles.map(({ name, config }) => [name, config.displayType]);
    expect(shown).toEqual([
      ['Events', 'line'],
      ['How many', 'number'],
      ['Notes', 'markdown'],
    ]);
    await page.reload();
    await page
      .getByRole('region', { name: 'How many' })
      .getByText(/^[\d,.]+[kM]?$/)
      .waitFor();
  });

  it('concurrent edits by two people: both are shown, and none is lost', async () => {
    const made = await call<{ id: string }>('POST', '/api/v2/dashboards', {
      name: 'Shared',
      tiles: [{ name: 'Notes', config: { displayType: 'markdown', markdown: 'hello' } }],
    });
    const { page } = await visit(program.addresses.web, { console: ['412'] });
    await logIn(page, owner);
    await page.goto(`/dashboards/${made.id}`);
    await page.getByRole('region', { name: 'Notes' }).getByText('hello').waitFor();
    await rename(page, 'Mine');
    const [tile] = (await call<{ tiles: object[] }>('GET', `/api/v2/dashboards/${made.id}`)).tiles;
    await call('PUT', `/api/v2/dashboards/${made.id}`, { tiles: [{ ...tile, name: 'Theirs' }] });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Someone else changed this dashboard' });
    await dialog.getByText('renamed to “Theirs”').waitFor();
    await dialog.getByText('changed to “Mine”').waitFor();
    await dialog.getByRole('button', { name: 'Save the merged dashboard' }).click();
    await page.getByText('Dashboard saved.').waitFor();
    const merged = await call<{ name: string; tiles: { name: string }[] }>('GET', `/api/v2/dashboards/${made.id}`);
    expect([merged.name, merged.tiles[0]?.name]).toEqual(['Mine', 'Theirs']);
  });

  it('an invitation link lets a colleague in, once', async () => {
    const { page } = await visit(program.addresses.web);
    await logIn(page, owner);
    await page.goto('/settings?tab=members');
    await page.getByLabel('Email').fill('alan@example.com');
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByRole('button', { name: 'Copy link for alan@example.com' }).first().click();
    const link = new URL(await page.evaluate<string>('navigator.clipboard.readText()'));
    const guest = await visit(program.addresses.web, { console: ['404'] });
    await guest.page.goto(link.pathname + link.search);
    await passwordField(guest.page).fill('another-uncommon-password');
    await guest.page.getByRole('button', { name: 'Join' }).click();
    await guest.page.waitForURL('**/dashboards');
    const late = await guest.newTab();
    await late.goto(link.pathname + link.search);
    await late.getByRole('heading', { name: 'This invitation is not valid' }).waitFor();
  });

  it('an alert fires and resolves on the screen', async () => {
    const alert = await quickAlert();
    const endWindow = (threshold: number) =>
      endWindowSoon((window) => call('PUT', `/api/v2/alerts/${alert.id}`, { ...alert.body, ...window, threshold }));
    await endWindow(0);
    const { page } = await visit(program.addresses.web);
    await logIn(page, owner);
    await page.goto(`/alerts/${alert.id}`);
    const state = page.getByRole('main');
    await state.getByText('Firing').first().waitFor();
    expect((await call<{ state: string }>('GET', `/api/v2/alerts/${alert.id}`)).state).toBe('ALERT');
    await endWindow(1e12);
    await state.getByText('OK').first().waitFor();
    expect((await call<{ state: string }>('GET', `/api/v2/alerts/${alert.id}`)).state).toBe('OK');
  });

  /** Counts the program’s own events by the minute: it fires at the first window’s end. */
  async function quickAlert() {
    const [source] = (await call<{ id: string; kind: string }[]>('GET', '/api/v2/sources')).filter(
      ({ kind }) => kind === 'log',
    );
    const webhook = await call<{ id: string }>('POST', '/api/v2/webhooks', {
      name: 'ops',
      service: 'generic',
      url: 'https://example.com/hook',
    });
    const board = await call<{ id: string; tiles: { id: string }[] }>('POST', '/api/v2/dashboards', {
      name: 'Watched',
      tiles: [{ name: 'Events', series: [{ sourceId: source?.id, aggFn: 'count', where: '', groupBy: [] }] }],
    });
    const body = {
      name: 'Any event',
      dashboardId: board.id,
      tileId: board.tiles[0]?.id,
      threshold: 0,
      thresholdType: 'above',
      interval: '1m',
      source: 'tile',
      channel: { type: 'webhook', webhookId: webhook.id },
    };
    return { ...(await call<{ id: string }>('POST', '/api/v2/alerts', body)), body };
  }
});

async function addTile(page: Page, name: string, display: string): Promise<void> {
  await page.getByRole('button', { name: 'Add tile' }).click();
  const editor = page.getByRole('dialog');
  await editor.getByRole('textbox', { name: 'Name' }).fill(name);
  await editor.getByRole('combobox', { name: 'Display' }).click();
  await page.getByRole('option', { name: display, exact: true }).click();
  await editor.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('region', { name }).first().waitFor();
}

async function rename(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Name and tags' }).click();
  const dialog = page.getByRole('dialog', { name: 'Name and tags' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
  await dialog.getByRole('button', { name: 'Apply' }).click();
}

describeInBrowser('the managed console', () => {
  const organization = '11111111-2222-4333-8444-555555555555';
  const service = '66666666-7777-4888-8999-aaaaaaaaaaaa';
  let program: RunningProgram;

  beforeAll(async () => {
    const services = [{ id: service, name: 'production' }];
    program = await startProgram({
      provisioning: { organizations: [{ id: organization, name: 'Acme', services }] },
      env: { SIGNALBOX_FLAVOUR: 'managed' },
    });
  });

  afterAll(() => program?.stop());

  it('leads from the first account to the organization’s id and the page of its service', async () => {
    const { page } = await visit(program.addresses.web);
    await page.goto('/');
    await page.getByLabel('Email').fill(owner.email);
    await passwordField(page).fill(owner.password);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('link', { name: 'Acme' }).click();
    await page.getByText(organization).first().waitFor();
    await page.getByRole('link', { name: 'production' }).click();
    await page.waitForURL(`**/services/${service}`);
    await page.getByText(service).first().waitFor();
    const sections = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
    expect(await sections.allTextContents()).toEqual([
      ...['Overview', 'Dashboards', 'Search', 'Services', 'Alerts', 'Silences', 'Webhooks', 'Sources', 'Pipes'],
      'Send data',
    ]);
  });
});
