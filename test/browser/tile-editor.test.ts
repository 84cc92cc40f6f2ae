import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { accessibilityViolations, describeInBrowser, logIn, visit } from '../support/browser.ts';
import { type SharedDemo, sharedDemo } from '../support/run-demo.ts';

interface Stored {
  id: string;
  tiles: { name: string; description?: string; config: Record<string, unknown> }[];
}

describeInBrowser('the editor of tiles', () => {
  let demo: SharedDemo;
  let sources: { id: string; kind: string; name: string }[];

  beforeAll(async () => {
    demo = await sharedDemo();
    sources = await call('GET', '/sources');
  });

  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const headers = { authorization: `Bearer ${demo.key}`, 'content-type': 'application/json' };
    const answer = await fetch(demo.api + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    return ((await answer.json()) as { data: T }).data;
  }

  const sourceOf = (kind: string) => sources.find((each) => each.kind === kind)?.id ?? '';

  /** A dashboard with these tiles, opened. */
  async function open(name: string, tiles: object[]): Promise<{ page: Page; id: string }> {
    const { id } = await call<Stored>('POST', '/dashboards', { name, tiles });
    const { page } = await visit(demo.web);
    await logIn(page, demo);
    await page.goto(`/dashboards/${id}?from=${demo.settledUntilMs - 1_200_000}&to=${demo.settledUntilMs}`);
    return { page, id };
  }

  async function edit(page: Page, tile: string): Promise<Locator> {
    await page.getByRole('region', { name: tile, exact: true }).first().waitFor();
    await page.getByRole('button', { name: `Actions for ${tile}` }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const form = page.getByRole('dialog', { name: `Edit “${tile}”` });
    await form.getByRole('textbox', { name: 'Name' }).waitFor();
    return form;
  }

  const choose = async (form: Locator, field: string, option: string) => {
    await form.getByRole('combobox', { name: field, exact: true }).click();
    await form.page().getByRole('option', { name: option, exact: true }).click();
  };

  async function fill(form: Locator, field: string, text: string): Promise<void> {
    await form.getByRole('textbox', { name: field, exact: true }).fill(text);
  }

  async function save(page: Page, form: Locator, id: string): Promise<Stored> {
    await form.getByRole('button', { name: 'Apply' }).click();
    await form.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Dashboard saved.').last().waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).waitFor({ state: 'detached' });
    return call<Stored>('GET', `/dashboards/${id}`);
  }

  it('makes a heatmap of a line, with a preview, and refuses one without a number', async () => {
    const line = { displayType: 'line', sourceId: sourceOf('log'), select: [{ aggFn: 'count' }] };
    const { page, id } = await open('Heatmap to be', [{ name: 'Spread', config: line }]);
    const form = await edit(page, 'Spread');
    await choose(form, 'Display', 'Heatmap');
    await form.getByText('Say which number the heatmap shows.').waitFor();
    await fill(form, 'Number', 'Duration');
    await form.getByRole('application', { name: /^Preview/ }).waitFor();
    await choose(form, 'Scale', 'Logarithmic');
    await fill(form, 'Filter', 'SpanKind:Server');
    expect(await accessibilityViolations(page)).toEqual([]);
    const { tiles } = await save(page, form, id);
    expect(tiles[0]?.config).toMatchObject({
      ...{ displayType: 'heatmap', sourceId: sourceOf('trace'), where: 'SpanKind:Server' },
      select: [{ valueExpression: 'Duration', heatmapScaleType: 'log' }],
    });
    await page.getByRole('application', { name: /^Spread/ }).waitFor();
  });

  it('makes stacked curves of a line, and says beside its name what it shows', async () => {
    const line = {
      displayType: 'line',
      sourceId: sourceOf('log'),
      select: [{ aggFn: 'count' }],
      groupBy: 'ServiceName',
    };
    const { page, id } = await open('Curves to be', [{ name: 'Lines', description: 'At first', config: line }]);
    await page.getByRole('button', { name: 'Description: At first' }).waitFor();
    const form = await edit(page, 'Lines');
    await choose(form, 'Display', 'Stacked lines');
    await choose(form, 'Between values', 'Curves');
    await fill(form, 'Description', 'Events of each service');
    await form.locator('canvas').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    const { tiles } = await save(page, form, id);
    expect(tiles[0]).toMatchObject({
      description: 'Events of each service',
      config: { ...line, displayType: 'stacked_line', lineInterpolation: 'smooth' },
    });
    await page.getByRole('button', { name: 'Description: Events of each service' }).hover();
    await page.getByRole('tooltip').filter({ hasText: 'Events of each service' }).waitFor();
    const again = await edit(page, 'Lines');
    await fill(again, 'Description', '');
    expect((await save(page, again, id)).tiles[0]?.description).toBe('');
    await page.getByRole('region', { name: 'Lines' }).first().waitFor();
    expect(await page.getByRole('button', { name: /^Description/ }).count()).toBe(0);
  });

  it('edits patterns of events, with a preview', async () => {
    const patterns = { displayType: 'event_patterns', sourceId: sourceOf('log') };
    const { page, id } = await open('Patterns to be', [{ name: 'What they say', config: patterns }]);
    const form = await edit(page, 'What they say');
    await form.getByRole('columnheader', { name: 'Pattern' }).waitFor();
    await fill(form, 'Text', 'lower(ServiceName)');
    await expect.poll(() => form.getByRole('row').nth(1).textContent()).toMatch(/^[a-z-]+\D*\d/);
    expect(await accessibilityViolations(page)).toEqual([]);
    const { tiles } = await save(page, form, id);
    expect(tiles[0]?.config).toEqual({ ...patterns, select: 'lower(ServiceName)' });
  });

  it('sets “Other”, the change of a gauge and a calculated value', async () => {
    const line = { displayType: 'line', sourceId: sourceOf('trace'), select: [{ aggFn: 'count' }] };
    const names = await call<{ name: string; type: string }[]>('GET', `/sources/${sourceOf('metric')}/metrics`);
    const gauge = names.find(({ type }) => type === 'gauge')?.name ?? '';
    const { page, id } = await open('Fields', [
      { name: 'Spans', config: { ...line, groupBy: 'SpanName', seriesLimit: 2 } },
      {
        name: 'Level',
        config: {
          ...{ displayType: 'line', sourceId: sourceOf('metric') },
          select: [{ aggFn: 'avg', metricName: gauge, metricType: 'gauge', valueExpression: 'Value' }],
        },
      },
    ]);
    const ofSpans = await edit(page, 'Spans');
    await ofSpans.getByRole('checkbox', { name: 'Show the rest as “Other”' }).check();
    await ofSpans.getByText('Other', { exact: true }).waitFor();
    await save(page, ofSpans, id);
    const ofLevel = await edit(page, 'Level');
    await ofLevel.getByRole('checkbox', { name: /^Change over the bucket/ }).check();
    await fill(ofLevel, 'Value of A', 'Value * 100');
    expect(await accessibilityViolations(page)).toEqual([]);
    const { tiles } = await save(page, ofLevel, id);
    expect(tiles.map(({ config }) => config)).toMatchObject([
      { otherGroup: true },
      { select: [{ metricName: gauge, periodAggFn: 'delta', valueExpression: 'Value * 100' }] },
    ]);
  });
});
