import { afterAll, beforeAll, expect, it } from 'vitest';
import { accessibilityViolations, describeInBrowser, logIn, visit } from '../support/browser.ts';
import { acme, ingestionKey, type RunningProgram, startProgram } from '../support/start-program.ts';

const [ada] = acme.teams[0]?.users ?? [];
const [server, client] = [2, 3];

interface SentSpan {
  name: string;
  kind: number;
  id: string;
  parent?: string;
  fails?: boolean;
  attributes?: Record<string, string>;
}

describeInBrowser('services', () => {
  let program: RunningProgram;

  beforeAll(async () => {
    program = await startProgram();
    for (let trace = 0; trace < 30; trace++) await sendTrace(trace);
  });

  afterAll(() => program?.stop());

  /** The shop calls the cart, which asks its database; every third request fails. */
  async function sendTrace(trace: number): Promise<void> {
    const traceId = trace.toString(16).padStart(32, 'a');
    const fails = trace % 3 === 0;
    await send('shop', traceId, [
      { name: 'GET /checkout', kind: server, id: '1' },
      { name: 'GET cart', kind: client, id: '2', parent: '1', attributes: { 'server.address': 'cart' } },
    ]);
    await send('cart', traceId, [
      { name: 'GET /cart', kind: server, id: '3', parent: '2', fails },
      {
        ...{ name: 'SELECT items', kind: client, id: '4', parent: '3' },
        attributes: { 'db.system.name': 'postgresql', 'db.namespace': 'shop' },
      },
    ]);
  }

  async function send(service: string, traceId: string, spans: readonly SentSpan[]): Promise<void> {
    const startMs = Date.now() - 60_000;
    const pairs = (attributes: Record<string, string>) =>
      Object.entries(attributes).map(([key, value]) => ({ key, value: { stringValue: value } }));
    const spanId = (id: string) => id.padStart(16, 'b');
    const exception = {
      name: 'exception',
      timeUnixNano: `${startMs}000000`,
      attributes: pairs({ 'exception.type': 'CartError', 'exception.message': 'no such cart' }),
    };
    const body = {
      resourceSpans: [
        {
          resource: { attributes: pairs({ 'service.name': service }) },
          scopeSpans: [
            {
              spans: spans.map(({ name, kind, id, parent, fails, attributes = {} }) => ({
                ...{ traceId, spanId: spanId(id), name, kind, attributes: pairs(attributes) },
                ...(parent && { parentSpanId: spanId(parent) }),
                ...{ startTimeUnixNano: `${startMs}000000`, endTimeUnixNano: `${startMs + 20}000000` },
                ...(fails && { status: { code: 2 }, events: [exception] }),
              })),
            },
          ],
        },
      ],
    };
    const headers = { authorization: ingestionKey, 'content-type': 'application/json' };
    const url = `${program.addresses.otlpHttp}/v1/traces`;
    const { status } = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(status).toBe(200);
  }

  it('lead from the list to one of them and to its traces, with the time range', async () => {
    const { page } = await visit(program.addresses.web);
    await logIn(page, { email: ada?.email ?? '', password: ada?.password ?? '' });
    await page.goto('/dashboards');
    await page.getByRole('link', { name: 'Services' }).click();
    const table = page.getByRole('table', { name: 'Services' });
    await table.getByRole('link', { name: 'cart' }).waitFor();
    expect(await table.getByRole('row').nth(1).textContent()).toMatch(/33.3 %/);
    expect(await accessibilityViolations(page)).toEqual([]);

    await table.getByRole('button', { name: 'Service' }).click();
    await expect.poll(() => table.getByRole('row').nth(1).textContent()).toMatch(/^cart/);
    await page.getByRole('textbox', { name: 'Search by name' }).fill('sho');
    await expect.poll(() => table.getByRole('row').count()).toBe(2);
    await page.getByRole('textbox', { name: 'Search by name' }).fill('');

    await page.goto('/services?from=now-6h&to=now');
    await table.getByRole('link', { name: 'cart' }).click();
    await page.getByRole('heading', { level: 1, name: 'cart' }).waitFor();
    expect(new URL(page.url()).searchParams.get('from')).toBe('now-6h');
    const operations = page.getByRole('table', { name: 'Operations' });
    expect(await operations.getByRole('row').nth(1).textContent()).toMatch(/^GET \/cart/);
    expect(await page.getByRole('table', { name: 'Errors' }).textContent()).toMatch(/CartError.*no such cart/);
    await page.getByRole('table', { name: 'Calls', exact: true }).getByText('postgresql shop').waitFor();
    await page.getByRole('table', { name: 'Called by' }).getByRole('link', { name: 'shop' }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);

    await page.getByRole('table', { name: 'Errors' }).getByRole('link').click();
    await page.getByRole('list', { name: 'Services' }).getByRole('link', { name: 'shop' }).click();
    await page.getByRole('heading', { level: 1, name: 'shop' }).waitFor();
  });

  it('requests and errors over the range are drawn beside the figures, with one request for all services', async () => {
    const { page } = await visit(program.addresses.web);
    await logIn(page, { email: ada?.email ?? '', password: ada?.password ?? '' });
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/charts/tiles')) asked.push(request.postData() ?? '');
    });
    await page.goto('/services');
    const table = page.getByRole('table', { name: 'Services' });
    const lineOf = (service: string) =>
      table
        .getByRole('row')
        .filter({ has: page.getByRole('link', { name: service }) })
        .getByRole('img');
    await expect
      .poll(() => lineOf('cart').textContent())
      .toMatch(/^Requests per interval: at most \d+.*; errors: at most/);
    await expect.poll(() => lineOf('shop').textContent()).toMatch(/^Requests per interval: at most \d+.*; no errors$/);
    expect(asked).toHaveLength(1);
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  it('a filter leaves spans out of the list, the map and the page of a service', async () => {
    const { page } = await visit(program.addresses.web);
    await logIn(page, { email: ada?.email ?? '', password: ada?.password ?? '' });
    await page.goto('/services');
    const table = page.getByRole('table', { name: 'Services' });
    await table.getByRole('link', { name: 'cart' }).waitFor();
    await page.getByRole('textbox', { name: 'Filter of spans' }).fill('StatusCode:Error');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await table.getByRole('link', { name: 'shop' }).waitFor({ state: 'detached' });
    expect(await table.getByRole('row').nth(1).textContent()).toMatch(/^cart.*100 %/);
    expect(new URL(page.url()).searchParams.get('where')).toBe('StatusCode:Error');
    expect(await accessibilityViolations(page)).toEqual([]);
    await table.getByRole('link', { name: 'cart' }).click();
    await page.getByRole('heading', { level: 1, name: 'cart' }).waitFor();
    const operations = page.getByRole('table', { name: 'Operations' });
    expect(await operations.getByRole('row').nth(1).textContent()).toMatch(/^GET \/cart.*100 %/);
    await operations.getByRole('link', { name: 'GET /cart' }).click();
    await page.waitForURL('**/search?*');
    expect(new URL(page.url()).searchParams.get('where')).toBe(
      '(StatusCode:Error) ServiceName:"cart" SpanName:"GET /cart"',
    );
    const events = page.getByRole('grid', { name: 'Events' });
    await events.getByRole('link', { name: 'cart' }).first().click();
    await page.waitForURL((url) => url.pathname === '/services/cart' && !url.searchParams.has('where'));
  });

  it('are drawn as a map, with the same as a table', async () => {
    const { page } = await visit(program.addresses.web);
    await logIn(page, { email: ada?.email ?? '', password: ada?.password ?? '' });
    await page.goto('/services?view=map');
    const map = page.getByRole('region', { name: 'Service map' });
    await map.locator('text', { hasText: 'postgresql shop' }).waitFor();
    await page.getByRole('table', { name: 'Calls' }).getByRole('row').nth(2).waitFor();
    expect(await page.getByRole('table', { name: 'Calls' }).getByRole('row').count()).toBe(1 + 2);
    expect(await accessibilityViolations(page)).toEqual([]);
    await map.getByRole('link', { name: /^shop/ }).click();
    await page.getByRole('heading', { level: 1, name: 'shop' }).waitFor();
  });

  it('a dashboard begins with a template', async () => {
    const { page } = await visit(program.addresses.web);
    await logIn(page, { email: ada?.email ?? '', password: ada?.password ?? '' });
    await page.goto('/dashboards');
    await page.getByRole('button', { name: 'From a template' }).click();
    await page.getByRole('button', { name: /^Services/ }).click();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create dashboard' }).click();
    await page.getByRole('heading', { level: 1, name: 'Services' }).waitFor();
    await page.getByText('p95 duration by service').waitFor();
  });
});
