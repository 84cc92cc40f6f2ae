import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accessibilityViolations, describeInBrowser, logIn, visit } from '../support/browser.ts';
import { holdLongTexts, longName } from '../support/long-texts.ts';
import { type RunningProgram, startProgram } from '../support/start-program.ts';

const organization = '11111111-2222-4333-8444-555555555555';
const service = '66666666-7777-4888-8999-aaaaaaaaaaaa';
const pipe = '77777777-7777-4888-8999-aaaaaaaaaaaa';
const person = { email: `${'ada.'.repeat(14)}@analytical-engines.example.com`, password: 'an-uncommon-password' };
const below = `/organizations/${organization}`;

const acme = {
  id: organization,
  name: longName,
  apiKeys: [{ name: longName, keyId: 'AKTERRAFORM000000001', keySecret: 'made-up-for-tests-01', role: 'admin' }],
  services: [
    {
      id: service,
      name: longName,
      pipes: [
        {
          id: pipe,
          name: longName,
          state: 'Running',
          source: { objectStorage: { type: 's3', format: 'Parquet', url: `https://acme.example/${longName}/*` } },
          destination: { database: 'shop', table: 'orders', columns: [{ name: longName, type: 'UUID' }] },
          fieldMappings: [{ sourceField: longName, destinationField: longName }],
        },
      ],
    },
  ],
};

describeInBrowser('the console with long names', () => {
  let program: RunningProgram;

  beforeAll(async () => {
    program = await startProgram({
      provisioning: { organizations: [acme] },
      env: { SIGNALBOX_FLAVOUR: 'managed' },
    });
    const answer = await fetch(`${program.addresses.web}/v1/account`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify(person),
    });
    expect(answer.status, await answer.text()).toBe(200);
  });

  afterAll(() => program?.stop());

  async function visitor(expected: readonly string[] = []): Promise<Page> {
    const { page } = await visit(program.addresses.web, { console: expected });
    await logIn(page, person);
    return page;
  }

  it('nothing reaches beyond its box, wide and on a telephone', async () => {
    const page = await visitor();
    const ofService = `${below}/services/${service}`;
    for (const path of ['/organizations', below, ofService, `${ofService}/pipes`, `${ofService}/pipes/${pipe}`]) {
      await page.goto(path);
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 844 });
        // On a telephone the navigation, which has the name of the service, is closed.
        await page.getByText(longName).filter({ visible: true }).first().waitFor();
        await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
        await holdLongTexts(page, `${path} at ${width} px`);
      }
    }
  });

  it('the focus stays near what had it: after a link, a new key and a revoked one', async () => {
    const page = await visitor();
    const focused = () =>
      page.evaluate<string>(
        "[document.activeElement.tagName, document.activeElement.ariaLabel ?? document.activeElement.textContent.slice(0, 40)].join(' ')",
      );
    await page.goto('/organizations');
    await page.getByRole('main').getByRole('link', { name: longName }).press('Enter');
    await page.getByRole('button', { name: 'New API key' }).waitFor();
    await expect.poll(focused).toMatch(/^MAIN/);
    await page.getByRole('button', { name: 'New API key' }).press('Enter');
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('laptop');
    await page.keyboard.press('Enter');
    const secret = page.getByRole('dialog', { name: 'Copy the secret now; it will not be shown again' });
    await secret.waitFor();
    await expect.poll(focused).toBe('BUTTON Copy key id');
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect.poll(focused).toBe('BUTTON New API key');
    await page.getByRole('button', { name: 'Revoke laptop' }).press('Enter');
    await expect.poll(focused).toBe('BUTTON Cancel');
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).press('Enter');
    await page.getByRole('button', { name: 'Revoke laptop' }).waitFor({ state: 'detached' });
    await expect.poll(focused).toBe('SECTION API keys');
  });

  it('an ingestion key is shown with what to paste, in tabs that say what they open', async () => {
    const page = await visitor();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${below}/services/${service}`);
    await page.getByRole('button', { name: 'New ingestion key' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('collector');
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: 'OpenTelemetry SDKs' }).press('ArrowRight');
    await page.getByRole('tabpanel', { name: 'Collector' }).getByText('otlphttp/signalbox').first().waitFor();
    await holdLongTexts(page, 'the new ingestion key');
  });

  it('what is not there is said in words, under a title, with a way back', async () => {
    const page = await visitor(['403', '404']);
    await page.goto(`${below}/services/${service}/pipes/${organization}`);
    await page.getByRole('alert').getByText('Pipe not found', { exact: true }).waitFor();
    await page.goto(`${below}/services/${organization}`);
    await page
      .getByRole('alert')
      .getByText(/^You have no access to this organization/)
      .waitFor();
    await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'Organizations' }).waitFor();
    await page.goto('/no/such/page');
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
    expect(await page.title()).toBe('Page not found · Signalbox');
    await page.getByRole('link', { name: 'To the start' }).click();
    await page.getByRole('heading', { level: 1, name: 'Organizations' }).waitFor();
  });
});
