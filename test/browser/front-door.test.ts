import { afterAll, beforeAll, expect, it } from 'vitest';
import { accessibilityViolations, describeInBrowser, logInByPage, passwordField, visit } from '../support/browser.ts';
import { type RunningProgram, startProgram } from '../support/start-program.ts';

const first = { email: 'grace@example.com', password: 'an-uncommon-password' };

describeInBrowser('the front door', () => {
  let program: RunningProgram;

  beforeAll(async () => {
    program = await startProgram({ provisioning: null, env: { SIGNALBOX_SELF_TELEMETRY: '1' } });
  });

  afterAll(() => program.stop());

  it('a new installation makes its first account and leads inside', async () => {
    const { page } = await visit(program.addresses.web);
    await page.goto('/');
    await page.getByRole('heading', { name: 'Create the first account' }).waitFor();
    await page.getByLabel('Name').fill('Grace');
    await page.getByLabel('Email').fill(first.email);
    await passwordField(page).fill(first.password);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.waitForURL('**/start');
    await page.getByRole('button', { name: 'Account' }).getByText('Grace').waitFor();
    // Nothing was sent yet: the program's own telemetry does not count.
    await page.getByRole('status').getByText('Waiting for data').waitFor();
    const curl = (await page.getByRole('tabpanel').locator('pre').textContent()) ?? '';
    const [, url = ''] = /^curl (\S+)/.exec(curl) ?? [];
    const [, key = ''] = /'Authorization: (\S+)'/.exec(curl) ?? [];
    const [, body = ''] = /-d '(.*)'$/s.exec(curl) ?? [];
    const headers = { authorization: key, 'content-type': 'application/json' };
    const now = body.replace("'$(date +%s)'", String(Math.floor(Date.now() / 1000)));
    expect((await fetch(url, { method: 'POST', headers, body: now })).status).toBe(200);
    await page.getByRole('status').getByText('Data is arriving').waitFor();
    await page.getByRole('row', { name: /my-service.*Hello from curl/ }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/start');
    expect(await accessibilityViolations(page)).toEqual([]);
    // The key is not created again when the page is loaded again: its secret is gone.
    await page.reload();
    await page.getByRole('status').getByText('Data is arriving').waitFor();
    await page.getByRole('button', { name: 'Create an ingestion key' }).waitFor();
  });

  it('a wrong password is reported and rejected; the right one leads to the requested page', async () => {
    const { page } = await visit(program.addresses.web, { console: ['401'] });
    await page.goto('/sources?kind=log');
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    await page.getByLabel('Email').fill(first.email);
    await passwordField(page).fill('not-the-password');
    await page.getByRole('button', { name: 'Log in' }).click();
    await expect.poll(() => page.getByRole('alert').textContent()).not.toBe('');
    expect(new URL(page.url()).pathname).toBe('/login');
    await passwordField(page).fill(first.password);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.waitForURL('**/sources?kind=log');
  });

  it('an address of another site as the page to go to is not followed', async () => {
    const { page } = await visit(program.addresses.web);
    await page.goto(`/login?next=${encodeURIComponent('//elsewhere.example/')}`);
    await page.getByLabel('Email').fill(first.email);
    await passwordField(page).fill(first.password);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.waitForURL('**/dashboards');
    expect(new URL(page.url()).origin).toBe(program.addresses.web);
  });

  it('logging out ends the session in every tab', async () => {
    const { page, newTab } = await visit(program.addresses.web, { console: ['401'] });
    await logInByPage(page, first);
    const other = await newTab();
    await other.goto('/sources');
    await other.getByRole('heading', { name: 'Sources' }).waitFor();
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await page.waitForURL('**/login**');
    await other.reload();
    await other.getByRole('heading', { name: 'Log in' }).waitFor();
  });
});
