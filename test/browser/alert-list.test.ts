import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accessibilityViolations, describeInBrowser, logIn, visit } from '../support/browser.ts';
import { gate } from '../support/gate.ts';
import { makeOnCallAlerts, type OnCallAlert } from '../support/on-call-alerts.ts';
import { acme, type RunningProgram, startProgram } from '../support/start-program.ts';

const [ada] = acme.teams[0]?.users ?? [];
const rows = 50;
const rising = Array.from({ length: 24 }, (_, at) => at * 5);

describeInBrowser('the list of alerts', () => {
  let program: RunningProgram;

  beforeAll(async () => {
    program = await startProgram();
    const alerts = Array.from({ length: rows + 2 }, (_, at): OnCallAlert => {
      const name = `alert-${String(at).padStart(2, '0')}`;
      if (at === 0)
        return { name, status: 'ALERT', values: rising, firingMinutes: 3, delivery: 'failing', group: 'cart' };
      if (at < 10) return { name, status: 'ALERT', values: rising, firingMinutes: 3 + at, delivery: 'delivered' };
      return { name, status: 'OK', values: at === 10 ? [] : [1, null, 3] };
    });
    await makeOnCallAlerts(program, alerts, Date.now());
  });

  afterAll(() => program?.stop());

  async function visitor(): Promise<Page> {
    const { page } = await visit(program.addresses.web);
    await logIn(page, { email: ada?.email ?? '', password: ada?.password ?? '' });
    return page;
  }

  const rowOf = (page: Page, name: string) =>
    page.getByRole('table', { name: 'Alerts' }).getByRole('row').filter({ hasText: name });

  it('asks once for the trends of all rows on a page, and for nothing per row', async () => {
    const page = await visitor();
    const asked: URL[] = [];
    page.on('request', (request) => asked.push(new URL(request.url())));
    await page.goto('/alerts');
    await rowOf(page, 'alert-00').getByRole('img').waitFor();
    const ofAlerts = asked.map(({ pathname }) => pathname).filter((path) => /\/alerts\/./.test(path));
    expect(ofAlerts.filter((path) => path.startsWith('/api'))).toEqual(['/api/v2/alerts/trends']);
    const ids = asked.find(({ pathname }) => pathname.endsWith('/trends'))?.searchParams.get('ids');
    expect(ids?.split(',')).toHaveLength(rows);
    await page.getByRole('button', { name: 'Page 2' }).click();
    await expect.poll(() => page.getByRole('row').count()).toBe(1 + 2);
    await expect.poll(() => page.getByRole('row').getByRole('img').count()).toBe(2);
    expect(asked.filter(({ pathname }) => pathname.endsWith('/trends'))).toHaveLength(2);
  });

  it('draws the last windows against the threshold, with the last value beside them', async () => {
    const page = await visitor();
    await page.goto('/alerts');
    const firing = rowOf(page, 'alert-00');
    await firing.getByRole('img', { name: 'Last 24 windows: 0 to 115, fired in 4' }).waitFor();
    const line = firing.getByRole('img');
    expect(await line.locator('path').count()).toBe(2);
    expect(await line.locator('rect').count()).toBe(1);
    await firing.getByText('115', { exact: true }).waitFor();
    await firing.getByText('Notification to On call failing after 3 attempts: The receiver answered 503.').waitFor();
    await rowOf(page, 'alert-01').getByText('Notification delivered').waitFor();
    await rowOf(page, 'alert-11').getByRole('img', { name: 'Last 3 windows: 1 to 3' }).waitFor();
    expect(await rowOf(page, 'alert-10').getByRole('img').count()).toBe(0);
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  it('nothing moves when the trends arrive', async () => {
    const page = await visitor();
    const answers = gate();
    await page.route('**/alerts/trends?*', async (route) => {
      await answers.passed;
      await route.continue();
    });
    await page.goto('/alerts');
    const places = async () => {
      const boxes = await Promise.all(
        ['alert-00', 'alert-01', 'alert-12'].map((name) => rowOf(page, name).getByRole('link', { name }).boundingBox()),
      );
      return boxes.map((box) => [box?.x, box?.y]);
    };
    await rowOf(page, 'alert-12').getByRole('link', { name: 'Checkout › Errors' }).waitFor();
    const before = await places();
    answers.open();
    await rowOf(page, 'alert-12').getByRole('img').waitFor();
    expect(await places()).toEqual(before);
  });

  it('counts the alerts in each state, and is sorted by state, time and name, all of it in the address', async () => {
    const page = await visitor();
    await page.goto('/alerts');
    const names = page.getByRole('table', { name: 'Alerts' }).getByRole('link', { name: /^alert-/ });
    await expect.poll(() => names.first().textContent()).toBe('alert-00');
    const filter = page.getByRole('group', { name: 'Filter by state' });
    for (const text of ['All52', 'Firing10', 'Pending0', 'OK42']) {
      await filter.getByRole('button').filter({ hasText: text }).waitFor();
    }
    await page.getByRole('button', { name: 'Firing for' }).click();
    await expect.poll(() => names.first().textContent()).toBe('alert-09');
    await page.getByRole('columnheader', { name: 'Firing for' }).and(page.locator('[aria-sort=descending]')).waitFor();
    await filter.getByRole('button').filter({ hasText: 'OK42' }).click();
    await expect.poll(() => names.first().textContent()).toBe('alert-10');
    expect(await names.count()).toBe(42);
    await page.reload();
    await expect.poll(() => names.count()).toBe(42);
    expect(new URL(page.url()).search).toBe('?sort=since&state=OK');
    await filter.getByRole('button').filter({ hasText: 'All' }).click();
    await page.getByRole('button', { name: 'Name' }).click();
    await expect.poll(() => names.allTextContents()).toEqual((await names.allTextContents()).toSorted());
    await expect.poll(() => names.first().textContent()).toBe('alert-00');
    expect(new URL(page.url()).search).toBe('?sort=name');
  });
});
