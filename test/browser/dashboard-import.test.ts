import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { accessibilityViolations, describeInBrowser, logIn, visit } from '../support/browser.ts';
import { type SharedDemo, sharedDemo } from '../support/run-demo.ts';

const fixture = (name: string): string =>
  readFileSync(new URL(`../scenarios/dashboards/imports/${name}.json`, import.meta.url), 'utf8');

describeInBrowser('dashboards of elsewhere', () => {
  let demo: SharedDemo;

  beforeAll(async () => {
    demo = await sharedDemo();
  });

  async function openImport(page: Page): Promise<void> {
    await logIn(page, demo);
    await page.goto('/dashboards');
    await page.getByRole('link', { name: 'Import' }).click();
    await page.getByRole('heading', { name: 'Import a dashboard' }).waitFor();
  }

  it('one of HyperDX is pasted, mapped, looked at and stored; what it lacks is said', async () => {
    const { page } = await visit(demo.web);
    await openImport(page);
    const json = page.getByRole('textbox', { name: 'JSON' });
    await json.fill('{');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('The text is not JSON.').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await json.fill(fixture('hyperdx-pages'));
    await page.getByRole('button', { name: 'Continue' }).click();

    const report = page.getByRole('region', { name: 'Report' });
    await report.getByText('Its source “Hosts of old” is not mapped to a source here.').first().waitFor();
    await report.getByText('Its display "hologram" is not known here.').waitFor();
    await page.getByRole('combobox', { name: 'Source for Hosts of old' }).click();
    await page.getByRole('option', { name: 'Logs' }).click();
    await page.getByRole('region', { name: 'Of another source' }).waitFor();
    await report.getByText('Its source “Hosts of old”').first().waitFor({ state: 'detached' });
    await page.getByRole('textbox', { name: 'Name' }).fill('Payments of old');
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Import', exact: true }).click();

    await page.getByRole('heading', { name: 'Payments of old' }).waitFor();
    await page.getByRole('region', { name: 'Of another source' }).waitFor();
    await page.getByRole('tab', { name: 'One' }).waitFor();
    await page.getByRole('button', { name: 'More' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Export JSON' }).click(),
    ]);
    const exported = JSON.parse(await text(await download.createReadStream())) as {
      references: { sources: { name: string }[] };
    };
    expect(exported.references.sources.map(({ name }) => name).sort()).toEqual(['Logs', 'Metrics', 'Traces']);
  });

  it('one of Grafana is chosen as a file, and its statements answer', async () => {
    const { page } = await visit(demo.web);
    await openImport(page);
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Choose a file' }).click(),
    ]);
    await chooser.setFiles({
      name: 'grafana.json',
      mimeType: 'application/json',
      buffer: Buffer.from(fixture('grafana')),
    });
    // Other tests give the demo further sources of this table; then none is chosen.
    const source = page.getByRole('combobox', { name: 'Source for default.otel_logs' });
    await source.waitFor();
    if ((await source.inputValue()) !== 'Logs') {
      await source.click();
      await page.getByRole('option', { name: 'Logs', exact: true }).click();
    }
    await page.getByText('A Grafana dashboard: 7 tiles will be stored').waitFor();
    await page.getByRole('region', { name: 'Slowest spans' }).first().getByRole('table').waitFor();
    await page.getByRole('region', { name: 'Latency A' }).locator('canvas').waitFor();
    // Where Grafana has it: beside the first one.
    const leftOf = async (name: string) => (await page.getByRole('region', { name }).boundingBox())?.x ?? 0;
    await expect.poll(async () => (await leftOf('Lines by level')) > (await leftOf('Lines a second'))).toBe(true);
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByRole('heading', { name: 'Checkout in Grafana' }).waitFor();
    await page.getByRole('combobox', { name: 'Service' }).fill('pay');
    await page.getByRole('option', { name: /^payment/ }).click();
    await page.getByRole('region', { name: 'Lines a second' }).getByText('/s').waitFor();
    expect(await page.locator('[data-tile] [role=alert]').count()).toBe(0);
  });
});
