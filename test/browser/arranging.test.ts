import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accessibilityViolations, boxOf, describeInBrowser, logIn, visit } from '../support/browser.ts';
import { acme, type RunningProgram, startProgram } from '../support/start-program.ts';

const [ada] = acme.teams[0]?.users ?? [];

describeInBrowser('tiles are arranged without dragging', () => {
  let program: RunningProgram;

  beforeAll(async () => {
    program = await startProgram();
  });

  afterAll(() => program?.stop());

  const call = <T>(method: string, path: string, body?: unknown) =>
    program.call(method, `/api/v2${path}`, body).then(({ json }) => (json as { data: T }).data);

  const text = (name: string, x: number, y: number) => ({
    ...{ name, x, y, w: 8, h: 4 },
    config: { displayType: 'markdown', markdown: name },
  });

  /** A new dashboard whose tiles are being arranged. */
  async function arrange(): Promise<{ page: Page; path: string }> {
    const tiles = [text('First', 0, 0), text('Second', 8, 0), text('Below', 0, 4)];
    const { id } = await call<{ id: string }>('POST', '/dashboards', { name: 'Board', tiles });
    const { page } = await visit(program.addresses.web);
    await logIn(page, { email: ada?.email ?? '', password: ada?.password ?? '' });
    await page.goto(`/dashboards/${id}`);
    await page.getByRole('button', { name: 'Arrange' }).click();
    return { page, path: `/dashboards/${id}` };
  }

  const handleOf = (page: Page, name: string) => page.getByRole('button', { name: `Move or resize ${name}` });

  const said = (page: Page, words: string) => page.getByRole('status').getByText(words, { exact: true }).waitFor();

  async function save(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Dashboard saved.').waitFor();
  }

  async function stored(path: string): Promise<(string | number)[][]> {
    const { tiles } = await call<{ tiles: { name: string; x: number; y: number; w: number; h: number }[] }>(
      'GET',
      path,
    );
    return tiles.map(({ name, x, y, w, h }) => [name, x, y, w, h]);
  }

  it('by keys: they move and size it, keep the focus, say where it is, and are saved like what was dragged', async () => {
    const { page, path } = await arrange();
    await handleOf(page, 'First').focus();
    await page.keyboard.press('ArrowLeft');
    await said(page, 'First can’t move further left');
    await page.keyboard.press('ArrowDown');
    await said(page, 'First: column 1, row 5, 8 wide, 4 high');
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Shift+ArrowDown');
    await said(page, 'First: column 1, row 5, 9 wide, 5 high');
    await expect.poll(() => page.locator(':focus').getAttribute('aria-label')).toBe('Move or resize First');
    await page.getByRole('link', { name: 'Sources' }).click();
    const question = page.getByRole('dialog', { name: 'Discard changes to “Board”?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'hidden' });
    await save(page);
    expect(await stored(path)).toEqual([
      ['First', 0, 4, 9, 5],
      ['Second', 8, 0, 8, 4],
      ['Below', 0, 0, 8, 4],
    ]);
  });

  it('Escape puts a tile back, and then there is nothing to save', async () => {
    const { page } = await arrange();
    const saveButton = page.getByRole('button', { name: 'Save', exact: true });
    await handleOf(page, 'Second').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Shift+ArrowLeft');
    await saveButton.waitFor();
    await page.keyboard.press('Escape');
    await said(page, 'Put back. Second: column 9, row 1, 8 wide, 4 high');
    await saveButton.waitFor({ state: 'detached' });
  });

  it('by buttons: the handle opens them, and Escape leads back to it', async () => {
    const { page, path } = await arrange();
    await handleOf(page, 'Below').click();
    await page.getByRole('button', { name: 'Move right' }).click();
    await page.getByRole('button', { name: 'Wider' }).click();
    await said(page, 'Below: column 2, row 5, 9 wide, 4 high');
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator(':focus').getAttribute('aria-label')).toBe('Move or resize Below');
    await save(page);
    expect((await stored(path)).at(-1)).toEqual(['Below', 1, 4, 9, 4]);
  });

  it('a key does what dragging over one column does', async () => {
    const dragged = await arrange();
    const first = dragged.page.getByRole('region', { name: 'First', exact: true });
    const box = await boxOf(first);
    const columnPx = (box.width + 8) / 8;
    await handleOf(dragged.page, 'First').hover();
    await dragged.page.mouse.down();
    await dragged.page.mouse.move(box.x + 20 + columnPx, box.y + 16, { steps: 6 });
    await dragged.page.mouse.up();
    expect(await dragged.page.getByRole('button', { name: 'Move right' }).count()).toBe(0);
    await save(dragged.page);
    const stepped = await arrange();
    await handleOf(stepped.page, 'First').press('ArrowRight');
    await save(stepped.page);
    expect(await stored(stepped.path)).toEqual(await stored(dragged.path));
  });

  it('a window that is too narrow for the grid says so', async () => {
    const { page } = await arrange();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByText('This window is too narrow for the grid').waitFor();
    expect(await handleOf(page, 'First').count()).toBe(0);
  });
});
