import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accessibilityViolations, describeInBrowser, holdWidth, logIn, visit } from '../support/browser.ts';
import { acme, type RunningProgram, startProgram } from '../support/start-program.ts';

const [ada] = acme.teams[0]?.users ?? [];

describeInBrowser('what dashboards were', () => {
  let program: RunningProgram;

  beforeAll(async () => {
    program = await startProgram();
  });

  afterAll(() => program?.stop());

  async function call<T>(method: string, path: string, body?: object): Promise<T> {
    const { status, json } = await program.call(method, `/api/v2/${path}`, body);
    expect(status, `${method} ${path}: ${JSON.stringify(json)}`).toBe(200);
    return (json as { data: T }).data;
  }

  interface Board {
    id: string;
    tiles: { id: string; name: string }[];
  }

  /** With two tiles, of which the second is added later and watched by an alert. */
  async function makeBoard(name: string): Promise<Board> {
    const sources = await call<{ id: string; kind: string }[]>('GET', 'sources');
    const sourceId = sources.find(({ kind }) => kind === 'log')?.id;
    const tile = (title: string) => ({ name: title, series: [{ sourceId, aggFn: 'count', where: '', groupBy: [] }] });
    const first = await call<Board>('POST', 'dashboards', { name, tiles: [tile('Kept')] });
    const board = await call<Board>('PUT', `dashboards/${first.id}`, { tiles: [...first.tiles, tile('Added')] });
    const hook = { name, service: 'generic', url: 'https://example.com/hook' };
    const webhook = await call<{ id: string }>('POST', 'webhooks', hook);
    await call('POST', 'alerts', {
      ...{ name: `${name} alert`, dashboardId: board.id, tileId: board.tiles[1]?.id, interval: '1h', threshold: 1e9 },
      ...{ thresholdType: 'above', channel: { type: 'webhook', webhookId: webhook.id } },
    });
    return board;
  }

  async function visitor(): Promise<Page> {
    const { page } = await visit(program.addresses.web, { console: ['412'] });
    await logIn(page, { email: ada?.email ?? '', password: ada?.password ?? '' });
    return page;
  }

  it('a past version is found, compared and restored; alerts that this deletes are asked about', async () => {
    const board = await makeBoard('Versioned');
    const page = await visitor();
    await page.goto(`/dashboards/${board.id}`);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Versions' }).click();
    await page.getByRole('heading', { level: 1, name: 'Versions' }).waitFor();
    const rows = page.getByRole('table', { name: 'Versions' }).getByRole('row');
    await rows
      .filter({ hasText: '“Added” added' })
      .getByRole('cell', { name: 'ada@example.com', exact: true })
      .waitFor();
    await page.getByRole('button', { name: 'Compare version 1 with the present one' }).click();
    const differences = page.getByRole('table', { name: 'What restoring changes' });
    await differences.getByRole('row', { name: 'Tile “Added” removed' }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);

    // Someone else saves meanwhile: nothing is overwritten unseen.
    await call('PUT', `dashboards/${board.id}`, { tags: ['meanwhile'] });
    await page.getByRole('button', { name: 'Restore version 1' }).click();
    const dialog = page.getByRole('dialog', { name: 'Restore version 1 of “Versioned”?' });
    await dialog.getByText('Versioned alert').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Restore and delete the alerts' }).click();
    await dialog.getByText('Someone else saved this dashboard in the meantime.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await differences.getByRole('row', { name: 'Tags' }).waitFor();

    await page.getByRole('button', { name: 'Restore version 1' }).click();
    await dialog.getByRole('button', { name: 'Restore and delete the alerts' }).click();
    await page.getByText('Version 1 was restored.').waitFor();
    await rows.filter({ hasText: 'Version 1 restored' }).getByText('Present').waitFor();
    await page.getByText('This version says the same as the present one.').waitFor();
    const { tiles } = await call<Board>('GET', `dashboards/${board.id}`);
    expect(tiles.map(({ name }) => name)).toEqual(['Kept']);
    await page.setViewportSize({ width: 390, height: 844 });
    await holdWidth(page, 'versions');
    await page.getByRole('link', { name: 'Versioned' }).click();
    await page.getByRole('region', { name: 'Kept' }).waitFor();
  });

  it('a deleted dashboard is restored with its alerts', async () => {
    const board = await makeBoard('Deleted by mistake');
    const page = await visitor();
    await page.goto('/dashboards?text=mistake');
    await page.getByRole('button', { name: 'Delete Deleted by mistake' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('For 30 days, both can be restored').waitFor();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('“Deleted by mistake” was deleted.').waitFor();
    await page.getByRole('link', { name: 'Deleted' }).click();
    const row = page
      .getByRole('table', { name: 'Deleted dashboards' })
      .getByRole('row', { name: 'Deleted by mistake' });
    await row.getByRole('cell', { name: 'ada@example.com', exact: true }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await holdWidth(page, 'deleted dashboards');
    await page.getByRole('button', { name: 'Restore Deleted by mistake' }).click();
    await page.getByText('“Deleted by mistake” was restored with 1 alert.').waitFor();
    await page.getByRole('heading', { level: 1, name: 'Deleted by mistake' }).waitFor();
    await page.getByRole('region', { name: 'Added' }).waitFor();
    const alerts = await call<{ name: string; dashboardId: string }[]>('GET', 'alerts');
    expect(alerts.filter(({ dashboardId }) => dashboardId === board.id)).toHaveLength(1);
  });
});
